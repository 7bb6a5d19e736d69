//! Pieces of experiments for `kalahari.cluster`: plans, the work of a piece, and the one writer that joins them.

use crate::arena::{Settings, match_spec, test, tournament_spec};
use crate::dataset::Asked;
use crate::errors::Raise;
use crate::games::PyGame;
use crate::interrupt::interruptible;
use kalahari_arena::stats::Sprt;
use kalahari_arena::{
    Brief, Counter, Hands, Identity, Planned, Store, plan_match as arena_plan_match,
    plan_tournament as arena_plan_tournament,
};
use kalahari_exact::prover::{ProverOptions, TablebasePolicy};
use kalahari_games::{AnyGame, Game};
use kalahari_prove::{Journal, ProveError, Rules, Worker, WorkerOptions};
use kalahari_shards::{
    Claims, Games, Machine, MergeError, Place, PlaceFile, Plan, PlanFile, Rows, ShardError, Source,
    Targets, Task, Work, file_name, make, merge, survey_of,
};
use kalahari_storage::{cache_home, data_home};
use kalahari_terms::Stop;
use kalahari_tune::{Desk, SampleTask, TuneError, TuneSpec, play_sample as tune_play_sample};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

impl Raise for ShardError {
    fn raise(self) -> PyErr {
        match self {
            ShardError::File(error) => error.raise(),
            ShardError::Arena(error) => error.raise(),
            ShardError::Dataset(error) => error.raise(),
            ShardError::Prove(error) => error.raise(),
            ShardError::Prover(error) => error.raise(),
            ShardError::Stopped | ShardError::Review(_) => {
                PyRuntimeError::new_err(self.to_string())
            }
            ShardError::NoPlace { .. } => PyOSError::new_err(self.to_string()),
            ShardError::OtherIdentity { .. }
            | ShardError::Walk(_)
            | ShardError::NoGames { .. }
            | ShardError::NotOneMatch { .. } => PyValueError::new_err(self.to_string()),
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
            _ => PyValueError::new_err(self.to_string()),
        }
    }
}

/// A plan as text: what tasks are sent.
fn text_of(tasks: Vec<Task>) -> PyResult<String> {
    let plan = Plan::new(tasks).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let source = Source::default();
    let text = serde_json::to_string(&PlanFile { source, plan });
    text.map_err(|error| PyValueError::new_err(error.to_string()))
}

fn plan_of(text: &str) -> PyResult<PlanFile> {
    let plan = serde_json::from_str(text);
    plan.map_err(|error| PyValueError::new_err(format!("this is no plan: {error}")))
}

fn hands(threads: usize, stop: &Stop) -> Hands<'_> {
    Hands {
        threads,
        cache: cache_home(),
        stop,
    }
}

/// The plan of a match, and whether both agents always answer alike.
#[pyfunction]
pub(crate) fn plan_match<'py>(
    py: Python<'py>,
    agents: [Bound<'py, PyAny>; 2],
    settings: &Bound<'py, PyAny>,
) -> PyResult<(String, bool)> {
    let settings: Settings = settings.extract()?;
    let spec = match_spec(py, &agents, &settings)?;
    let stop = Stop::new();
    let hands = hands(settings.concurrency, &stop);
    let planned = interruptible(py, &stop, || arena_plan_match(spec, settings.games, &hands))?;
    let planned = planned.map_err(Raise::raise)?;
    let repeatable = planned.repeatable;
    Ok((text_of(vec![games_of(planned)?])?, repeatable))
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

/// The plan of a dataset, with so many rows in every file.
#[pyfunction]
pub(crate) fn plan_dataset(asked: &Bound<'_, PyAny>, rows_per_file: u64) -> PyResult<String> {
    let asked: Asked = asked.extract()?;
    let rows = asked.wanted_rows();
    let rows = rows.ok_or_else(|| PyValueError::new_err("how many rows? say so by rows="))?;
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

/// What is asked of a plan before it is run.
#[derive(IntoPyObject)]
pub(crate) struct About {
    /// Pairs of games, files of rows, jobs of a proof, games to judge.
    parts: u64,
    games: bool,
    rows: bool,
    claims: bool,
    reviews: bool,
    /// Whether it names files, which are seen from the folder of the experiment.
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
        files: reviews || any(|task| task.identity().files.files().next().is_some()),
    })
}

