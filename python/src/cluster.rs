//! Shards of experiments for `kalahari.cluster`: plans, the work of a shard, and the single writer that joins them.

use crate::arena::{Settings, match_spec, test, tournament_spec};
use crate::dataset::Asked;
use crate::errors::{Raise, said};
use crate::interrupt::interruptible;
use kalahari_arena::stats::Sprt;
use kalahari_arena::{
    Brief, Counter, Hands, Planned, Repetition, Store, plan_match as arena_plan_match,
    plan_tournament as arena_plan_tournament,
};
use kalahari_shards::{
    Games, Inspector, Machine, MergeError, Place, PlaceFile, Plan, PlanFile, Rows, ShardError,
    Source, Targets, Task, Work, file_name, make, merge, survey_with,
};
use kalahari_storage::{cache_home, data_home};
use kalahari_terms::Stop;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

impl Raise for ShardError {
    fn raise(self) -> PyErr {
        match self {
            ShardError::File(error) => error.raise(),
            ShardError::Arena(error) => error.raise(),
            ShardError::Dataset(error) => error.raise(),
            ShardError::Prove(error) => error.raise(),
            ShardError::Prover(error) => error.raise(),
            ShardError::Stopped | ShardError::Review(_) => PyRuntimeError::new_err(said(&self)),
            ShardError::NoPlace { .. } => PyOSError::new_err(said(&self)),
            ShardError::OtherIdentity { .. }
            | ShardError::Walk(_)
            | ShardError::DeeperBook { .. }
            | ShardError::NoGames { .. }
            | ShardError::Record { .. }
            | ShardError::NotOneMatch { .. } => PyValueError::new_err(said(&self)),
        }
    }
}

impl Raise for MergeError {
    fn raise(self) -> PyErr {
        match self {
            MergeError::Arena(error) => error.raise(),
            MergeError::Dataset(error) => error.raise(),
            MergeError::Prove(error) => error.raise(),
            MergeError::File(error) => error.raise(),
            MergeError::Book(error) => error.raise(),
            _ => PyValueError::new_err(said(&self)),
        }
    }
}

/// A plan as text, as it is sent to tasks.
pub(crate) fn text_of(tasks: Vec<Task>) -> PyResult<String> {
    let plan = Plan::new(tasks).map_err(|error| PyValueError::new_err(said(&error)))?;
    let source = Source::default();
    let text = serde_json::to_string(&PlanFile { source, plan });
    text.map_err(|error| PyValueError::new_err(said(&error)))
}

fn plan_of(text: &str) -> PyResult<PlanFile> {
    let plan = serde_json::from_str(text);
    plan.map_err(|error| PyValueError::new_err(format!("this is not a plan: {error}")))
}

pub(crate) fn hands(threads: usize, stop: &Stop) -> Hands<'_> {
    Hands {
        threads,
        cache: cache_home(),
        stop,
    }
}

/// The plan of a match, and what is known about games that repeat earlier ones.
#[pyfunction]
pub(crate) fn plan_match<'py>(
    py: Python<'py>,
    agents: [Bound<'py, PyAny>; 2],
    settings: &Bound<'py, PyAny>,
) -> PyResult<(String, &'static str)> {
    let settings: Settings = settings.extract()?;
    let spec = match_spec(py, &agents, &settings)?;
    let stop = Stop::new();
    let hands = hands(settings.concurrency, &stop);
    let planned = interruptible(py, &stop, || arena_plan_match(spec, settings.games, &hands))?;
    let planned = planned.map_err(Raise::raise)?;
    let repetition = planned.repetition.name();
    Ok((text_of(vec![games_of(planned)?])?, repetition))
}

fn games_of(planned: Planned) -> PyResult<Task> {
    Ok(Games::planned(planned).map_err(Raise::raise)?.into())
}

/// The plan of a tournament.
#[pyfunction]
#[pyo3(signature = (agents, settings, *, schedule="round-robin", rounds=0))]
pub(crate) fn plan_tournament<'py>(
    py: Python<'py>,
    agents: Vec<Bound<'py, PyAny>>,
    settings: &Bound<'py, PyAny>,
    schedule: &str,
    rounds: u32,
) -> PyResult<String> {
    let settings: Settings = settings.extract()?;
    let spec = tournament_spec(py, &agents, &settings, schedule, rounds)?;
    let stop = Stop::new();
    let hands = hands(settings.concurrency, &stop);
    let planned = interruptible(py, &stop, || arena_plan_tournament(&spec, &hands))?;
    let planned = planned.map_err(Raise::raise)?.into_iter();
    text_of(planned.map(games_of).collect::<PyResult<_>>()?)
}

