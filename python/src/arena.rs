//! Matches, tournaments and the store.

use crate::agent::named_of;
use crate::errors::Raise;
use crate::games::PyGame;
use crate::guest::PyGuest;
use crate::interrupt::{Called, interruptible, interruptible_or_left};
use crate::limits::PyLimits;
use kalahari_agents::AgentSpec;
use kalahari_arena::pictures::write_pictures;
use kalahari_arena::stats::{EloModel, Sprt};
use kalahari_arena::{
    ArenaError, Forfeits, GameRecord, MatchNews, MatchResult, MatchSpec, Openings, ReportStyle,
    Rules, Run, Schedule, Stopped, Store, Summary, TimeControl, Tournament, TournamentRun,
    TournamentSpec, default_openings, report,
};
use kalahari_games::{Game, GameSpec};
use kalahari_storage::cache_home;
use kalahari_terms::{Limits, Stop};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// What matches and tournaments have in common.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    game: Py<PyGame>,
    pub(crate) games: u32,
    limits: Py<PyLimits>,
    clock: Option<String>,
    grace: f64,
    adjudicate: String,
    openings: Option<Py<PyAny>>,
    seed: u64,
    pub(crate) concurrency: usize,
    db: Option<PathBuf>,
    mix: bool,
    progress: Option<Py<PyAny>>,
}

impl Settings {
    fn rules(&self) -> PyResult<Rules> {
        let limits = self.limits.get().0;
        let clock: Option<TimeControl> = self.clock.as_deref().map(parsed).transpose()?;
        Ok(Rules {
            limits: Limits {
                clock: None,
                ..limits
            },
            clock,
            grace: Duration::try_from_secs_f64(self.grace)
                .map_err(|_| PyValueError::new_err("grace must be a time in seconds"))?,
            adjudicate: parsed(&self.adjudicate)?,
        })
    }

    fn game(&self) -> GameSpec {
        self.game.get().game.spec()
    }

    /// The openings: a word, a file, or lines, each a position or a list of moves.
    fn openings(&self, py: Python<'_>) -> PyResult<Option<Openings>> {
        let Some(openings) = &self.openings else {
            return Ok(None);
        };
        let openings = openings.bind(py);
        if let Ok(text) = openings.extract::<String>() {
            return Openings::parse(&text).map(Some).map_err(Raise::raise);
        }
        let lines = openings.extract::<Vec<String>>()?;
        let name = "lines".to_owned();
        Ok(Some(Openings::Lines { name, lines }))
    }
}

fn parsed<T: FromStr<Err: Raise>>(text: &str) -> PyResult<T> {
    text.parse().map_err(|error: T::Err| error.raise())
}

/// One game of a match.
#[derive(IntoPyObject)]
struct GameOut {
    r#match: String,
    number: u32,
    game: String,
    first: String,
    second: String,
    result: &'static str,
    margin: Option<i32>,
    score_a: Option<f64>,
    margin_a: Option<i32>,
    ending: &'static str,
    detail: String,
    book: usize,
    plies: usize,
    seconds: f64,
    start: Option<String>,
    moves: String,
    /// Microseconds for each move; `None` in the opening.
    times: Vec<Option<u64>>,
}

impl GameOut {
    fn of(record: &GameRecord) -> Self {
        let seat = record.seat_of_a();
        let [first, second] = record.players.each_ref().map(ToString::to_string);
        GameOut {
            r#match: record.match_id.clone(),
            number: record.number,
            game: record.game.to_string(),
            first,
            second,
            result: record.result_text(),
            margin: record.margin,
            score_a: record
                .verdict(seat)
                .map(|verdict| f64::from(1 + verdict.sign()) / 2.0),
            margin_a: record.margin.map(|margin| margin * seat.sign()),
            ending: record.ending.name(),
            detail: record.detail.clone(),
            book: record.book,
            plies: record.moves.len(),
            seconds: record.seconds(),
            start: record.start.as_ref().map(ToString::to_string),
            moves: record.moves_text(),
            times: record.moves.iter().map(|mv| mv.micros).collect(),
        }
    }
}

/// Statistics of the results, from the first agent's side.
#[derive(IntoPyObject)]
struct SummaryOut {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    los: f64,
    pentanomial: (u64, u64, u64, u64, u64),
}

impl SummaryOut {
    fn of(summary: &Summary) -> Self {
        let [lost, less, even, more, won] = summary.pentanomial;
        SummaryOut {
            games: summary.games,
            wins: summary.wins,
            draws: summary.draws,
            losses: summary.losses,
            score: summary.score,
            elo: summary.elo,
            elo_error: summary.elo_error,
            los: summary.los,
            pentanomial: (lost, less, even, more, won),
        }
    }
}

