//! Which boards can be solved: one after another, smallest first, while the time lasts.

use crate::isolation::{IsolationBounds, IsolationSolver};
use kalahari_games::Game;
use kalahari_games::isolation::{Bits, Isolation, IsolationRule, IsolationSpec, MAX_SIDE, Wide256};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What became of a board.
#[derive(Clone, Copy, Debug)]
pub struct Surveyed {
    /// The board and rule.
    pub spec: IsolationSpec,
    /// The value for the first player, or what is proven of it.
    pub bounds: IsolationBounds,
    /// Positions looked into.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// Solves the boards of a rule in order of their size, telling `each` of every board tried.
///
/// A board gets at most `for_one` and all together at most `for_all`. A board that is as large in both directions as
/// one that was not finished is not tried. Boards that are turned ones of others are left out: `trail`, `queen` and `knight` are the
/// same on 3x5 and 5x3, `classic` is not.
pub fn survey(
    rule: IsolationRule,
    (for_one, for_all): (Duration, Duration),
    memory: u64,
    stop: &AtomicBool,
    each: &mut dyn FnMut(&Surveyed),
) -> Vec<Surveyed> {
    let begin = Instant::now();
    let mut specs: Vec<IsolationSpec> = (1..=MAX_SIDE)
        .flat_map(|rows| {
            (1..=MAX_SIDE).filter_map(move |cols| IsolationSpec::new(rows, cols, rule))
        })
        .filter(|spec| rule == IsolationRule::Classic || spec.rows() <= spec.cols())
        .collect();
    specs.sort_by_key(|spec| (spec.cells(), spec.rows()));
    let mut all: Vec<Surveyed> = Vec::new();
    for spec in specs {
        let holds =
            |done: &Surveyed| spec.rows() >= done.spec.rows() && spec.cols() >= done.spec.cols();
        let hopeless = all
            .iter()
            .any(|done| done.bounds.exact().is_none() && holds(done));
        let time = for_one.min(for_all.saturating_sub(begin.elapsed()));
        if hopeless || time.is_zero() || stop.load(Ordering::Relaxed) {
            continue;
        }
        let done = solve(spec, time, memory, stop);
        each(&done);
        all.push(done);
    }
    all
}

/// Solves one board in a time.
fn solve(spec: IsolationSpec, time: Duration, memory: u64, stop: &AtomicBool) -> Surveyed {
    let begin = Instant::now();
    let (halt, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let (bounds, nodes) = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if stop.load(Ordering::Relaxed) || begin.elapsed() >= time {
                    halt.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(LOOK);
            }
        });
        let value = match (Isolation::<u64>::new(spec), Isolation::<u128>::new(spec)) {
            (Some(game), _) => start_value(&game, memory, &halt),
            (None, Some(game)) => start_value(&game, memory, &halt),
            (None, None) => start_value(&Isolation::<Wide256>::largest(spec), memory, &halt),
        };
        done.store(true, Ordering::Relaxed);
        value
    });
    Surveyed {
        spec,
        bounds,
        nodes,
        time: begin.elapsed(),
    }
}

fn start_value<B: Bits>(
    game: &Isolation<B>,
    memory: u64,
    halt: &AtomicBool,
) -> (IsolationBounds, u64) {
    let mut solver = IsolationSolver::new(game, memory);
    let bounds = solver.value(&game.start(), halt);
    (bounds, solver.nodes())
}
