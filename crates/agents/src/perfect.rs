//! The agent `perfect`: proven moves, or an unproven move that is reported as such.

use crate::AnyReport;
use kalahari_exact::prover::{
    News, Proof, Prover, ProverError, ProverOptions, TableMemory, TablebasePolicy, Wanted,
};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec};
use kalahari_search::{Agent, Choice, Outlook, ProofWork, Report, TableUnderWay, Task};
use kalahari_terms::{Bounds, Failure, Limits, Score, Stop, Worth};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Plays proven best moves. If it cannot prove a move within its limits, the engine chooses one, and the report says that it is
/// not proven.
///
/// With limits, the engine plays Kalah alone, with proofs that begin early. Without limits, the prover works until it is done or
/// stopped.
pub(crate) struct Perfect {
    game: AnyGame,
    prover: Prover,
    /// Receives the prover's news while a proof is running.
    listener: Arc<Mutex<Option<Sender<Told>>>>,
    engine: Box<dyn Agent<AnyGame>>,
    /// Whether the engine has a solver for this game.
    engine_proves: bool,
}

/// News of a proof.
enum Told {
    /// `positions` more positions of the tablebase are filled, out of `of` in all.
    Filled {
        seeds: usize,
        positions: u64,
        of: u64,
    },
    /// The nodes of the proof so far.
    Working(u64),
    /// The bounds that are proven so far for the value, or for a move, and the nodes of the proof so far.
    Narrower {
        of: Option<AnyMove>,
        bounds: Bounds,
        nodes: u64,
    },
}

/// Closes the channel of the news when the proof ends, even by a panic.
struct LastWord<'a>(&'a Mutex<Option<Sender<Told>>>);

impl Drop for LastWord<'_> {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The most memory of the solver's table, in bytes, unless the spec names a size.
const MEMORY: u64 = 1 << 30;

/// The most positions, and bytes, of a tablebase that it builds for a proof without limits: 22 seeds on six pits.
const MOST_POSITIONS: u64 = 600_000_000;

/// The part of the time that the prover gets if the engine has no proofs of its own; the engine gets the rest.
const PROVING: f64 = 0.8;

/// The time for a move if only the depth is limited, which means nothing to a solver.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the engine searches before a proof without limits, so that there is something to show early.
const FIRST_LOOK: Duration = Duration::from_millis(500);

impl Perfect {
    /// The player of a game with this engine, whose proofs come first. The solver's table takes at most `hash` MiB, or
    /// 1 GiB by default.
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
        let listener = Arc::new(Mutex::new(None::<Sender<Told>>));
        let hears = Arc::clone(&listener);
        prover.listen(move |news| {
            let narrower = |of, bounds, nodes| Told::Narrower { of, bounds, nodes };
            let told = match *news {
                News::Filled {
                    seeds,
                    of,
                    positions,
                } => Told::Filled {
                    seeds,
                    positions,
                    of,
                },
                News::Working { nodes, .. } => Told::Working(nodes),
                News::Value { bounds, nodes } => narrower(None, bounds, nodes),
                News::Move { mv, bounds, nodes } => narrower(Some(mv), bounds, nodes),
                _ => return,
            };
            if let Some(hears) = &*hears.lock().unwrap_or_else(PoisonError::into_inner) {
                // The receiver is gone only when the proof has been answered.
                let _ = hears.send(told);
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

    /// Proves without limits. `tell` is called with its progress.
    fn prove(
        &mut self,
        position: &AnyPosition,
        wanted: &Wanted,
        stop: &Stop,
        tell: &mut dyn FnMut(Told),
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
                // Without a thread there is no progress report.
                Err(_) => prove(),
            }
        })
    }
}

