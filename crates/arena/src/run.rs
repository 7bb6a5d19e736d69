//! A match from beginning to end: plan, resume, play on all cores, count, stop.

use crate::audition::{audition, settle};
use crate::error::MatchProblem;
use crate::openings::Openings;
use crate::results::{Brief, Counter, Repetition};
use crate::spec::{MatchSpec, Rules};
use crate::stats::{Decision, Sprt, Tally};
use crate::store::Store;
use crate::worker::Table;
use crate::{ArenaError, Hands};
use kalahari_agents::{AgentSpec, NamedAgent, Player as Agent, tables_before_play};
use kalahari_games::{AnyGame, GameSpec};
use kalahari_record::GameRecord;
use kalahari_terms::Stop;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How a match is run; none of this changes how its games go.
#[derive(Debug)]
pub struct Run<'a> {
    /// How many games are wanted.
    pub games: u32,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The sequential test that may stop the match early.
    pub sprt: Option<Sprt>,
    /// The store for finished games.
    pub store: Option<&'a mut Store>,
    /// Whether to continue a match of the store even if another program or other files have played it.
    pub mix: bool,
    /// The folder in which verdicts on balanced openings are cached.
    pub cache: Option<PathBuf>,
    /// The request to stop.
    pub stop: &'a Stop,
}

/// The default openings of a match: the start, if chance makes the games differ anyway.
pub fn default_openings(agents: &[AgentSpec]) -> Openings {
    match agents.iter().any(AgentSpec::is_random) {
        true => Openings::Start,
        false => Openings::Balanced(BALANCED_MOVES),
    }
}

/// The default length of balanced openings.
const BALANCED_MOVES: u32 = 6;

/// The state of a match after a game.
#[derive(Debug)]
pub struct Progress<'a> {
    /// The game that has just been finished.
    pub game: &'a GameRecord,
    /// Games finished, including those of earlier runs.
    pub finished: u32,
    /// Games wanted.
    pub games: u32,
    /// Games finished by this run.
    pub played: u32,
    /// The count so far, in the order in which games finished.
    pub counter: &'a Counter,
    /// The time since this run began playing.
    pub elapsed: Duration,
}

impl Progress<'_> {
    /// How long the rest will take at this pace; `None` before the first game.
    pub fn time_left(&self) -> Option<Duration> {
        (self.played > 0).then(|| {
            let left = f64::from(self.games - self.finished.min(self.games));
            self.elapsed.mul_f64(left / f64::from(self.played))
        })
    }
}

/// News of a match in progress.
#[derive(Debug)]
pub enum MatchNews<'a> {
    /// The match is looking for balanced openings.
    Openings {
        /// How many are found.
        found: usize,
        /// How many are wanted.
        wanted: usize,
    },
    /// A game is finished.
    Game(Progress<'a>),
}

impl MatchNews<'_> {
    /// The state of the match, if the news is a finished game.
    pub fn game(&self) -> Option<&Progress<'_>> {
        match self {
            MatchNews::Openings { .. } => None,
            MatchNews::Game(progress) => Some(progress),
        }
    }
}

/// A callback that gets the news of a match in progress.
pub type MatchListener<'a> = &'a mut dyn FnMut(&MatchNews<'_>);

/// Why a match stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// All games were played.
    Finished,
    /// The sequential test has decided.
    Decided(Decision),
    /// It was asked to stop.
    Interrupted,
}

/// A match that has been played, or a part of it.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The match as it was played: openings may have been replaced.
    pub spec: MatchSpec,
    /// Its id.
    pub id: String,
    /// Why it stopped.
    pub stopped: Stopped,
    /// The count: all games in the order of their numbers, up to a decision of the sequential test.
    pub counter: Counter,
    /// Games that an earlier run had finished.
    pub resumed: u32,
    /// Games that this run finished.
    pub played: u32,
    /// How long this run played.
    pub elapsed: Duration,
    /// The share of the workers' time, while there were games to play, that no agent used; 0 if nothing was
    /// played.
    pub overhead: f64,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl MatchResult {
    /// Wins, draws, losses and pairs from the first agent's point of view.
    pub fn tally(&self) -> &Tally {
        self.counter.tally()
    }
}

/// What is settled before the first game.
struct Plan {
    spec: MatchSpec,
    table: Table,
    games: u32,
    repetition: Repetition,
    notes: Vec<String>,
}