/// The plan of a dataset, with this many rows in every file.
#[pyfunction]
pub(crate) fn plan_dataset(asked: &Bound<'_, PyAny>, rows_per_file: u64) -> PyResult<String> {
    let asked: Asked = asked.extract()?;
    let rows = asked.wanted_rows();
    let rows = rows.ok_or_else(|| PyValueError::new_err("how many rows? say so with rows="))?;
    let mut recipe = asked.recipe(None)?;
    recipe.rows_per_shard = rows_per_file.max(1);
    let identity = kalahari_dataset::identity(&recipe);
    let identity = identity.map_err(Raise::raise)?;
    text_of(vec![Task::Rows(Rows {
        recipe,
        identity,
        rows,
    })])
}

/// What has to be known about a plan before it is run.
#[derive(IntoPyObject)]
pub(crate) struct About {
    /// Pairs of games, files of rows, jobs of a proof, games to judge, positions of a book.
    parts: u64,
    games: bool,
    rows: bool,
    claims: bool,
    reviews: bool,
    positions: bool,
    /// Whether it names files, whose paths are relative to the folder of the experiment.
    files: bool,
}

/// How many parts a plan has, of which kinds, and whether it names files.
#[pyfunction]
pub(crate) fn about_plan(plan: &str) -> PyResult<About> {
    let plan = plan_of(plan)?.plan;
    let tasks = plan.tasks();
    let any = |is: fn(&Task) -> bool| tasks.iter().any(is);
    let reviews = any(|task| matches!(task, Task::Reviews(_)));
    Ok(About {
        parts: plan.parts(),
        games: any(|task| matches!(task, Task::Games(_))),
        rows: any(|task| matches!(task, Task::Rows(_))),
        claims: any(|task| matches!(task, Task::Claims(_))),
        reviews,
        positions: any(|task| matches!(task, Task::Frontier(_))),
        files: reviews || any(|task| task.identity().files.files().next().is_some()),
    })
}

/// The name of a shard's file.
#[pyfunction]
pub(crate) fn shard_file(shard: u32, shards: u32) -> PyResult<String> {
    Ok(file_name(place(shard, shards)?))
}

fn place(shard: u32, shards: u32) -> PyResult<Place> {
    Place::new(shard, shards).map_err(|error| PyValueError::new_err(said(&error)))
}

/// How often a worker checks whether a shard is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Does work, and asks it to stop when the file is removed.
fn while_there_is<T>(file: Option<&Path>, stop: &Stop, work: impl FnOnce() -> T) -> T {
    let Some(file) = file else {
        return work();
    };
    std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        scope.spawn(move || {
            while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                if !file.exists() {
                    stop.request();
                }
            }
        });
        let result = work();
        drop(end);
        result
    })
}

/// Does a shard of a plan, and returns its file and those of its rows. It stops when the file `wanted` is removed, if one is named.
#[pyfunction]
#[pyo3(signature = (plan, shard, shards, folder, threads, wanted=None))]
pub(crate) fn make_shard(
    py: Python<'_>,
    plan: &str,
    shard: u32,
    shards: u32,
    folder: PathBuf,
    threads: usize,
    wanted: Option<PathBuf>,
) -> PyResult<Vec<PathBuf>> {
    let planned = plan_of(plan)?;
    let place = place(shard, shards)?;
    let stop = Stop::new();
    let hands = hands(threads.max(1), &stop);
    let machine = Machine::of_plan(&planned.plan, data_home().as_deref());
    let inspector = Inspector::new(&planned.plan, [folder.as_path()]);
    let work = Work {
        inspector: &inspector,
        source: &planned.source,
        machine: &machine,
        place,
        folder: &folder,
        hands: &hands,
    };
    let make = || make(&work, &mut |_| ()).map_err(Box::new);
    let made = interruptible(py, &stop, || while_there_is(wanted.as_deref(), &stop, make))?;
    let made = made.map_err(|error| error.raise())?;
    let rows = made.file.rows.iter().map(|rows| rows.path(&folder));
    Ok(rows.chain([made.path.clone()]).collect())
}

