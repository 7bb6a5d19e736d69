//! A match from beginning to end: plan, resume, play on all cores, count, stop.

use crate::ArenaError;
use crate::openings::{Line, Maker, Openings};
use crate::record::GameRecord;
use crate::results::{Brief, Counter};
use crate::spec::{Adjudicate, MatchSpec};
use crate::stats::{Decision, Sprt, Tally};
use crate::store::Store;
use crate::worker::{Job, Worker};
use kalahari_agents::{AgentSpec, Player as Agent};
use kalahari_games::Totals;
use kalahari_search::{Clock, Limits, SearchVisitor, Searchable, Stop};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How a match is run; none of this changes how its games go.
#[derive(Debug)]
pub struct Run<'a> {
    /// How many games are wanted.
    pub games: u32,
    /// How many are played at once.
    pub concurrency: usize,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Where finished games are kept.
    pub store: Option<&'a mut Store>,
    /// Where balanced openings are kept.
    pub cache: Option<PathBuf>,
    /// The request to stop.
    pub stop: &'a Stop,
}

/// Where a match begins if nobody says: at the start if chance makes the games differ anyway.
pub fn default_openings(agents: &[AgentSpec]) -> Openings {
    let is_random = |agent: &AgentSpec| {
        agent.name() == "random" || (agent.name() == "level" && agent.arguments() == "0")
    };
    match agents.iter().any(is_random) {
        true => Openings::Start,
        false => Openings::Balanced(BALANCED_MOVES),
    }
}

/// The length of balanced openings if nobody says.
const BALANCED_MOVES: u32 = 6;

/// How a match stands.
#[derive(Debug)]
pub struct Progress<'a> {
    /// Games finished, earlier runs included.
    pub finished: u32,
    /// Games wanted.
    pub games: u32,
    /// Games finished by this run.
    pub played: u32,
    /// The count so far, in the order games came in.
    pub counter: &'a Counter,
    /// The time since this run began to play.
    pub elapsed: Duration,
}

impl Progress<'_> {
    /// How long the rest will take at this pace.
    pub fn time_left(&self) -> Option<Duration> {
        (self.played > 0).then(|| {
            let left = f64::from(self.games - self.finished.min(self.games));
            self.elapsed.mul_f64(left / f64::from(self.played))
        })
    }
}

/// Why a match stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// All games were played.
    Finished,
    /// The sequential test has decided.
    Decided(Decision),
    /// Somebody asked for it.
    Interrupted,
}

/// A match that has been played, or a part of it.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The match as it was played: openings may have been replaced.
    pub spec: MatchSpec,
    /// Its name.
    pub id: String,
    /// Why it stopped.
    pub stopped: Stopped,
    /// What was counted: all games in the order of their numbers, up to a decision.
    pub counter: Counter,
    /// Games that an earlier run had finished.
    pub resumed: u32,
    /// Games that this run finished.
    pub played: u32,
    /// The time this run played.
    pub elapsed: Duration,
    /// The share of the workers' time, while there were games to play, that no agent used; 0 if nothing was
    /// played.
    pub overhead: f64,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl MatchResult {
    /// The result of the counts.
    pub fn tally(&self) -> &Tally {
        self.counter.tally()
    }
}