/// Makes the openings, or others where the requested ones would only repeat games.
fn plan(
    mut spec: MatchSpec,
    run: &Run<'_>,
    listener: MatchListener<'_>,
) -> Result<Plan, ArenaError> {
    if run.games == 0 {
        return Err(MatchProblem::NoGames.into());
    }
    let mut notes = Vec::new();
    let repetition = repetition_of(&spec)?;
    let repeatable = repetition == Repetition::Certain;
    let pairs = run.games.div_ceil(2) as usize;
    if repeatable && pairs > 1 && spec.openings == Openings::Start {
        notes.push(format!(
            "both agents are deterministic, so one pair from the start is enough; distinct openings (balanced:{BALANCED_MOVES}) are played instead"
        ));
        spec.openings = Openings::Balanced(BALANCED_MOVES);
    }
    let table = Table::new(
        spec.game,
        &mut spec.openings,
        pairs,
        (spec.rng_seed, spec.rules),
        &run.hands(run.stop),
        &mut notes,
        &mut |found| {
            let wanted = pairs;
            listener(&MatchNews::Openings { found, wanted });
        },
    )?;
    let mut games = run.games;
    let count = table.lines.len();
    if count < pairs && (spec.openings != Openings::Start || repeatable) {
        if repeatable {
            games = games.min(2 * count as u32);
            notes.push(format!(
                "there are only {count} distinct openings and both agents are deterministic, so {games} games are enough"
            ));
        } else {
            let and_then = match repetition {
                Repetition::Chance => "",
                _ => "; games that only repeat earlier ones are not counted",
            };
            notes.push(format!(
                "there are only {count} distinct openings, so they are played more than once{and_then}"
            ));
        }
    }
    Ok(Plan {
        spec,
        table,
        games,
        repetition,
        notes,
    })
}

/// Whether the agents of a match repeat their games.
fn repetition_of(spec: &MatchSpec) -> Result<Repetition, ArenaError> {
    let game = AnyGame::new(spec.game);
    let remaining = spec.rules.clock.map(|clock| clock.base);
    let mut repetition = Repetition::Certain;
    for agent in &spec.agents {
        // It is not known whether an external program is deterministic. It is not started here, only by the threads that play.
        let is_foreign = agent.spec.kind().is_foreign();
        if is_foreign && repetition == Repetition::Certain {
            repetition = Repetition::Possible;
        }
        if agent.spec.kind().is_program() {
            continue;
        }
        let agent = Agent::new(&agent.spec, &game, 0)?;
        if !is_foreign && !agent.is_deterministic(spec.rules.asked_of(&agent, remaining)) {
            repetition = Repetition::Chance;
        }
    }
    Ok(repetition)
}

/// How many of the requested games [`run_match`] would play, and notes for the user. The agents must have been auditioned already;
/// openings are made only if their number matters.
pub fn games_that_count(
    spec: MatchSpec,
    games: u32,
    hands: &Hands<'_>,
) -> Result<(u32, Vec<String>), ArenaError> {
    if repetition_of(&spec)? != Repetition::Certain {
        return Ok((games, Vec::new()));
    }
    let run = Run::of_hands(games, hands);
    let Plan { games, notes, .. } = plan(spec, &run, &mut |_| {})?;
    Ok((games, notes))
}

/// A match as it will be played, on whatever machine.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The match: openings may have been replaced.
    pub spec: MatchSpec,
    /// How many games are to be played.
    pub games: u32,
    /// Whether a game that equals an earlier one is counted.
    pub repetition: Repetition,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// What [`run_match`] would play if it were asked for this many games. As there, external programs are asked for a move first.
pub fn plan_match(
    mut spec: MatchSpec,
    games: u32,
    hands: &Hands<'_>,
) -> Result<Planned, ArenaError> {
    settle_all(&mut spec.agents, spec.game, &spec.rules, hands)?;
    plan_settled(spec, games, hands)
}

/// Asks every external program among the agents for a move, and settles the names of all agents. A program that gives no move is
/// an error.
pub(crate) fn settle_all(
    agents: &mut [NamedAgent],
    game: GameSpec,
    rules: &Rules,
    hands: &Hands<'_>,
) -> Result<(), ArenaError> {
    let heard = audition(agents, game, rules, hands)?;
    let own: Result<Vec<_>, _> = heard.into_iter().collect();
    Ok(settle(agents, &own?)?)
}

