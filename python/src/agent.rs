//! Our own players: a single move, or a whole analysis, depth by depth.

use crate::errors::Raise;
use crate::games::PyPosition;
use crate::guest::PyGuest;
use crate::interrupt::{interruptible, wait_for};
use crate::limits::PyLimits;
use crate::moves;
use crate::numbers::whole;
use kalahari_agents::{
    AgentKind, AgentName, AgentSpec, AnyReport, Mind, NamedAgent, NoAnswer, Player, Question,
    Thinker, Thought, serve,
};
use kalahari_games::{AnyGame, Game};
use kalahari_study::Analysis;
use kalahari_terms::{Limits, Score, Stop};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// The parts of a score: its amount, its unit, and whether it is proven.
pub(crate) type Parts = (f64, &'static str, bool);

pub(crate) fn parts(score: Score) -> Parts {
    (
        score.amount(),
        score.worth().unit().name(),
        score.is_proven(),
    )
}

/// What a search has found, for Python. Scores are from the mover's point of view.
#[derive(IntoPyObject)]
pub(crate) struct Found<'py> {
    best: Option<Bound<'py, PyAny>>,
    score: Parts,
    line: Bound<'py, PyList>,
    moves: Vec<(Bound<'py, PyAny>, Parts)>,
    depth: u32,
    nodes: u64,
    seconds: f64,
}

pub(crate) fn found<'py>(py: Python<'py>, report: &AnyReport) -> PyResult<Found<'py>> {
    let one = |&(mv, score)| (moves::to_python(py, mv), parts(score));
    Ok(Found {
        best: report.best.map(|mv| moves::to_python(py, mv)),
        score: parts(report.score),
        line: moves::all_to_python(py, report.line.iter().copied())?,
        moves: report.moves.iter().map(one).collect(),
        depth: report.depth,
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
    })
}

/// A player, ready for the game it was last asked about.
struct Ready {
    player: Option<(Arc<AnyGame>, Player)>,
    /// The seed of the game that was begun last.
    begun: Option<u64>,
}

/// An agent that is part of the package or run by it, made from a spec such as "engine:depth=8" (`agents()` lists them).
///
/// >>> import kalahari
/// >>> agent = kalahari.Agent("alphabeta:depth=4")
/// >>> position = kalahari.Game("kalah:6x4").start()
/// >>> agent.move(position) in position.legal_moves()
/// True
///
/// It remembers what it has learned from one move to the next, until `begin_game`. Its random choices depend on `seed`.
/// `kalahari.Agent("deep=engine:depth=8")` is called "deep" in tables and stores.
#[pyclass(frozen, module = "kalahari", name = "Agent", subclass)]
pub(crate) struct PyAgent {
    pub(crate) spec: AgentSpec,
    given_name: Option<AgentName>,
    seed: u64,
    ready: Mutex<Ready>,
}

impl PyAgent {
    fn named(&self) -> NamedAgent {
        NamedAgent {
            name: self.given_name.clone(),
            spec: self.spec.clone(),
        }
    }

    /// Asks the player of a position's game, with the interpreter free.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        position: &PyPosition,
        stop: &Stop,
        question: impl FnOnce(&mut Player) -> T + Send,
    ) -> PyResult<T> {
        let answer = interruptible(py, stop, || {
            let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            let game = &position.game.game;
            let mut player = match ready.player.take() {
                Some((known, player)) if Arc::ptr_eq(&known, game) => player,
                _ => {
                    let mut player = Player::new(&self.spec, game, self.seed)?;
                    if let Some(seed) = ready.begun {
                        player.begin_game(seed, stop);
                    }
                    player
                }
            };
            let answer = question(&mut player);
            ready.player = Some((Arc::clone(game), player));
            Ok(answer)
        })?;
        answer.map_err(|error: kalahari_agents::AgentError| error.raise())
    }
}

