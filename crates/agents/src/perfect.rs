//! The agent `perfect`: proven moves, or an honest guess.

use crate::proofs::{Proof, Prover, Sources, exact_source, prover};
use kalahari_search::engine::{Engine, EngineOptions};
use kalahari_search::{Agent, Limits, Report, Searchable, Stop, Task, Unit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Plays proven best moves. What it cannot prove in time it leaves to the engine, and the report says
/// that it is not proven.
pub(crate) struct Perfect<G: Searchable> {
    game: G,
    prover: Box<dyn Prover<G>>,
    engine: Engine<G>,
}

impl<G: Searchable> Perfect<G> {
    /// The tables of the solver and of the engine are at most `hash` MiB each; without it they are as large as
    /// suits the game.
    pub(crate) fn new(game: &G, threads: usize, hash: Option<usize>) -> Result<Self, String> {
        let defaults = EngineOptions::of_game(game);
        let options = EngineOptions {
            exact: exact_source(game, Sources::ALL)?,
            hash: hash.unwrap_or(defaults.hash),
            ..defaults
        };
        Ok(Perfect {
            game: game.clone(),
            prover: prover(game, threads, hash)?,
            engine: Engine::new(game.clone(), options),
        })
    }

    fn report(&self, proof: Proof<G::Move>, nodes: u64, begin: Instant) -> Report<G::Move> {
        Report {
            best: proof.line.first().copied(),
            value: f64::from(proof.value),
            unit: Unit::of_proof(&self.game),
            depth: proof.line.len() as u32,
            line: proof.line,
            moves: proof
                .moves
                .into_iter()
                .map(|(mv, value)| (mv, f64::from(value)))
                .collect(),
            nodes,
            elapsed: begin.elapsed(),
            proven: true,
        }
    }
}

/// The part of the time that proving may take; the engine needs the rest if it fails.
const PROVING: f64 = 0.8;

/// How often the clock is looked at while proving.
const LOOK: Duration = Duration::from_millis(1);

impl<G: Searchable> Agent<G> for Perfect<G> {
    fn think(&mut self, task: Task<'_, G>) -> Report<G::Move> {
        let begin = Instant::now();
        let position = task.position;
        if let Some(report) = Report::of_finished(&self.game, &position) {
            return report;
        }
        let time = task.limits.move_time();
        let deadline = time.and_then(|time| begin.checked_add(time.mul_f64(PROVING)));
        let (halt, done) = (AtomicBool::new(false), AtomicBool::new(false));
        let before = self.prover.nodes();
        let prover = &mut self.prover;
        let proof = std::thread::scope(|scope| {
            scope.spawn(|| watch(task.stop, deadline, &halt, &done));
            let proof = prover.prove(&position, task.all_moves, &halt);
            done.store(true, Ordering::Relaxed);
            proof
        });
        // A solver that had to be made again counts anew.
        let nodes = self.prover.nodes().saturating_sub(before);
        match proof {
            // A value without a move to keep it, or without the moves that were wanted, is half an answer.
            Ok(Some(proof))
                if !proof.line.is_empty() && (proof.moves.is_empty() != task.all_moves) =>
            {
                let report = self.report(proof, nodes, begin);
                (task.progress)(&report);
                report
            }
            _ => {
                let left = time.map(|time| time.saturating_sub(begin.elapsed()));
                let limits = Limits {
                    time: left.or(Some(Duration::from_secs(1))),
                    ..Limits::default()
                };
                let report = self.engine.think(Task { limits, ..task });
                Report {
                    nodes: report.nodes + nodes,
                    elapsed: begin.elapsed(),
                    ..report
                }
            }
        }
    }

    fn forget(&mut self, seed: u64) {
        self.engine.forget(seed);
    }

    fn is_deterministic(&self) -> bool {
        true
    }
}

/// Sets `halt` when a stop is requested or the deadline has passed; ends when the work is done.
fn watch(stop: &Stop, deadline: Option<Instant>, halt: &AtomicBool, done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        if stop.is_requested() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            halt.store(true, Ordering::Relaxed);
            return;
        }
        std::thread::sleep(LOOK);
    }
}