/// A sequential test that looks at the games in the order of their numbers.
struct Watch {
    sprt: Sprt,
    repetition: Repetition,
    waiting: BTreeMap<u32, Option<Brief>>,
    counter: Counter,
    next: u32,
    decision: Option<String>,
}

impl Watch {
    fn hear(&mut self, file: &Path) -> PyResult<()> {
        let (_, content) = PlaceFile::read_content(file).map_err(Raise::raise)?;
        for game in &content.games {
            let brief = Brief::new(game, self.repetition);
            self.waiting.insert(game.number, brief);
        }
        while self.decision.is_none()
            && let Some(brief) = self.waiting.remove(&self.next)
        {
            if let Some(brief) = brief {
                self.counter.add(&brief);
            }
            self.next += 1;
            if self.next.is_multiple_of(2) {
                let llr = self.sprt.llr(self.counter.tally());
                self.decision = self.sprt.decision(llr).map(|found| found.to_string());
            }
        }
        Ok(())
    }
}

struct State {
    /// Checks shards against the plan.
    inspector: Arc<Inspector>,
    store: Option<Store>,
    rows: Option<PathBuf>,
    journal: Option<PathBuf>,
    judged: Option<PathBuf>,
    book: Option<PathBuf>,
    watch: Option<Watch>,
}

/// The single writer, which joins the shards of a plan.
#[pyclass(frozen, module = "kalahari._native")]
pub(crate) struct ShardWriter {
    state: Mutex<State>,
}

#[pymethods]
impl ShardWriter {
    /// Takes a plan, a store, a folder of rows, a journal, a file of judged games and a book. With a sequential test it looks at games in
    /// their order; it takes the test's four numbers and model, and what `plan_match` has said about games that equal earlier ones.
    #[new]
    #[pyo3(signature = (plan, db=None, rows=None, journal=None, judged=None, book=None, *, sprt=None, model="logistic", repetition="chance"))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        plan: &str,
        db: Option<PathBuf>,
        rows: Option<PathBuf>,
        journal: Option<PathBuf>,
        judged: Option<PathBuf>,
        book: Option<PathBuf>,
        sprt: Option<(f64, f64, f64, f64)>,
        model: &str,
        repetition: &str,
    ) -> PyResult<Self> {
        let known = Repetition::ALL
            .into_iter()
            .find(|one| one.name() == repetition);
        let repetition = known.ok_or_else(|| {
            PyValueError::new_err(format!(
                "repetition: '{repetition}' is not certain, possible or chance"
            ))
        })?;
        let store = db.as_deref().map(Store::open).transpose();
        let watch = test(sprt, model)?.map(|sprt| Watch {
            sprt,
            repetition,
            waiting: BTreeMap::new(),
            counter: Counter::default(),
            next: 0,
            decision: None,
        });
        Ok(ShardWriter {
            state: Mutex::new(State {
                inspector: Arc::new(Inspector::new(&plan_of(plan)?.plan, [])),
                store: store.map_err(Raise::raise)?,
                rows,
                journal,
                judged,
                book,
                watch,
            }),
        })
    }

    /// Joins shards and returns how many games and rows they have. Raises `OSError` for one that is not sound or belongs to another plan.
    fn add(&self, py: Python<'_>, files: Vec<PathBuf>) -> PyResult<(u64, u64)> {
        py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let State {
                inspector,
                store,
                rows,
                journal,
                judged,
                book,
                watch,
            } = &mut *state;
            let mut found = survey_with(&files, inspector).map_err(Raise::raise)?;
            if !found.files.is_empty() {
                let targets = Targets {
                    store: store.as_mut(),
                    rows: rows.as_deref(),
                    journal: journal.as_deref(),
                    judged: judged.as_deref(),
                    book: book.as_deref(),
                };
                let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ());
                let merged = merged.map_err(Raise::raise)?;
                if let Some(watch) = watch {
                    for (file, _) in &found.files {
                        watch.hear(file)?;
                    }
                }
                if let Some(refused) = found.refused.pop() {
                    return Err(refused.why.raise());
                }
                return Ok((merged.games, merged.rows));
            }
            match found.refused.pop() {
                Some(refused) => Err(refused.why.raise()),
                None => Ok((0, 0)),
            }
        })
    }

    /// What the test says about the games so far, and how many it has seen in their order.
    fn decision(&self) -> (Option<String>, u32) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &state.watch {
            Some(watch) => (watch.decision.clone(), watch.next),
            None => (None, 0),
        }
    }
}
