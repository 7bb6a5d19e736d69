//! The agent `perfect`: proven moves, or an honest guess.

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

/// Plays proven best moves. What it cannot prove within its limits it leaves to the engine, and the report says that it is
/// not proven.
///
/// Under a clock a game of Kalah is the engine's from the first node on, and its proofs begin early. Where
/// nothing is limited, it proves until it is stopped.
pub(crate) struct Perfect {
    game: AnyGame,
    prover: Prover,
    /// Who hears of the prover's news.
    listener: Arc<Mutex<Option<Sender<Told>>>>,
    engine: Box<dyn Agent<AnyGame>>,
    /// Whether the engine has a solver of its own to prove with.
    engine_proves: bool,
}

/// News of a proof.
enum Told {
    /// So many positions more of the tablebase are filled, and how many had to be.
    Filled {
        seeds: usize,
        positions: u64,
        of: u64,
    },
    /// The nodes that the proof has taken by now.
    Working(u64),
    /// What is proven of the value, or of a move, by now, and the nodes that it took.
    Narrower {
        of: Option<AnyMove>,
        bounds: Bounds,
        nodes: u64,
    },
}

/// Ends the news, whatever ends the proof.
struct LastWord<'a>(&'a Mutex<Option<Sender<Told>>>);

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
                // Who does not listen any more has an answer.
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

    /// Proves without limits. `tell` hears how far it is.
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

/// What there is to see of a proof without limits: what the engine found at first, and what is proven since.
struct Sight {
    report: AnyReport,
    begin: Duration,
    /// The nodes of the engine.
    earlier: u64,
    /// Whether the engine has said how far a proof is.
    engine_proves: bool,
    /// The positions of the tablebase that are filled.
    filled: u64,
    /// When something was told last.
    told: Duration,
}

/// How often whoever listens hears of a table that is built.
const TABLE_NEWS: Duration = Duration::from_millis(500);

impl Sight {
    fn of(looked: AnyReport, begin: Duration) -> Self {
        Sight {
            begin,
            earlier: looked.nodes,
            engine_proves: looked.outlook.is_some(),
            filled: 0,
            // The first news are told at once.
            told: Duration::ZERO,
            report: looked,
        }
    }

    /// All nodes, with those of the proof. They never become fewer.
    fn nodes_with(&self, proof: u64) -> u64 {
        self.report.nodes.max(self.earlier + proof)
    }

    /// Adds what is told, and says whether that is news for people.
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
            // The engine does not prove this game, so this is the first that is known.
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
            // Its bounds are no final margins.
            false => self.report.outlook = outlook,
        }
        is_news
    }

    /// How far the proof is after something was told.
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
                // The proof begins when the table is there.
                outlook.work.done = 0;
                outlook.work.idle = self.report.elapsed;
            }
            Told::Working(nodes) => outlook.work.done = nodes,
            Told::Narrower { of, bounds, nodes } => {
                outlook.work.done = nodes;
                let known = outlook.moves.iter_mut();
                match known.into_iter().find(|(mv, _)| Some(*mv) == of) {
                    Some((_, known)) => *known = known.and(bounds),
                    // Who keeps a value is not known before the answer, which has it.
                    None if of.is_none() && bounds.exact().is_none() => {
                        outlook.value = outlook.value.and(bounds);
                    }
                    None => {}
                }
            }
        }
        outlook
    }

    /// The report at the end, when no table is built any more.
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