/// How many games an agent has forfeited.
#[derive(IntoPyObject)]
struct ForfeitsOut {
    time: u64,
    illegal: u64,
    crash: u64,
}

impl ForfeitsOut {
    fn of(forfeits: &Forfeits) -> Self {
        ForfeitsOut {
            time: forfeits.time,
            illegal: forfeits.illegal,
            crash: forfeits.crash,
        }
    }
}

/// A match that has been played.
#[derive(IntoPyObject)]
struct MatchOut {
    summary: SummaryOut,
    llr: Option<f64>,
    llr_bounds: Option<(f64, f64)>,
    decision: Option<String>,
    agents: (String, String),
    id: String,
    game: String,
    openings: String,
    limits: String,
    seed: u64,
    stopped: &'static str,
    margin: Option<f64>,
    forfeits: (ForfeitsOut, ForfeitsOut),
    repeats: u64,
    resumed: u32,
    played: u32,
    seconds: f64,
    overhead: f64,
    notes: Vec<String>,
    report: String,
    records: Vec<GameOut>,
}

/// The guests among agents: they stop the work when one of them raises, and say so afterwards.
struct Guests(Vec<Py<PyGuest>>);

impl Called for Guests {
    fn look(&self, py: Python<'_>) -> PyResult<()> {
        self.0.iter().try_for_each(|guest| guest.get().look(py))
    }

    fn interrupt(&self, py: Python<'_>) {
        self.0.iter().for_each(|guest| guest.get().interrupt(py));
    }
}