#[pymethods]
impl PyAgent {
    #[new]
    #[pyo3(signature = (spec, *, seed=None), text_signature = "(spec, *, seed=1)")]
    fn new(py: Python<'_>, spec: &str, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let seed = seed.map_or(Ok(1), |seed| whole("seed", seed, 0..=u64::MAX))?;
        let NamedAgent { name, spec } = spec.parse::<NamedAgent>().map_err(Raise::raise)?;
        py.detach(|| spec.check()).map_err(Raise::raise)?;
        Ok(PyAgent {
            spec,
            given_name: name,
            seed,
            ready: Mutex::new(Ready {
                player: None,
                begun: None,
            }),
        })
    }

    /// The spec it was made from.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Agent("deep=engine:depth=8").spec
    /// 'engine:depth=8'
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// What it is called in tables and stores: the name it was given, or its spec.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Agent("deep=engine:depth=8").name
    /// 'deep'
    #[getter]
    fn name(&self) -> String {
        match &self.given_name {
            Some(name) => name.to_string(),
            None => self.spec.to_string(),
        }
    }

    /// The move it plays in a position. Ctrl-C stops it.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Agent("level:3").move(kalahari.Game("kalah:6x4").start(), kalahari.Limits(nodes=1000)) in range(6)
    /// True
    #[pyo3(name = "move", signature = (position, limits=None))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        position: &PyPosition,
        limits: Option<&PyLimits>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stop = Stop::new();
        let limits = limits.map_or(Limits::NONE, |limits| limits.0);
        let at = position.position;
        let report = self.ask(py, position, &stop, |player| {
            player.choose(&at, limits, &stop)
        })?;
        match report.map_err(Raise::raise)?.best {
            Some(best) => Ok(moves::to_python(py, best)),
            None => Err(PyValueError::new_err("the game is over: there is no move")),
        }
    }

    /// What it finds in a position, as a dictionary; `kalahari.analyse(position, agent=...)` returns the same as an `Analysis`.
    ///
    /// >>> import kalahari
    /// >>> found = kalahari.Agent("alphabeta:depth=3").think(kalahari.Game("kalah:6x4").start())
    /// >>> found["depth"], found["best"] in range(6)
    /// (3, True)
    #[pyo3(signature = (position, limits=None, *, all_moves=false))]
    fn think<'py>(
        &self,
        py: Python<'py>,
        position: &PyPosition,
        limits: Option<&PyLimits>,
        all_moves: bool,
    ) -> PyResult<Found<'py>> {
        let stop = Stop::new();
        let limits = limits.map_or(Limits::NONE, |limits| limits.0);
        let at = position.position;
        let report = self.ask(py, position, &stop, |player| {
            player.think(&at, limits, &stop, all_moves, &mut |_| {})
        })?;
        found(py, &report.map_err(Raise::raise)?)
    }

    /// Begins a new game: it forgets what it has learned, and its random choices depend on this `seed` from now on.
    ///
    /// >>> import kalahari
    /// >>> agent, start = kalahari.Agent("random"), kalahari.Game("kalah:6x4").start()
    /// >>> agent.begin_game(7)
    /// >>> first = [agent.move(start) for _ in range(9)]
    /// >>> agent.begin_game(7)
    /// >>> first == [agent.move(start) for _ in range(9)]
    /// True
    fn begin_game(&self, py: Python<'_>, seed: &Bound<'_, PyAny>) -> PyResult<()> {
        let seed = whole("seed", seed, 0..=u64::MAX)?;
        py.detach(|| {
            let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            ready.begun = Some(seed);
            if let Some((_, player)) = &mut ready.player {
                player.begin_game(seed, &Stop::new());
            }
        });
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Agent('{}')", self.named())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, u64))> {
        let rebuild = slf.py().import("kalahari._rebuild")?.getattr("agent")?;
        Ok((rebuild, (slf.get().named().to_string(), slf.get().seed)))
    }
}

