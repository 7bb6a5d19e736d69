//! The agent `perfect`: proven moves, or an honest guess.

use crate::AnyReport;
use kalahari_exact::prover::{
    News, Proof, Prover, ProverError, ProverOptions, TableMemory, TablebasePolicy, Wanted,
};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec};
use kalahari_search::{Agent, Outlook, Report, Task};
use kalahari_terms::{Bounds, Failure, Limits, Score, Stop, Worth};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Plays proven best moves. What it cannot prove within its limits it leaves to the engine, and the report says that it is
/// not proven.
///
/// Under a clock a game of Kalah is the engine's from the first node on, and its proofs begin early. Where
/// nothing is limited, it proves until it is stopped.
pub(crate) struct Perfect {
    game: AnyGame,
    prover: Prover,
    /// Who hears of the prover's news.
    listener: Arc<Mutex<Option<Sender<Narrower>>>>,
    engine: Box<dyn Agent<AnyGame>>,
    /// Whether the engine has a solver of its own to prove with.
    engine_proves: bool,
}

/// News of a proof: what is proven of the value, or of a move, by now, and the nodes that it took.
struct Narrower {
    of: Option<AnyMove>,
    bounds: Bounds,
    nodes: u64,
}

/// Ends the news, whatever ends the proof.
struct LastWord<'a>(&'a Mutex<Option<Sender<Narrower>>>);

impl Drop for LastWord<'_> {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The most memory of the solver's table if nobody says.
const MEMORY: u64 = 1 << 30;

/// The most positions, and bytes, of a tablebase that it builds for a proof that nothing limits: 22 seeds on six pits.
const MOST_POSITIONS: u64 = 600_000_000;

/// The part of what it may spend that proving gets where the engine has no proofs of its own; the engine needs the rest.
const PROVING: f64 = 0.8;

/// How long proving may take if only the depth is limited, which says nothing to a solver.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the engine looks at a position before a proof that nothing limits: what there is to show until then.
const FIRST_LOOK: Duration = Duration::from_millis(500);

impl Perfect {
    /// The player of a game with this engine, whose proofs come first. The tables of the solver are at most `hash` MiB;
    /// without it they are as large as suits the game.
    pub(crate) fn new(
        game: &AnyGame,
        engine: Box<dyn Agent<AnyGame>>,
        threads: usize,
        hash: Option<usize>,
    ) -> Self {
        let engine_proves = match game.spec() {
            GameSpec::Kalah(spec) => !spec.majority(),
            GameSpec::Isolation(_) => false,
        };
        let options = ProverOptions {
            threads,
            memory: TableMemory::AtMost(hash.map_or(MEMORY, |mib| (mib as u64) << 20)),
            tablebase: match engine_proves {
                true => TablebasePolicy::Suited {
                    most_positions: MOST_POSITIONS,
                },
                false => TablebasePolicy::QUICK,
            },
            ..ProverOptions::default()
        };
        let mut prover = Prover::new(game, options);
        let listener = Arc::new(Mutex::new(None::<Sender<Narrower>>));
        let hears = Arc::clone(&listener);
        prover.listen(move |news| {
            let (of, bounds, nodes) = match *news {
                News::Value { bounds, nodes } => (None, bounds, nodes),
                News::Move { mv, bounds, nodes } => (Some(mv), bounds, nodes),
                _ => return,
            };
            if let Some(hears) = &*hears.lock().unwrap_or_else(PoisonError::into_inner) {
                // Who does not listen any more has an answer.
                let _ = hears.send(Narrower { of, bounds, nodes });
            }
        });
        Perfect {
            game: game.clone(),
            prover,
            listener,
            engine,
            engine_proves,
        }
    }

    /// Proves without limits. `tell` hears of every narrower bound.
    fn prove(
        &mut self,
        position: &AnyPosition,
        wanted: &Wanted,
        stop: &Stop,
        tell: &mut dyn FnMut(Narrower),
    ) -> Result<Proof, ProverError> {
        let (sender, news) = mpsc::channel();
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        let listener = &self.listener;
        let prover = Mutex::new(&mut self.prover);
        let prove = || {
            let _end = LastWord(listener);
            let mut prover = prover.lock().unwrap_or_else(PoisonError::into_inner);
            prover.prove(position, wanted, stop)
        };
        thread::scope(|scope| {
            match thread::Builder::new().spawn_scoped(scope, prove) {
                Ok(proving) => {
                    news.iter().for_each(tell);
                    proving.join().unwrap_or_else(|_| prove())
                }
                // Where there are no threads, nobody can listen meanwhile.
                Err(_) => prove(),
            }
        })
    }
}