/// The name of a piece's file.
#[pyfunction]
pub(crate) fn shard_file(shard: u32, shards: u32) -> PyResult<String> {
    Ok(file_name(place(shard, shards)?))
}

fn place(shard: u32, shards: u32) -> PyResult<Place> {
    Place::new(shard, shards).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Does a piece of a plan, and gives its file and those of its rows.
#[pyfunction]
pub(crate) fn make_shard(
    py: Python<'_>,
    plan: &str,
    shard: u32,
    shards: u32,
    folder: PathBuf,
    threads: usize,
) -> PyResult<Vec<PathBuf>> {
    let planned = plan_of(plan)?;
    let place = place(shard, shards)?;
    let stop = Stop::new();
    let hands = hands(threads.max(1), &stop);
    let machine = Machine::of_plan(&planned.plan, data_home().as_deref());
    let work = Work {
        plan: &planned.plan,
        source: &planned.source,
        machine: &machine,
        place,
        folder: &folder,
        hands: &hands,
    };
    let made = interruptible(py, &stop, || make(&work, &mut |_| ()))?;
    let made = made.map_err(Raise::raise)?;
    let rows = made.file.rows.iter().map(|rows| rows.path(&folder));
    Ok(rows.chain([made.path.clone()]).collect())
}

/// A sequential test that looks at the games in the order of their numbers.
struct Watch {
    sprt: Sprt,
    repeatable: bool,
    waiting: BTreeMap<u32, Option<Brief>>,
    counter: Counter,
    next: u32,
    decision: Option<String>,
}

impl Watch {
    fn hear(&mut self, file: &Path) -> PyResult<()> {
        let (_, content) = PlaceFile::read_content(file).map_err(Raise::raise)?;
        for game in &content.games {
            let brief = Brief::new(game, self.repeatable);
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
    plan: Plan,
    store: Option<Store>,
    rows: Option<PathBuf>,
    journal: Option<PathBuf>,
    judged: Option<PathBuf>,
    watch: Option<Watch>,
}

/// The one who joins the pieces of a plan.
#[pyclass(frozen, module = "kalahari._native")]
pub(crate) struct ShardWriter {
    state: Mutex<State>,
}

#[pymethods]
impl ShardWriter {
    /// For a plan, a store, a folder of rows, a journal and a file of judged games. With a test it looks at games in their order: whether both agents of the match
    /// always answer alike, and the test's four numbers and model.
    #[new]
    #[pyo3(signature = (plan, db=None, rows=None, journal=None, judged=None, *, sprt=None, model="logistic", repeatable=false))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        plan: &str,
        db: Option<PathBuf>,
        rows: Option<PathBuf>,
        journal: Option<PathBuf>,
        judged: Option<PathBuf>,
        sprt: Option<(f64, f64, f64, f64)>,
        model: &str,
        repeatable: bool,
    ) -> PyResult<Self> {
        let store = db.as_deref().map(Store::open).transpose();
        let watch = test(sprt, model)?.map(|sprt| Watch {
            sprt,
            repeatable,
            waiting: BTreeMap::new(),
            counter: Counter::default(),
            next: 0,
            decision: None,
        });
        Ok(ShardWriter {
            state: Mutex::new(State {
                plan: plan_of(plan)?.plan,
                store: store.map_err(Raise::raise)?,
                rows,
                journal,
                judged,
                watch,
            }),
        })
    }

    /// Joins pieces and gives how many games and rows they have. Raises `OSError` for one that is not sound or belongs elsewhere.
    fn add(&self, py: Python<'_>, files: Vec<PathBuf>) -> PyResult<(u64, u64)> {
        py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let State {
                plan,
                store,
                rows,
                journal,
                judged,
                watch,
            } = &mut *state;
            let mut found = survey_of(&files, Some(plan)).map_err(Raise::raise)?;
            if !found.files.is_empty() {
                let targets = Targets {
                    store: store.as_mut(),
                    rows: rows.as_deref(),
                    journal: journal.as_deref(),
                    judged: judged.as_deref(),
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

    /// What the test says of the games so far, and how many it has seen in their order.
    fn decision(&self) -> (Option<String>, u32) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &state.watch {
            Some(watch) => (watch.decision.clone(), watch.next),
            None => (None, 0),
        }
    }
}

impl Raise for ProveError {
    fn raise(self) -> PyErr {
        match self {
            ProveError::Prover(error) => error.raise(),
            ProveError::File { .. } | ProveError::Damaged { .. } => {
                PyOSError::new_err(self.to_string())
            }
            _ => PyValueError::new_err(self.to_string()),
        }
    }
}

struct Board {
    worker: Worker,
    goal: i32,
    job_nodes: u64,
    memory: u64,
}

/// A proof whose jobs are done elsewhere: lists those that are open, and says when the goal is decided.
#[pyclass(frozen, module = "kalahari._native")]
pub(crate) struct ProofBoard {
    board: Mutex<Board>,
}

#[pymethods]
impl ProofBoard {
    /// For a journal, which is made if there is none. Tables for guesses are made.
    #[new]
    #[pyo3(signature = (journal, game, position, at_least, *, job_nodes, memory, tablebase=None))]
    fn new(
        py: Python<'_>,
        journal: PathBuf,
        game: &PyGame,
        position: Option<&str>,
        at_least: i32,
        job_nodes: u64,
        memory: u64,
        tablebase: Option<usize>,
    ) -> PyResult<Self> {
        let rules = Rules::new(game.game.spec()).map_err(Raise::raise)?;
        let spec = rules.game().spec();
        let (game, position) = AnyGame::at_or_start(spec, position).map_err(Raise::raise)?;
        let position = game.position_text(&position);
        let opened = Journal::open(&journal, spec, &position).map_err(Raise::raise)?;
        let prover = ProverOptions {
            tablebase: match tablebase {
                Some(0) => TablebasePolicy::None,
                Some(seeds) => TablebasePolicy::Seeds(seeds),
                None => TablebasePolicy::QUICK,
            },
            ..ProverOptions::default()
        };
        let options = WorkerOptions {
            prover,
            job_nodes,
            name: "cluster".to_owned(),
        };
        let stop = Stop::new();
        let worker = interruptible(py, &stop, || {
            Worker::new(&journal, opened, options, |_| (), &stop, &mut |_| ())
        })?;
        let worker = worker.map_err(Raise::raise)?;
        let goal = worker.journal().goal_margin(at_least);
        Ok(ProofBoard {
            board: Mutex::new(Board {
                goal: goal.map_err(Raise::raise)?,
                worker,
                job_nodes,
                memory,
            }),
        })
    }

    /// The open jobs, the most telling first, after positions were split until there are about so many: what each is about, and its
    /// plan, which has this job alone.
    fn jobs(&self, wanted: usize) -> PyResult<Vec<(String, String)>> {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        let goal = board.goal;
        let list = board.worker.list_jobs(goal, wanted.max(1));
        let list = list.map_err(Raise::raise)?;
        let journal = board.worker.journal();
        journal
            .join(goal, &list.splits, &[])
            .map_err(Raise::raise)?;
        let game = journal.rules().game();
        let (spec, position) = (game.spec(), game.position_text(journal.root()));
        let identity = Identity::of(&[], spec).map_err(Raise::raise)?;
        let tablebase = board.worker.tree().tablebase_seeds();
        let plans = list.claims.into_iter().map(|claim| {
            let text = claim.to_string();
            let claims = Claims {
                game: spec,
                position: position.clone(),
                goal,
                job_nodes: board.job_nodes,
                memory: board.memory,
                tablebase,
                splits: Vec::new(),
                claims: vec![claim],
                identity: identity.clone(),
            };
            Ok((text, text_of(vec![Task::Claims(claims)])?))
        });
        plans.collect()
    }

    /// Whether the goal is reached, as the journal proves; `None` while that is open.
    fn decided(&self) -> PyResult<Option<bool>> {
        let board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        let decided = board.worker.journal().conclude(board.goal);
        decided.map_err(Raise::raise)
    }
}

impl Raise for TuneError {
    fn raise(self) -> PyErr {
        match self {
            TuneError::Arena(error) => error.raise(),
            _ => PyValueError::new_err(self.to_string()),
        }
    }
}

fn json_error(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A tuning run whose samples are played elsewhere.
#[pyclass(frozen, module = "kalahari._native")]
pub(crate) struct TuneDesk {
    desk: Mutex<Desk>,
}

/// What a run recommends: names, values, ranges, the expected score with its error, and the agent.
type Recommended = (
    Vec<String>,
    Vec<f64>,
    Vec<[f64; 2]>,
    Option<[f64; 2]>,
    String,
);

#[pymethods]
impl TuneDesk {
    /// For a run, as JSON, and a store.
    #[new]
    #[pyo3(signature = (spec, db=None))]
    fn new(py: Python<'_>, spec: &str, db: Option<PathBuf>) -> PyResult<Self> {
        let spec: TuneSpec = serde_json::from_str(spec).map_err(json_error)?;
        let stop = Stop::new();
        let spec = interruptible(py, &stop, || spec.checked(&stop))?;
        let desk = Desk::open(spec.map_err(Raise::raise)?, db.as_deref());
        Ok(TuneDesk {
            desk: Mutex::new(desk.map_err(Raise::raise)?),
        })
    }

    /// How many samples are finished, and how many there are.
    fn standing(&self) -> (u32, u32) {
        let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        (desk.finished(), desk.spec().samples())
    }

    /// The run with all that was filled in, as JSON: what workers need.
    fn spec(&self) -> PyResult<String> {
        let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        serde_json::to_string(desk.spec()).map_err(json_error)
    }

    /// The next sample, as JSON, chosen by all results so far; `None` if all are handed out.
    fn next_sample(&self) -> PyResult<Option<String>> {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        let task = desk.next_sample();
        task.map(|task| serde_json::to_string(&task).map_err(json_error))
            .transpose()
    }

    /// Takes the results of a sample.
    fn finish(&self, sample: &str, results: Vec<[u32; 3]>) -> PyResult<()> {
        let task: SampleTask = serde_json::from_str(sample).map_err(json_error)?;
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        desk.finish(task, results).map_err(Raise::raise)
    }

    /// What is recommended by all samples so far.
    fn recommend(&self) -> Option<Recommended> {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        let found = desk.recommend()?;
        let spec = desk.spec();
        let names = spec.space.0.iter().map(|axis| axis.name.clone());
        let agent = spec.agent_at(&found.values).to_string();
        Some((
            names.collect(),
            found.values,
            found.ranges,
            found.score,
            agent,
        ))
    }

    /// What the user should know.
    fn notes(&self) -> Vec<String> {
        let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        desk.notes().to_vec()
    }
}

/// Plays a sample of a run and gives the games won, drawn and lost in each of its meetings.
#[pyfunction]
pub(crate) fn play_sample(py: Python<'_>, spec: &str, sample: &str) -> PyResult<Vec<[u32; 3]>> {
    let spec: TuneSpec = serde_json::from_str(spec).map_err(json_error)?;
    let task: SampleTask = serde_json::from_str(sample).map_err(json_error)?;
    let stop = Stop::new();
    let hands = hands(1, &stop);
    let played = interruptible(py, &stop, || tune_play_sample(&spec, &task, &hands))?;
    let played = played.map_err(Raise::raise)?;
    played.ok_or_else(|| PyRuntimeError::new_err("stopped"))
}