/// The named agent of an `Agent` or of a guest.
pub(crate) fn named_of(agent: &Bound<'_, PyAny>) -> PyResult<NamedAgent> {
    if let Ok(agent) = agent.cast::<PyAgent>() {
        return Ok(agent.get().named());
    }
    match agent.cast::<PyGuest>() {
        Ok(guest) => guest.get().spec().map(Into::into),
        Err(_) => {
            let name = agent.get_type().name()?;
            Err(PyTypeError::new_err(format!("{name} is not an agent")))
        }
    }
}

/// Every kind of agent: its name, what it is, and its options.
#[pyfunction]
pub(crate) fn agent_kinds() -> Vec<(&'static str, &'static str, String)> {
    AgentKind::ALL
        .into_iter()
        .map(|kind| (kind.name(), kind.about(), kind.options()))
        .collect()
}

/// A running search: an iterator over what it finds, depth by depth; the last item is the answer.
#[pyclass(frozen, module = "kalahari")]
pub(crate) struct Search {
    thoughts: Mutex<Receiver<Thought>>,
    stop: Stop,
    /// Dropping it asks the search to end.
    _thinker: Mutex<Thinker>,
}

#[pymethods]
impl Search {
    /// Begins a search: by an agent, or else by the analysis that searches every move separately.
    #[new]
    #[pyo3(signature = (position, limits, *, agent=None, all_moves=true, hash=64))]
    fn new(
        position: &PyPosition,
        limits: &PyLimits,
        agent: Option<&PyAgent>,
        all_moves: bool,
        hash: usize,
    ) -> PyResult<Self> {
        let game = Arc::clone(&position.game.game);
        let stop = Stop::new();
        let spec = agent.map(|agent| (agent.spec.clone(), agent.seed));
        if let Some((spec, seed)) = &spec {
            // A faulty agent is reported at once.
            Player::new(spec, &game, *seed).map_err(Raise::raise)?;
        }
        let make = move || -> Result<Box<dyn Mind>, NoAnswer> {
            Ok(match &spec {
                Some((spec, seed)) => Box::new(Player::new(spec, &game, *seed)?),
                None => Box::new(Analysis::new(&game, hash)?),
            })
        };
        let mut thinker = Thinker::new(Box::new(make)).map_err(Raise::raise)?;
        let (say, thoughts) = channel();
        let question = match all_moves {
            true => Question::all_moves(position.position, limits.0),
            false => Question::best(position.position, limits.0),
        };
        let listener = Box::new(move |thought| {
            // If the receiver is gone, the search is being stopped.
            let _ = say.send(thought);
        });
        thinker.ask(question, &stop, listener);
        Ok(Search {
            thoughts: Mutex::new(thoughts),
            stop,
            _thinker: Mutex::new(thinker),
        })
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// The next finding and whether it is the answer.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(Found<'py>, bool)>> {
        match wait_for(py, &self.thoughts, &self.stop)? {
            None => Ok(None),
            Some(Thought::Partial(report)) => Ok(Some((found(py, &report)?, false))),
            Some(Thought::Answer(answer)) => {
                Ok(Some((found(py, &answer.map_err(Raise::raise)?)?, true)))
            }
        }
    }

    /// Asks the search to end; the answer still comes.
    fn stop(&self) {
        self.stop.request();
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop.request();
    }
}

/// Serves an agent over the universal game interface, on the process's input and output, until `quit` or the end of the input.
#[pyfunction]
pub(crate) fn serve_ugi(py: Python<'_>, agent: &Bound<'_, PyAny>) -> PyResult<()> {
    let spec = named_of(agent)?.spec;
    let (done, ended) = channel();
    let ended = Mutex::new(ended);
    // It may wait for input forever, so after Ctrl-C we do not wait for the thread.
    std::thread::spawn(move || {
        let served = serve(spec, std::io::stdin(), std::io::stdout());
        let _ = done.send(served);
    });
    match wait_for(py, &ended, &Stop::new())? {
        Some(served) => served.map_err(Raise::raise),
        None => Err(crate::interrupt::broke_down()),
    }
}

/// Whether a position is one of a game.
pub(crate) fn same_game(position: &PyPosition, game: &AnyGame) -> bool {
    position.rules().spec() == game.spec()
}