/// The plan of a match whose agents have been auditioned and have their names.
pub(crate) fn plan_settled(
    spec: MatchSpec,
    games: u32,
    hands: &Hands<'_>,
) -> Result<Planned, ArenaError> {
    tables_before_play(&spec.specs(), spec.game, hands.stop);
    let run = Run::of_hands(games, hands);
    let game = AnyGame::new(spec.game);
    for agent in spec.specs().iter().filter(|spec| spec.kind().is_program()) {
        // Checks that the program exists.
        Agent::new(agent, &game, 0)?;
    }
    let Plan {
        spec,
        games,
        repetition,
        notes,
        ..
    } = plan(spec, &run, &mut |_| {})?;
    Ok(Planned {
        spec,
        games,
        repetition,
        notes,
    })
}

impl<'a> Run<'a> {
    /// A run of this many games without a store.
    fn of_hands(games: u32, hands: &Hands<'a>) -> Self {
        Run {
            games,
            concurrency: hands.threads,
            sprt: None,
            store: None,
            mix: false,
            cache: hands.cache.clone(),
            stop: hands.stop,
        }
    }

    /// The means of playing games until this request to stop.
    fn hands<'s>(&self, stop: &'s Stop) -> Hands<'s> {
        Hands {
            threads: self.concurrency,
            cache: self.cache.clone(),
            stop,
        }
    }
}

/// The finished games of a match and their counts.
struct Book {
    finished: BTreeMap<u32, Brief>,
    repetition: Repetition,
    sprt: Option<Sprt>,
    /// The count in the order in which games finish.
    live: Counter,
    /// The count of all games with numbers below `next`. The sequential test uses it, pair by pair, so that its
    /// decision does not depend on which games finish first.
    ordered: Counter,
    next: u32,
    decision: Option<Decision>,
}

impl Book {
    fn add(&mut self, record: &GameRecord) {
        let Some(brief) = Brief::new(record, self.repetition) else {
            return;
        };
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

    /// The count to report: up to the decision, or of all games if there is none.
    fn close(mut self) -> Counter {
        if self.decision.is_none() {
            for (_, brief) in self.finished.range(self.next..) {
                self.ordered.add(brief);
            }
        }
        self.ordered
    }
}

/// Plays a match. `listener` gets news of the search for openings and of every finished game. An external program is asked for a
/// move first, and it is an error if it gives none.
pub fn run_match(
    mut spec: MatchSpec,
    run: Run<'_>,
    listener: MatchListener<'_>,
) -> Result<MatchResult, ArenaError> {
    settle_all(
        &mut spec.agents,
        spec.game,
        &spec.rules,
        &run.hands(run.stop),
    )?;
    play_match(spec, run, listener)
}

/// Plays a match of agents that have been auditioned and have their names.
pub(crate) fn play_match(
    spec: MatchSpec,
    mut run: Run<'_>,
    listener: MatchListener<'_>,
) -> Result<MatchResult, ArenaError> {
    tables_before_play(&spec.specs(), spec.game, run.stop);
    let Plan {
        spec,
        table,
        games,
        repetition,
        mut notes,
    } = plan(spec, &run, listener)?;
    let identity = spec.identity()?;
    let mut id = spec.id(&identity);
    let mut book = Book {
        finished: BTreeMap::new(),
        repetition,
        sprt: run.sprt,
        live: Counter::default(),
        ordered: Counter::default(),
        next: 0,
        decision: None,
    };
    if let Some(store) = run.store.as_deref_mut() {
        let kept = store.resume(&spec, &identity, run.mix)?;
        id = kept.id;
        notes.extend(kept.note);
        for record in kept.games.iter().filter(|record| record.number < games) {
            book.add(record);
        }
    }
    let resumed = book.finished.len() as u32;
    let todo: Vec<u32> = (0..games)
        .filter(|number| !book.finished.contains_key(number))
        .collect();
    let stop = run.stop.child();
    if book.decision.is_some() {
        stop.request();
    }
    let hands = run.hands(&stop);
    let begin = Instant::now();
    let mut played = 0;
    let spent = table.play(&spec.agents, &id, &todo, &hands, &mut |record| {
        if let Some(store) = run.store.as_deref_mut() {
            store.add(&record)?;
        }
        played += 1;
        book.add(&record);
        if book.decision.is_some() {
            stop.request();
        }
        listener(&MatchNews::Game(Progress {
            game: &record,
            finished: book.finished.len() as u32,
            games,
            played,
            counter: &book.live,
            elapsed: begin.elapsed(),
        }));
        Ok(())
    })?;
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
            _ => (1.0 - spent.used / spent.busy).clamp(0.0, 1.0),
        },
        notes,
    })
}
