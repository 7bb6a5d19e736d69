//! `kalahari solve` for Kalah.

use super::{Report, Solve};
use crate::arguments::threads;
use crate::commands::tablebase::open_or_build;
use crate::interrupt;
use kalahari_exact::kalah::{Bounds, Solver, SolverOptions, Techniques, suggested_memory};
use kalahari_games::kalah::{Board, Kalah, KalahSpec, Packed, Wide};
use kalahari_games::{Game, GameSpec};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(super) fn run(solve: &Solve, spec: KalahSpec) -> anyhow::Result<()> {
    let text = solve.place.position.as_deref();
    let large =
        solve.place.any_total && text.is_some_and(|text| room_for(text) > Packed::MAX_TOTAL);
    match Kalah::<Packed>::new(spec) {
        Ok(game) if !large => with_board(solve, game),
        _ => with_board(solve, Kalah::<Wide>::wide(spec)),
    }
}

/// The sum of the numbers in a text.
fn room_for(text: &str) -> u32 {
    match kalahari_games::Totals::any_for(text) {
        kalahari_games::Totals::Any { at_least } => at_least,
        kalahari_games::Totals::Exact => 0,
    }
}

fn with_board<B: Board>(solve: &Solve, game: Kalah<B>) -> anyhow::Result<()> {
    let game = match solve.place.any_total {
        true => game.with_any_total(),
        false => game,
    };
    if game.kalah_spec().majority() {
        eprintln!("kalahari: {} is solved as its base rule", game.kalah_spec());
    }
    let begin = Instant::now();
    if let Some(path) = &solve.positions {
        let seeds = match solve.place.any_total {
            true => B::MAX_TOTAL.min(72),
            false => game.kalah_spec().total(),
        };
        let work = Work::new(solve, &game, seeds)?;
        return work.saving(solve, || {
            solve.each_line(path, |line| {
                let position = game.parse_position(line)?;
                let text = game.position_text(&position);
                let mut report = work.report(solve, &game, &position, Instant::now())?;
                report.position = Some(text);
                Ok(report)
            })
        });
    }
    let position = match &solve.place.position {
        Some(text) => game.parse_position(text)?,
        None => game.start(),
    };
    let work = Work::new(solve, &game, position.seeds_in_play())?;
    let report = work.saving(solve, || work.report(solve, &game, &position, begin))?;
    report.print(solve.json)
}

/// A solver at work.
struct Work<B: Board> {
    solver: Solver<B>,
    stop: &'static AtomicBool,
    live: bool,
}

impl<B: Board> Work<B> {
    fn new(solve: &Solve, game: &Kalah<B>, seeds: u32) -> anyhow::Result<Self> {
        let threads = threads(solve.threads);
        let spec = game.kalah_spec();
        let tablebase = open_or_build(spec, solve.tablebase, seeds, threads)?.map(Arc::new);
        let options = SolverOptions {
            memory: solve
                .memory
                .unwrap_or_else(|| suggested_memory(game.pits(), seeds)),
            threads,
            tablebase,
            techniques: Techniques::default(),
        };
        let solver = Solver::new(game, seeds, options)?;
        if let Some(path) = &solve.resume {
            solver.resume(path)?;
        }
        Ok(Work {
            solver,
            stop: interrupt::flag(),
            live: std::io::stderr().is_terminal(),
        })
    }

    /// Runs `work`, keeping the table on disk meanwhile and afterwards if asked to.
    fn saving<T>(
        &self,
        solve: &Solve,
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let Some(path) = &solve.save else {
            return work();
        };
        let done = AtomicBool::new(false);
        let result = std::thread::scope(|scope| {
            let keeper = scope.spawn(|| {
                let mut saved = Instant::now();
                while !done.load(Ordering::Relaxed) {
                    std::thread::park_timeout(Duration::from_secs(1));
                    if saved.elapsed() > Duration::from_secs(600) {
                        // A disk that is full now may have room later; the last save tells.
                        if let Err(error) = self.solver.save(path) {
                            eprintln!("kalahari: {error}");
                        }
                        saved = Instant::now();
                    }
                }
            });
            let result = work();
            done.store(true, Ordering::Relaxed);
            keeper.thread().unpark();
            result
        })?;
        self.solver.save(path)?;
        Ok(result)
    }

    fn report(
        &self,
        solve: &Solve,
        game: &Kalah<B>,
        position: &B,
        begin: Instant,
    ) -> anyhow::Result<Report> {
        let nodes = self.solver.nodes();
        let bounds = self.solver.margin(position, self.stop, &mut |bounds| {
            self.tell(&format!("value {}", range(bounds)), begin);
        });
        let mut moves = vec![None; game.pits()];
        let (mut best, mut line) = (None, Vec::new());
        if let Some(value) = bounds.exact() {
            if solve.value_only {
                best = self.solver.best_move(position, value, self.stop);
            } else {
                moves = self
                    .solver
                    .moves(position, value, self.stop, &mut |pit, bounds| {
                        self.tell(&format!("move {pit} {}", range(bounds)), begin);
                    });
                line = self.solver.line(position, value, self.stop);
                best = line.first().copied();
            }
        }
        self.tell("", begin);
        let exact: Vec<Option<i32>> = moves
            .iter()
            .map(|bounds| bounds.and_then(Bounds::exact))
            .collect();
        let all_known = moves
            .iter()
            .zip(&exact)
            .all(|(bounds, exact)| bounds.is_none() || exact.is_some());
        Ok(Report {
            best: best.map_or(serde_json::Value::Null, |pit| pit.0.into()),
            value: bounds.exact(),
            moves: serde_json::to_value(exact)?,
            depth: line.len(),
            pv: line.iter().map(|pit| pit.0.into()).collect(),
            nodes: self.solver.nodes() - nodes,
            seconds: begin.elapsed().as_secs_f64(),
            proven: bounds.exact().is_some() && all_known,
            unit: "margin",
            game: GameSpec::Kalah(game.kalah_spec()),
            position: None,
            lower: bounds.lower,
            upper: bounds.upper,
            tablebase_seeds: self.solver.tablebase_seeds(),
        })
    }

    /// The live line, if somebody looks at it.
    fn tell(&self, text: &str, begin: Instant) {
        if !self.live {
            return;
        }
        if text.is_empty() {
            eprint!("\r\x1b[K");
            return;
        }
        let million = self.solver.nodes() as f64 / 1e6;
        eprint!(
            "\r\x1b[K{text}  {million:.1} million nodes  {:.1} s",
            begin.elapsed().as_secs_f64()
        );
    }
}

fn range(bounds: Bounds) -> String {
    match bounds.exact() {
        Some(value) => format!("{value:+}"),
        None => format!("{:+} to {:+}", bounds.lower, bounds.upper),
    }
}
