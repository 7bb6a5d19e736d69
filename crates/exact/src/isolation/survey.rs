//! Which boards can be solved: one after another, smallest first, while the time lasts.

use crate::Bounds;
use crate::prover::{Prover, ProverError, ProverOptions, TableMemory, Wanted};
use kalahari_games::isolation::{IsolationRule, IsolationSpec, MAX_SIDE};
use kalahari_games::{AnyGame, Game};
use kalahari_terms::{Limits, Stop};
use std::time::Duration;

/// What became of a board.
#[derive(Clone, Copy, Debug)]
pub struct Surveyed {
    /// The board and rule.
    pub spec: IsolationSpec,
    /// The value for the first player, or proven bounds of it.
    pub bounds: Bounds,
    /// Positions looked into.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

/// Solves the boards of a rule in order of their size and reports every board tried to `each`.
///
/// A board gets at most `for_one`, and all together at most `for_all`. A board that is at least as large in both directions as
/// one that was not finished is not tried. Boards with more rows than columns are left out, except in `classic`: the other
/// rules are the same on 3x5 and 5x3.
pub fn survey(
    rule: IsolationRule,
    (for_one, for_all): (Duration, Duration),
    memory: u64,
    stop: &Stop,
    each: &mut dyn FnMut(&Surveyed),
) -> Result<Vec<Surveyed>, ProverError> {
    let begin = stop.now();
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
        let time = for_one.min(for_all.saturating_sub(stop.now().saturating_sub(begin)));
        if hopeless || time.is_zero() || stop.is_requested() {
            continue;
        }
        let done = solve(spec, time, memory, stop)?;
        each(&done);
        all.push(done);
    }
    Ok(all)
}

/// Solves one board in a time.
fn solve(
    spec: IsolationSpec,
    time: Duration,
    memory: u64,
    stop: &Stop,
) -> Result<Surveyed, ProverError> {
    let begin = stop.now();
    let game = AnyGame::new(spec.into());
    let options = ProverOptions {
        memory: TableMemory::Bytes(memory),
        ..ProverOptions::without_files()
    };
    let mut prover = Prover::new(&game, options);
    let wanted = Wanted::VALUE.within(Limits::time(time));
    let proof = prover.prove(&game.start(), &wanted, stop)?;
    Ok(Surveyed {
        spec,
        bounds: proof.bounds,
        nodes: proof.nodes,
        time: stop.now().saturating_sub(begin),
    })
}
