//! Agents written in Python.

use crate::errors::Raise;
use crate::games::{PyGame, PyPosition, shared};
use crate::limits::PyLimits;
use crate::moves;
use kalahari_agents::{AgentSpec, AnyReport, Guest};
use kalahari_games::{AnyGame, Game};
use kalahari_search::{Agent, Task};
use kalahari_terms::{Failure, Limits, Score, Stop};
use pyo3::exceptions::{PyException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pyo3::create_exception!(
    kalahari,
    Late,
    PyException,
    "Raised by the functions of a `Guest` that has not answered in time: it loses the game on time."
);

/// An agent written in Python, as matches and servers take it.
///
/// `make` returns a pair for every thread that plays: a function from a position and limits to a move, and one that gets
/// the seed of every new game, or None. `interrupt`, if it is given, is called when Ctrl-C was pressed: it makes those
/// functions end. `watch`, if it is given, is called many times a second while games are played: an exception in it ends them.
#[pyclass(frozen, module = "kalahari", name = "Guest")]
pub(crate) struct PyGuest {
    name: String,
    host: Arc<Host>,
}

/// What all agents of a guest share.
struct Host {
    checksum: String,
    make: Py<PyAny>,
    interrupt: Option<Py<PyAny>>,
    watch: Option<Py<PyAny>>,
    deterministic: bool,
    /// Whether an exception ends the match instead of losing a game.
    raises: bool,
    trouble: Mutex<Trouble>,
}

/// The first exception, and what to stop then.
#[derive(Default)]
struct Trouble {
    first: Option<PyErr>,
    stop: Option<Stop>,
}

#[pymethods]
impl PyGuest {
    #[new]
    #[pyo3(signature = (name, checksum, make, *, interrupt=None, watch=None, deterministic=false, raises=true))]
    fn new(
        name: String,
        checksum: String,
        make: Py<PyAny>,
        interrupt: Option<Py<PyAny>>,
        watch: Option<Py<PyAny>>,
        deterministic: bool,
        raises: bool,
    ) -> PyResult<Self> {
        let host = Host {
            checksum,
            make,
            interrupt,
            watch,
            deterministic,
            raises,
            trouble: Mutex::default(),
        };
        let guest = PyGuest {
            name,
            host: Arc::new(host),
        };
        guest.spec()?;
        Ok(guest)
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    fn __repr__(&self) -> String {
        format!("Guest('{}')", self.name)
    }
}

impl PyGuest {
    pub(crate) fn spec(&self) -> PyResult<AgentSpec> {
        let guest = Invited(Arc::clone(&self.host));
        AgentSpec::guest(&self.name, Arc::new(guest)).map_err(Raise::raise)
    }

    /// From now on an exception of the guest requests this stop, if the guest raises.
    pub(crate) fn stops(&self, stop: &Stop) {
        let mut trouble = self.host.trouble();
        trouble.stop = Some(stop.clone());
        trouble.first = None;
    }

    /// Calls its `watch`, if it has one.
    pub(crate) fn look(&self, py: Python<'_>) -> PyResult<()> {
        match &self.host.watch {
            Some(watch) => watch.call0(py).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Makes its functions end, whatever they are doing.
    pub(crate) fn interrupt(&self, py: Python<'_>) {
        if let Some(interrupt) = &self.host.interrupt
            && let Err(error) = interrupt.call0(py)
        {
            error.write_unraisable(py, None);
        }
    }

    /// The exception that ended the match.
    pub(crate) fn exception(&self) -> Option<PyErr> {
        self.host.trouble().first.take()
    }
}

impl Host {
    fn trouble(&self) -> std::sync::MutexGuard<'_, Trouble> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An exception as a failure; the first one is kept if it is to be raised. Ctrl-C is always raised; `exit()` counts like any other exception.
    /// An agent that is late has only lost on time.
    fn failed(&self, py: Python<'_>, error: PyErr, failure: fn(String) -> Failure) -> Failure {
        if error.is_instance_of::<Late>(py) {
            return Failure::TimedOut(error.value(py).to_string());
        }
        let text = error.to_string();
        if self.raises || error.is_instance_of::<PyKeyboardInterrupt>(py) {
            let mut trouble = self.trouble();
            if trouble.first.is_none() {
                trouble.first = Some(error.clone_ref(py));
                if let Some(stop) = &trouble.stop {
                    stop.request();
                }
            }
        }
        failure(text)
    }
}

/// The guest, as the crates see it.
struct Invited(Arc<Host>);

impl Guest for Invited {
    fn agent(&self, game: &AnyGame) -> Result<Box<dyn Agent<AnyGame>>, Failure> {
        Python::attach(|py| {
            let pair = self.0.make.call0(py).and_then(|pair| pair.extract(py));
            let (choose, begin): (Py<PyAny>, Option<Py<PyAny>>) =
                pair.map_err(|error: PyErr| Failure::Crashed(error.to_string()))?;
            let agent = GuestAgent {
                game: PyGame {
                    game: shared(game.spec(), false),
                    any_total: false,
                },
                choose,
                begin,
                not_begun: None,
                limits: None,
                host: Arc::clone(&self.0),
            };
            Ok(Box::new(agent) as Box<dyn Agent<AnyGame>>)
        })
    }

    fn checksum(&self) -> &str {
        &self.0.checksum
    }
}

/// A guest that plays a game.
struct GuestAgent {
    game: PyGame,
    choose: Py<PyAny>,
    begin: Option<Py<PyAny>>,
    /// Why it could not begin the game: then it loses with its first move.
    not_begun: Option<Failure>,
    /// The limits of the last move, which are mostly those of the next.
    limits: Option<(Limits, Py<PyLimits>)>,
    host: Arc<Host>,
}

impl GuestAgent {
    fn limits<'py>(&mut self, py: Python<'py>, limits: Limits) -> PyResult<Bound<'py, PyLimits>> {
        match &self.limits {
            Some((known, made)) if *known == limits => Ok(made.bind(py).clone()),
            _ => {
                let made = Bound::new(py, PyLimits(limits))?;
                self.limits = Some((limits, made.clone().unbind()));
                Ok(made)
            }
        }
    }

    /// Asks the function for a move, which is legal.
    fn ask(
        &mut self,
        py: Python<'_>,
        task: &Task<'_, AnyGame>,
    ) -> Result<kalahari_games::AnyMove, Failure> {
        let position = PyPosition {
            game: self.game.clone(),
            position: task.position,
        };
        let limits = self.limits(py, task.limits);
        let answer = limits.and_then(|limits| self.choose.bind(py).call1((position, limits)));
        let answer = answer.map_err(|error| self.host.failed(py, error, Failure::Crashed))?;
        let rules = &self.game.game;
        moves::from_python(rules, &answer)
            .and_then(|mv| match rules.is_legal(&task.position, mv) {
                true => Ok(mv),
                false => Err(rules.why_illegal(&task.position, mv).raise()),
            })
            .map_err(|error| self.host.failed(py, error, Failure::Illegal))
    }
}

impl Agent<AnyGame> for GuestAgent {
    fn think(&mut self, task: Task<'_, AnyGame>) -> Result<AnyReport, Failure> {
        let begin = task.stop.now();
        if let Some(failure) = &self.not_begun {
            return Err(failure.clone());
        }
        let best = match self.game.game.is_over(&task.position) {
            true => None,
            false => Some(Python::attach(|py| self.ask(py, &task))?),
        };
        Ok(AnyReport {
            best,
            score: Score::unknown(self.game.game.to_move(&task.position)),
            line: best.into_iter().collect(),
            moves: Vec::new(),
            depth: 0,
            nodes: 0,
            outlook: None,
            elapsed: task.stop.now().saturating_sub(begin).max(Duration::ZERO),
        })
    }

    fn forget(&mut self, rng_seed: u64) {
        if let Some(begin) = &self.begin {
            self.not_begun = Python::attach(|py| {
                let error = begin.call1(py, (rng_seed,)).err()?;
                Some(self.host.failed(py, error, Failure::Crashed))
            });
        }
    }

    fn is_deterministic(&self) -> bool {
        self.host.deterministic
    }
}