/// The report of a complete proof. `None` if it has no value, no best move, or lacks the values of all moves although they were
/// wanted.
fn report(proof: &Proof, all_moves: bool, elapsed: Duration) -> Option<AnyReport> {
    let score = proof.score?;
    let best = proof.best()?;
    let player = score.player();
    let moves = match all_moves {
        true => proof.exact_moves().filter(|moves| !moves.is_empty())?,
        false => Vec::new(),
    };
    // Moves have the same kind of value as the position: a margin, or only a result, as in games with the end by majority.
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
    /// Proves first, with most of the limits, and then lets the engine search with the rest.
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
        // If a table cannot be allocated, the engine still plays a move.
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

    /// Lets the engine search briefly, then proves until it is done or stopped.
    fn think_until_proven(&mut self, task: Task<'_, AnyGame>) -> Result<AnyReport, Failure> {
        let begin = task.stop.now();
        let looked = self.engine.think(Task {
            limits: Limits::time(FIRST_LOOK),
            progress: &mut *task.progress,
            ..task
        })?;
        if looked.score.is_proven() && !task.all_moves {
            return Ok(looked);
        }
        let stop = task.stop;
        let mut sight = Sight::of(looked, begin);
        let mut tell = |told: Told| {
            if sight.add(told, stop.now()) {
                (task.progress)(&sight.report);
            }
        };
        let wanted = wanted(task.all_moves);
        let proof = self.prove(&task.position, &wanted, stop, &mut tell).ok();
        let elapsed = stop.now().saturating_sub(begin);
        let nodes = sight.nodes_with(proof.as_ref().map_or(0, |proof| proof.nodes));
        let report = proof.and_then(|proof| report(&proof, task.all_moves, elapsed));
        if let Some(report) = report {
            let report = Report { nodes, ..report };
            (task.progress)(&report);
            return Ok(report);
        }
        Ok(Report {
            elapsed,
            nodes,
            ..sight.without_table()
        })
    }
}

/// The progress of a proof without limits: what the engine found at first, and what has been proven since.
struct Sight {
    report: AnyReport,
    begin: Duration,
    /// The nodes of the engine.
    earlier: u64,
    /// Whether the engine's report says how far a proof is.
    engine_proves: bool,
    /// The positions of the tablebase that are filled.
    filled: u64,
    /// When progress was reported last.
    told: Duration,
}

/// How often the progress of building a table is reported.
const TABLE_NEWS: Duration = Duration::from_millis(500);

impl Sight {
    fn of(looked: AnyReport, begin: Duration) -> Self {
        Sight {
            begin,
            earlier: looked.nodes,
            engine_proves: looked.outlook.is_some(),
            filled: 0,
            // The first news is reported at once.
            told: Duration::ZERO,
            report: looked,
        }
    }

    /// All nodes, including those of the proof. The number never decreases.
    fn nodes_with(&self, proof: u64) -> u64 {
        self.report.nodes.max(self.earlier + proof)
    }

    /// Adds news, and returns whether it should be reported.
    fn add(&mut self, told: Told, now: Duration) -> bool {
        self.report.elapsed = now.saturating_sub(self.begin);
        let is_news = match told {
            Told::Filled { .. } => now.saturating_sub(self.told) >= TABLE_NEWS,
            Told::Working(_) | Told::Narrower { .. } => true,
        };
        if is_news {
            self.told = now;
        }
        let outlook = match (self.report.outlook.take(), &told) {
            // The engine does not prove this game, so these are the first bounds.
            (
                None,
                Told::Narrower {
                    of: None, bounds, ..
                },
            ) => Some(Outlook {
                value: *bounds,
                moves: Vec::new(),
                work: ProofWork::default(),
                table: None,
            }),
            (known, _) => known,
        };
        if let Told::Working(nodes) | Told::Narrower { nodes, .. } = &told {
            self.report.nodes = self.nodes_with(*nodes);
        }
        let outlook = outlook.map(|outlook| self.looked_at(outlook, told));
        match self.engine_proves {
            true => self.report.set_outlook(outlook, Choice::Open),
            // The bounds of this game are not final margins.
            false => self.report.outlook = outlook,
        }
        is_news
    }

    /// The progress of the proof, updated with news.
    fn looked_at(&mut self, mut outlook: Outlook<AnyMove>, told: Told) -> Outlook<AnyMove> {
        match told {
            Told::Filled {
                seeds,
                positions,
                of,
            } => {
                self.filled += positions;
                let percent = (100 * self.filled / of.max(1)).min(100) as u8;
                outlook.table = (self.filled < of).then_some(TableUnderWay { seeds, percent });
                // The proof begins when the table is complete.
                outlook.work.done = 0;
                outlook.work.idle = self.report.elapsed;
            }
            Told::Working(nodes) => outlook.work.done = nodes,
            Told::Narrower { of, bounds, nodes } => {
                outlook.work.done = nodes;
                let known = outlook.moves.iter_mut();
                match known.into_iter().find(|(mv, _)| Some(*mv) == of) {
                    Some((_, known)) => *known = known.and(bounds),
                    // An exact value is left to the final answer: only that knows which move achieves it.
                    None if of.is_none() && bounds.exact().is_none() => {
                        outlook.value = outlook.value.and(bounds);
                    }
                    None => {}
                }
            }
        }
        outlook
    }

    /// The report at the end, without the progress of a table.
    fn without_table(mut self) -> AnyReport {
        if let Some(outlook) = &mut self.report.outlook {
            outlook.table = None;
        }
        self.report
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