impl Guests {
    fn of(agents: &[Bound<'_, PyAny>], stop: &Stop) -> Self {
        let guests = agents
            .iter()
            .filter_map(|agent| agent.cast::<PyGuest>().ok());
        let guests: Vec<Py<PyGuest>> = guests.map(|guest| guest.clone().unbind()).collect();
        for guest in &guests {
            guest.get().stops(stop);
        }
        Guests(guests)
    }

    fn check(&self) -> PyResult<()> {
        let mut raised = self.0.iter().filter_map(|guest| guest.get().exception());
        raised.next().map_or(Ok(()), Err)
    }
}

/// Gets every finished game: it keeps the record and calls a Python function, whose exception stops everything.
struct Listener {
    function: Option<Py<PyAny>>,
    stop: Stop,
    records: Vec<GameRecord>,
    raised: Option<PyErr>,
}

impl Listener {
    fn hear(&mut self, news: &MatchNews<'_>) {
        let MatchNews::Game(progress) = news else {
            return;
        };
        self.records.push(progress.game.clone());
        let Some(function) = self.function.as_ref().filter(|_| self.raised.is_none()) else {
            return;
        };
        let heard = Python::attach(|py| {
            let tally = progress.counter.tally();
            let counts = (tally.wins, tally.draws, tally.losses);
            function.call1(py, (progress.finished, progress.games, counts))
        });
        if let Err(error) = heard {
            self.raised = Some(error);
            self.stop.request();
        }
    }
}

/// Plays games with the interpreter free. Returns what `play` returns, and all records in the order of their numbers. If there is
/// a store, they are those of the matches that `play` names, including games of earlier runs.
fn played<T: Send + 'static>(
    py: Python<'_>,
    agents: &[Bound<'_, PyAny>],
    settings: &Settings,
    play: impl FnOnce(Option<&mut Store>, &Stop, &mut Listener) -> Result<(T, Vec<String>), ArenaError>
    + Send
    + 'static,
) -> PyResult<(T, Vec<GameRecord>)> {
    let stop = Stop::new();
    let guests = Guests::of(agents, &stop);
    let mut listener = Listener {
        function: settings.progress.as_ref().map(|tell| tell.clone_ref(py)),
        stop: stop.clone(),
        records: Vec::new(),
        raised: None,
    };
    let (db, own_stop) = (settings.db.clone(), stop.clone());
    let work = move || -> (Result<T, ArenaError>, Listener) {
        let all = || {
            let store = db.as_deref().map(Store::open_for_matches);
            let mut store = store.transpose()?;
            let (result, matches) = play(store.as_mut(), &own_stop, &mut listener)?;
            if let Some(store) = &store {
                let games = matches.iter().map(|id| store.games(id));
                listener.records = games.collect::<Result<Vec<_>, _>>()?.concat();
            }
            let order = |one: &GameRecord| (one.match_id.clone(), one.number);
            listener.records.sort_by_cached_key(order);
            Ok(result)
        };
        (all(), listener)
    };
    // Ctrl-C takes precedence over any other result.
    let (done, listener) = match guests.0.is_empty() {
        true => interruptible(py, &stop, work)?,
        false => interruptible_or_left(py, &stop, &guests, work)?,
    };
    guests.check()?;
    match listener.raised {
        Some(error) => Err(error),
        None => Ok((done.map_err(Raise::raise)?, listener.records)),
    }
}

/// A sequential test, if one is asked for.
pub(crate) fn test(sprt: Option<(f64, f64, f64, f64)>, model: &str) -> PyResult<Option<Sprt>> {
    let model: EloModel = parsed(model)?;
    sprt.map(|(elo0, elo1, alpha, beta)| Sprt::new(elo0, elo1, alpha, beta, model))
        .transpose()
        .map_err(Raise::raise)
}

/// The match that is asked for.
pub(crate) fn match_spec(
    py: Python<'_>,
    agents: &[Bound<'_, PyAny>; 2],
    settings: &Settings,
) -> PyResult<MatchSpec> {
    let named = [named_of(&agents[0])?, named_of(&agents[1])?];
    let specs: [AgentSpec; 2] = named.each_ref().map(|agent| agent.spec.clone());
    let openings = settings.openings(py)?;
    Ok(MatchSpec {
        openings: openings.unwrap_or_else(|| default_openings(&specs)),
        agents: named,
        game: settings.game(),
        rng_seed: settings.seed,
        rules: settings.rules()?,
    })
}

/// The tournament that is asked for.
pub(crate) fn tournament_spec(
    py: Python<'_>,
    agents: &[Bound<'_, PyAny>],
    settings: &Settings,
    schedule: &str,
    rounds: u32,
) -> PyResult<TournamentSpec> {
    Ok(TournamentSpec {
        agents: agents.iter().map(named_of).collect::<PyResult<_>>()?,
        game: settings.game(),
        openings: settings.openings(py)?,
        rng_seed: settings.seed,
        rules: settings.rules()?,
        schedule: parsed::<Schedule>(schedule)?,
        games: settings.games,
        rounds,
    })
}

/// Plays a match of two agents; see `kalahari.match`.
#[pyfunction]
#[pyo3(signature = (agents, settings, *, sprt=None, model="logistic"))]
pub(crate) fn run_match<'py>(
    py: Python<'py>,
    agents: [Bound<'py, PyAny>; 2],
    settings: &Bound<'py, PyAny>,
    sprt: Option<(f64, f64, f64, f64)>,
    model: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let settings: Settings = settings.extract()?;
    let sprt = test(sprt, model)?;
    let model: EloModel = parsed(model)?;
    let spec = match_spec(py, &agents, &settings)?;
    let (games, concurrency, mix) = (settings.games, settings.concurrency, settings.mix);
    let (result, records) = played(py, &agents, &settings, move |store, stop, listener| {
        let run = Run {
            games,
            concurrency,
            sprt,
            store,
            mix,
            cache: cache_home(),
            stop,
        };
        let result = kalahari_arena::run_match(spec, run, &mut |news| listener.hear(news))?;
        let id = result.id.clone();
        Ok((result, vec![id]))
    })?;
    let out = match_out(&result, &records, model, sprt.as_ref());
    Ok(out.into_pyobject(py)?.into_any())
}

fn match_out(
    result: &MatchResult,
    records: &[GameRecord],
    model: EloModel,
    sprt: Option<&Sprt>,
) -> MatchOut {
    let [a, b] = &result.spec.agents;
    let [forfeits_a, forfeits_b] = result.counter.forfeits();
    let summary = Summary::new(result.tally(), model, sprt);
    let test = summary.sprt;
    MatchOut {
        summary: SummaryOut::of(&summary),
        llr: test.map(|test| test.llr),
        llr_bounds: test.map(|test| (test.lower, test.upper)),
        decision: test.and_then(|test| test.decision.map(|decision| decision.to_string())),
        agents: (a.label(), b.label()),
        id: result.id.clone(),
        game: result.spec.game.to_string(),
        openings: result.spec.openings.to_string(),
        limits: result.spec.limits_text(),
        seed: result.spec.rng_seed,
        stopped: match result.stopped {
            Stopped::Finished => "finished",
            Stopped::Decided(_) => "sprt",
            Stopped::Interrupted => "interrupted",
        },
        margin: result.counter.average_margin(),
        forfeits: (ForfeitsOut::of(forfeits_a), ForfeitsOut::of(forfeits_b)),
        repeats: result.counter.repeats(),
        resumed: result.resumed,
        played: result.played,
        seconds: result.elapsed.as_secs_f64(),
        overhead: result.overhead,
        notes: result.notes.clone(),
        report: report(result, ReportStyle::Fastchess, model, sprt),
        records: records.iter().map(GameOut::of).collect(),
    }
}

/// An agent's place.
#[derive(IntoPyObject)]
struct StandingOut {
    agent: String,
    elo: f64,
    elo_error: f64,
    points: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    margin: Option<f64>,
}

/// The games of two agents.
#[derive(IntoPyObject)]
struct MeetingOut {
    first: String,
    second: String,
    id: String,
    summary: SummaryOut,
}

/// A tournament that has been played.
#[derive(IntoPyObject)]
struct TournamentOut {
    standings: Vec<StandingOut>,
    meetings: Vec<MeetingOut>,
    padded: bool,
    groups: usize,
    interrupted: bool,
    notes: Vec<String>,
    records: Vec<GameOut>,
}

/// Plays a tournament; see `kalahari.tournament`.
#[pyfunction]
#[pyo3(signature = (agents, settings, *, schedule="round-robin", rounds=0))]
pub(crate) fn run_tournament<'py>(
    py: Python<'py>,
    agents: Vec<Bound<'py, PyAny>>,
    settings: &Bound<'py, PyAny>,
    schedule: &str,
    rounds: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let settings: Settings = settings.extract()?;
    let spec = tournament_spec(py, &agents, &settings, schedule, rounds)?;
    let (concurrency, mix) = (settings.concurrency, settings.mix);
    let (tournament, records) = played(py, &agents, &settings, move |store, stop, listener| {
        let run = TournamentRun {
            concurrency,
            store,
            mix,
            cache: cache_home(),
            stop,
        };
        let tournament = kalahari_arena::run_tournament(&spec, run, &mut |_, news| {
            listener.hear(news);
        })?;
        let meetings = tournament.meetings.iter();
        let matches = meetings.map(|meeting| meeting.match_id.clone()).collect();
        Ok((tournament, matches))
    })?;
    let out = tournament_out(&tournament, &records);
    Ok(out.into_pyobject(py)?.into_any())
}

fn tournament_out(tournament: &Tournament, records: &[GameRecord]) -> TournamentOut {
    let name = |agent: usize| tournament.agents[agent].label();
    let standings = tournament.standings.iter().map(|standing| StandingOut {
        agent: name(standing.agent),
        elo: standing.elo,
        elo_error: standing.error,
        points: standing.points,
        games: standing.tally.games(),
        wins: standing.tally.wins,
        draws: standing.tally.draws,
        losses: standing.tally.losses,
        margin: standing.margin,
    });
    let meetings = tournament.meetings.iter().map(|meeting| MeetingOut {
        first: name(meeting.first),
        second: name(meeting.second),
        id: meeting.match_id.clone(),
        summary: SummaryOut::of(&Summary::new(
            meeting.counter.tally(),
            EloModel::Logistic,
            None,
        )),
    });
    TournamentOut {
        standings: standings.collect(),
        meetings: meetings.collect(),
        padded: tournament.padded,
        groups: tournament.groups,
        interrupted: tournament.interrupted,
        notes: tournament.notes.clone(),
        records: records.iter().map(GameOut::of).collect(),
    }
}

/// A match in a store.
#[derive(IntoPyObject)]
struct StoredOut {
    id: String,
    game: String,
    a: String,
    b: String,
    openings: String,
    seed: u64,
    limits: String,
    adjudicate: String,
    created: i64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    mixed: bool,
}

/// The matches of a store, the oldest first.
#[pyfunction]
pub(crate) fn store_matches(py: Python<'_>, db: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let matches = py.detach(|| Store::open_existing(&db).and_then(|store| store.matches()));
    let matches = matches.map_err(Raise::raise)?.into_iter().map(|one| {
        let [a, b] = one.agents;
        let [wins, draws, losses] = one.results;
        StoredOut {
            id: one.id,
            game: one.game.to_string(),
            a,
            b,
            openings: one.openings,
            seed: one.rng_seed,
            limits: one.limits,
            adjudicate: one.adjudicate,
            created: one.created,
            games: one.games,
            wins,
            draws,
            losses,
            mixed: one.mixed,
        }
    });
    let matches: Vec<StoredOut> = matches.collect();
    matches.into_pyobject(py)
}

/// The games of a match in a store, in order.
#[pyfunction]
pub(crate) fn store_games<'py>(
    py: Python<'py>,
    db: PathBuf,
    id: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let games = py.detach(|| Store::open_existing(&db).and_then(|store| store.games(id)));
    let games = games.map_err(Raise::raise)?;
    let games: Vec<GameOut> = games.iter().map(GameOut::of).collect();
    games.into_pyobject(py)
}

/// Writes the pictures of a store and a page with all of them; returns the files.
#[pyfunction]
pub(crate) fn write_report(
    py: Python<'_>,
    db: PathBuf,
    directory: PathBuf,
) -> PyResult<Vec<PathBuf>> {
    let draw = |db: &Path| write_pictures(&Store::open_existing(db)?, &directory);
    py.detach(|| draw(&db)).map_err(Raise::raise)
}
