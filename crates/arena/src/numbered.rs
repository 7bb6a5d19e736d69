//! Numbered games: the one place where they are played, on all cores.
//!
//! The games of a match are a function of its spec and their numbers: openings and random choices come from the match's seed
//! and the number, so a game is the same in whatever order and on whatever machine it is played. Only clocks, and
//! files that differ between machines (see [`Identity`](crate::Identity)), make a difference.

use crate::ArenaError;
use crate::spec::MatchSpec;
use crate::worker::{Table, Worker};
use kalahari_agents::{NamedAgent, Player, tables_before_play};
use kalahari_record::GameRecord;
use kalahari_terms::Stop;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

/// The means of playing games: threads, cache and the request to stop. None of this changes how games go.
#[derive(Clone, Debug)]
pub struct Hands<'a> {
    /// How many threads play games and look for openings.
    pub threads: usize,
    /// The folder in which verdicts on balanced openings are cached.
    pub cache: Option<PathBuf>,
    /// The request to stop.
    pub stop: &'a Stop,
}

/// Receives finished games, in the order in which they finish. An error from it ends the work.
pub type Sink<'a> = &'a mut dyn FnMut(GameRecord) -> Result<(), ArenaError>;

/// Plays games of a match, by their numbers from 0; two make a pair. The records carry the match's id. After a request to
/// stop, only games that were already finished are delivered.
pub fn play_games(
    spec: &MatchSpec,
    numbers: Range<u32>,
    hands: &Hands<'_>,
    sink: Sink<'_>,
) -> Result<(), ArenaError> {
    let mut spec = spec.clone();
    tables_before_play(&spec.specs(), spec.game, hands.stop);
    let table = Table::new(
        spec.game,
        &mut spec.openings,
        numbers.end.div_ceil(2) as usize,
        (spec.rng_seed, spec.rules),
        hands,
        &mut Vec::new(),
        &mut |_| {},
    )?;
    let id = spec.id(&spec.identity()?);
    let numbers: Vec<u32> = numbers.collect();
    table.play(&spec.agents, &id, &numbers, hands, sink)?;
    Ok(())
}

/// Plays one game of a match with agents that the caller has created, in the order of the match; the spec only names them.
/// `None` if the request to stop came first.
pub fn play_game_with(
    spec: &MatchSpec,
    (match_id, number): (&str, u32),
    agents: [Player; 2],
    stop: &Stop,
) -> Result<Option<GameRecord>, ArenaError> {
    let hands = Hands {
        threads: 1,
        cache: None,
        stop,
    };
    let table = Table::new(
        spec.game,
        &mut spec.openings.clone(),
        number as usize / 2 + 1,
        (spec.rng_seed, spec.rules),
        &hands,
        &mut Vec::new(),
        &mut |_| {},
    )?;
    let mut worker = Worker::with_agents(&table, &spec.agents, agents);
    let played = worker.play_once(match_id, number, stop);
    Ok(played.map(|(record, _)| record))
}

/// Where the workers' time has gone, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    /// The time that agents used.
    pub(crate) used: f64,
    /// All time while there were games to play.
    pub(crate) busy: f64,
}

/// A message from a worker: a finished game.
struct Finished {
    record: GameRecord,
    spent: Spent,
}

impl Table {
    /// Plays the games of these numbers. The list may have gaps: games that an earlier run has played.
    pub(crate) fn play(
        &self,
        agents: &[NamedAgent; 2],
        match_id: &str,
        numbers: &[u32],
        hands: &Hands<'_>,
        sink: Sink<'_>,
    ) -> Result<Spent, ArenaError> {
        let stop = hands.stop.child();
        let next = AtomicUsize::new(0);
        let mut spent = Spent::default();
        let mut result = Ok(());
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..hands.threads.clamp(1, numbers.len().max(1)) {
                let (sender, stop, next) = (sender.clone(), &stop, &next);
                scope.spawn(move || {
                    let numbers = || numbers.get(next.fetch_add(1, Ordering::Relaxed)).copied();
                    if let Err(error) = self.work(agents, match_id, numbers, stop, &sender) {
                        // After an earlier error the message is ignored.
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            for message in receiver {
                if result.is_ok() {
                    result = message.and_then(
                        |Finished {
                             record,
                             spent: more,
                         }| {
                            spent.used += more.used;
                            spent.busy += more.busy;
                            sink(record)
                        },
                    );
                }
                if result.is_err() {
                    stop.request();
                }
            }
        });
        result.map(|()| spent)
    }

    /// The work of a thread: it plays the next game of the list until there is none left.
    fn work(
        &self,
        agents: &[NamedAgent; 2],
        match_id: &str,
        numbers: impl Fn() -> Option<u32>,
        stop: &Stop,
        sender: &mpsc::Sender<Result<Finished, ArenaError>>,
    ) -> Result<(), ArenaError> {
        let mut last = Instant::now();
        let mut worker = None;
        while !stop.is_requested()
            && let Some(number) = numbers()
        {
            let worker = match &mut worker {
                Some(worker) => worker,
                None => worker.insert(Worker::new(self, agents)?),
            };
            let Some((record, used)) = worker.play(match_id, number, stop)? else {
                break;
            };
            let busy = last.elapsed().as_secs_f64();
            last = Instant::now();
            let spent = Spent { used, busy };
            if sender.send(Ok(Finished { record, spent })).is_err() {
                break;
            }
        }
        Ok(())
    }
}