/// What a proof says, if it says everything that was wanted: a value without a move to keep it, or without the moves that
/// were wanted, is half an answer.
fn report(proof: &Proof, all_moves: bool, elapsed: Duration) -> Option<AnyReport> {
    let score = proof.score?;
    let best = proof.best()?;
    let player = score.player();
    let moves = match all_moves {
        true => proof.exact_moves().filter(|moves| !moves.is_empty())?,
        false => Vec::new(),
    };
    // The end by majority has results only, and other games the kind of value of the whole.
    let has_margins = matches!(score.worth(), Worth::Margin(_));
    let proven = |margin| Score::proven(player, Worth::of_end(margin, has_margins));
    Some(Report {
        best: Some(best),
        score,
        line: proof.line.clone(),
        moves: moves
            .into_iter()
            .map(|(mv, margin)| (mv, proven(margin)))
            .collect(),
        depth: proof.line.len() as u32,
        nodes: proof.nodes,
        elapsed,
        outlook: None,
    })
}

fn wanted(all_moves: bool) -> Wanted {
    match all_moves {
        true => Wanted::ALL,
        false => Wanted::LINE,
    }
}

impl Perfect {
    /// Proves first, with most of what there is, and then lets the engine look.
    fn think_in_turn(&mut self, task: Task<'_, AnyGame>) -> Result<AnyReport, Failure> {
        let begin = task.stop.now();
        let limits = match task.limits.is_bounded() {
            true => task.limits,
            false => task.limits.and(Limits::time(PATIENCE)),
        };
        let wanted = wanted(task.all_moves).within(Limits {
            time: limits.move_time().map(|time| time.mul_f64(PROVING)),
            nodes: limits.nodes.map(|nodes| nodes - nodes / 5),
            ..Limits::NONE
        });
        // A table that cannot be had is no reason to play no move.
        let proof = self.prover.prove(&task.position, &wanted, task.stop).ok();
        let elapsed = task.stop.now().saturating_sub(begin);
        let proven = proof.as_ref();
        if let Some(report) = proven.and_then(|proof| report(proof, task.all_moves, elapsed)) {
            (task.progress)(&report);
            return Ok(report);
        }
        let nodes = proof.map_or(0, |proof| proof.nodes);
        let left = Limits {
            depth: limits.depth,
            nodes: limits.nodes.map(|all| all.saturating_sub(nodes).max(1)),
            time: limits.move_time().map(|all| all.saturating_sub(elapsed)),
            clock: None,
        };
        let report = self.engine.think(Task {
            limits: left,
            ..task
        })?;
        Ok(Report {
            nodes: report.nodes + nodes,
            elapsed: elapsed + report.elapsed,
            ..report
        })
    }

    /// Looks with the engine, then proves until it is done or stopped.
    fn think_until_proven(&mut self, task: Task<'_, AnyGame>) -> Result<AnyReport, Failure> {
        let begin = task.stop.now();
        let mut looked = self.engine.think(Task {
            limits: Limits::time(FIRST_LOOK),
            progress: &mut *task.progress,
            ..task
        })?;
        if looked.score.is_proven() && !task.all_moves {
            return Ok(looked);
        }
        let earlier = looked.nodes;
        let stop = task.stop;
        let mut narrower = |Narrower { of, bounds, nodes }: Narrower| {
            let outlook = looked.outlook.get_or_insert_with(|| Outlook {
                value: bounds,
                moves: Vec::new(),
                likely_nodes: 0,
            });
            match of {
                None => outlook.value = bounds,
                Some(mv) => {
                    outlook.moves.retain(|(other, _)| *other != mv);
                    outlook.moves.push((mv, bounds));
                    outlook.moves.sort_by_key(|(mv, _)| *mv);
                }
            }
            looked.nodes = earlier + nodes;
            looked.elapsed = stop.now().saturating_sub(begin);
            (task.progress)(&looked);
        };
        let wanted = wanted(task.all_moves);
        let proof = self
            .prove(&task.position, &wanted, stop, &mut narrower)
            .ok();
        let elapsed = stop.now().saturating_sub(begin);
        let report = proof.and_then(|proof| report(&proof, task.all_moves, elapsed));
        if let Some(report) = &report {
            (task.progress)(report);
        }
        Ok(report.unwrap_or(Report { elapsed, ..looked }))
    }
}

impl Agent<AnyGame> for Perfect {
    fn think(&mut self, task: Task<'_, AnyGame>) -> Result<AnyReport, Failure> {
        if let Some(report) = Report::of_finished(&self.game, &task.position) {
            return Ok(report);
        }
        if task.limits.is_unlimited() {
            return self.think_until_proven(task);
        }
        match self.engine_proves {
            true => self.engine.think(task),
            false => self.think_in_turn(task),
        }
    }

    fn forget(&mut self, rng_seed: u64) {
        self.engine.forget(rng_seed);
    }

    fn is_deterministic(&self) -> bool {
        true
    }
}