/// Plays a match. `openings` are the wanted ones, or `None` for the default of the agents; `progress` hears of
/// every finished game.
pub fn run_match(
    spec: MatchSpec,
    run: Run<'_>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<MatchResult, ArenaError> {
    struct Visit<'a, 'b>(MatchSpec, Run<'a>, &'b mut dyn FnMut(&Progress<'_>));
    impl SearchVisitor for Visit<'_, '_> {
        type Output = Result<MatchResult, ArenaError>;

        fn visit<G: Searchable>(self, game: G) -> Self::Output {
            let Visit(spec, run, progress) = self;
            play(game, spec, run, progress)
        }
    }
    let game = spec.game;
    kalahari_search::visit(game, Totals::Exact, Visit(spec, run, progress))
}

/// What is settled before the first game.
struct Plan<G: Searchable> {
    spec: MatchSpec,
    lines: Vec<Line<G>>,
    games: u32,
    /// Both agents always answer alike.
    repeatable: bool,
    notes: Vec<String>,
}

/// Makes the openings, and other ones where the wanted ones would only repeat games.
fn plan<G: Searchable>(
    game: &G,
    mut spec: MatchSpec,
    run: &Run<'_>,
) -> Result<Plan<G>, ArenaError> {
    if run.games == 0 {
        return Err(ArenaError::Match(
            "a match has at least one game".to_owned(),
        ));
    }
    if spec.rules.adjudicate == Adjudicate::Majority && !game.has_margins() {
        let problem = format!("{} has no points, so no majority", spec.game);
        return Err(ArenaError::Match(problem));
    }
    let mut notes = Vec::new();
    let asked = Limits {
        clock: spec.rules.clock.map(|control| Clock {
            remaining: control.base,
            increment: control.increment,
        }),
        ..spec.rules.limits
    };
    let mut repeatable = true;
    for agent in &spec.agents {
        repeatable &= Agent::new(agent, game, 0)?.is_deterministic(asked);
    }
    let maker = Maker {
        game,
        seed: spec.seed,
        threads: run.concurrency,
        cache: run.cache.clone(),
        stop: run.stop,
    };
    let pairs = run.games.div_ceil(2) as usize;
    if repeatable && pairs > 1 && spec.openings == Openings::Start {
        notes.push(format!(
            "both agents always answer alike, so one pair from the start says all; distinct openings (balanced:{BALANCED_MOVES}) are played instead"
        ));
        spec.openings = Openings::Balanced(BALANCED_MOVES);
    }
    let lines = openings_or_others(&maker, &mut spec.openings, pairs, &mut notes)?;
    let mut games = run.games;
    if lines.len() < pairs && spec.openings != Openings::Start || lines.len() < pairs && repeatable
    {
        let count = lines.len();
        if repeatable {
            games = games.min(2 * count as u32);
            notes.push(format!(
                "there are only {count} distinct openings and both agents always answer alike, so {games} games say all"
            ));
        } else {
            notes.push(format!(
                "there are only {count} distinct openings; they are played more than once"
            ));
        }
    }
    Ok(Plan {
        spec,
        lines,
        games,
        repeatable,
        notes,
    })
}

/// Makes the wanted openings, or others, and says so, where the game has none of these.
pub(crate) fn openings_or_others<G: Searchable>(
    maker: &Maker<'_, G>,
    openings: &mut Openings,
    count: usize,
    notes: &mut Vec<String>,
) -> Result<Vec<Line<G>>, ArenaError> {
    let lines = maker.make(openings, count)?;
    if !lines.is_empty() {
        return Ok(lines);
    }
    let length = match openings {
        Openings::Balanced(length) => *length,
        _ => 2,
    };
    for other in [
        Openings::Random(length),
        Openings::Random(2),
        Openings::Start,
    ] {
        let lines = maker.make(&other, count)?;
        if !lines.is_empty() {
            notes.push(format!(
                "{} has no openings {openings}; {other} is played instead",
                maker.game.spec()
            ));
            *openings = other;
            return Ok(lines);
        }
    }
    Ok(lines)
}

/// The finished games of a match and their counts.
struct Book {
    finished: BTreeMap<u32, Brief>,
    repeatable: bool,
    sprt: Option<Sprt>,
    /// The count in the order games come in.
    live: Counter,
    /// The count of all games below `next`, which is what a test looks at, pair by pair, so that its
    /// decision does not depend on who is faster.
    ordered: Counter,
    next: u32,
    decision: Option<Decision>,
}

impl Book {
    fn add(&mut self, record: &GameRecord) {
        let brief = Brief::new(record, self.repeatable);
        self.live.add(&brief);
        self.finished.insert(record.number, brief);
        while self.decision.is_none()
            && let Some(brief) = self.finished.get(&self.next)
        {
            self.ordered.add(brief);
            self.next += 1;
            if let Some(sprt) = self.sprt.filter(|_| self.next.is_multiple_of(2)) {
                self.decision = sprt.decision(sprt.llr(self.ordered.tally()));
            }
        }
    }

    /// The count to report: up to the decision, or of everything.
    fn close(mut self) -> Counter {
        if self.decision.is_none() {
            for (_, brief) in self.finished.range(self.next..) {
                self.ordered.add(brief);
            }
        }
        self.ordered
    }
}

fn play<G: Searchable>(
    game: G,
    spec: MatchSpec,
    mut run: Run<'_>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<MatchResult, ArenaError> {
    let Plan {
        spec,
        lines,
        games,
        repeatable,
        mut notes,
    } = plan(&game, spec, &run)?;
    let id = spec.id();
    let mut book = Book {
        finished: BTreeMap::new(),
        repeatable,
        sprt: run.sprt,
        live: Counter::default(),
        ordered: Counter::default(),
        next: 0,
        decision: None,
    };
    if let Some(store) = run.store.as_deref_mut() {
        for record in store.resume(&spec, games)? {
            book.add(&record);
        }
    }
    let resumed = book.finished.len() as u32;
    let todo: Vec<u32> = (0..games)
        .filter(|number| !book.finished.contains_key(number))
        .collect();

    let threads = run.concurrency.max(1).min(todo.len().max(1));
    let stop = Stop::new();
    let job = Job {
        spec: &spec,
        id: &id,
        game: &game,
        lines: &lines,
        stop: &stop,
    };
    let next = AtomicUsize::new(0);
    let begin = Instant::now();
    let (mut played, mut used, mut busy) = (0, 0.0, 0.0);
    let mut trouble = None;
    if book.decision.is_some() {
        stop.request();
    }
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, job, next, todo) = (sender.clone(), &job, &next, &todo);
            scope.spawn(move || work(job, todo, next, &sender));
        }
        drop(sender);
        loop {
            if run.stop.is_requested() {
                stop.request();
            }
            let finished: Finished = match receiver.recv_timeout(Duration::from_millis(20)) {
                Ok(Ok(finished)) => finished,
                Ok(Err(error)) => {
                    trouble.get_or_insert(error);
                    stop.request();
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let record = finished.record;
            used += finished.used;
            busy += finished.busy;
            if let Some(store) = run.store.as_deref_mut() {
                let line = &lines[record.pair() as usize % lines.len()];
                if let Err(error) = store.add(&record, &game.position_text(&line.position)) {
                    trouble.get_or_insert(error);
                    stop.request();
                    continue;
                }
            }
            played += 1;
            book.add(&record);
            if book.decision.is_some() {
                stop.request();
            }
            progress(&Progress {
                finished: book.finished.len() as u32,
                games,
                played,
                counter: &book.live,
                elapsed: begin.elapsed(),
            });
        }
    });
    if let Some(error) = trouble {
        return Err(error);
    }
    let elapsed = begin.elapsed();
    let stopped = match book.decision {
        Some(decision) => Stopped::Decided(decision),
        None if book.finished.len() as u32 == games => Stopped::Finished,
        None => Stopped::Interrupted,
    };
    let counter = book.close();
    if counter.repeats() > 0 {
        notes.push(format!(
            "{} games repeated an earlier one move for move and were not counted again",
            counter.repeats()
        ));
    }
    Ok(MatchResult {
        spec,
        id,
        stopped,
        counter,
        resumed,
        played,
        elapsed,
        overhead: match played {
            0 => 0.0,
            _ => (1.0 - used / busy).clamp(0.0, 1.0),
        },
        notes,
    })
}

/// What a worker sends.
struct Finished {
    record: GameRecord,
    /// The seconds its agents used.
    used: f64,
    /// The seconds since the worker sent the last one.
    busy: f64,
}

/// What a worker thread does: the next game of the list, until there is none.
fn work<G: Searchable>(
    job: &Job<'_, G>,
    todo: &[u32],
    next: &AtomicUsize,
    sender: &mpsc::Sender<Result<Finished, ArenaError>>,
) {
    let mut last = Instant::now();
    let mut worker = None;
    while !job.stop.is_requested() {
        let Some(&number) = todo.get(next.fetch_add(1, Ordering::Relaxed)) else {
            return;
        };
        let game = match &mut worker {
            Some(worker) => Worker::play(worker, number),
            None => match Worker::new(job) {
                Ok(new) => worker.insert(new).play(number),
                Err(error) => Err(error),
            },
        };
        let message = match game {
            Ok(None) => return,
            Err(error) => Err(error),
            Ok(Some((record, used))) => Ok(Finished {
                record,
                used,
                busy: last.elapsed().as_secs_f64(),
            }),
        };
        last = Instant::now();
        let failed = message.is_err();
        if sender.send(message).is_err() || failed {
            return;
        }
    }
}
