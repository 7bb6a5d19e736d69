//! What may be spent on a move.

use crate::errors::Raise;
use kalahari_terms::{GameClock, Limits, parse_duration};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::time::Duration;

/// What an agent may spend on one move. What is None does not bind.
///
/// >>> import kalahari
/// >>> limits = kalahari.Limits(nodes=1000, time="100ms")
/// >>> limits.nodes, limits.time, limits.depth
/// (1000, 0.1, None)
///
/// An agent written in Python gets one with every position. `move_time` is the time it should take: the given one, or a share
/// of the game's clock that leaves enough for the rest.
#[pyclass(frozen, eq, hash, module = "kalahari", name = "Limits")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyLimits(pub(crate) Limits);

/// A time in seconds, or a text such as `100ms`.
pub(crate) fn duration(time: &Bound<'_, PyAny>) -> PyResult<Duration> {
    if let Ok(text) = time.cast::<PyString>() {
        return parse_duration(text.to_str()?).map_err(Raise::raise);
    }
    let seconds: f64 = time.extract()?;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("{seconds} seconds is no time")))
}

/// The most threads that anything may have at once: more would only bring the machine down.
const MOST_THREADS: usize = 1024;

/// So many threads, or as many as there are cores; `what` is what Python calls them.
pub(crate) fn threads(what: &str, wanted: Option<usize>) -> PyResult<usize> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    match wanted.unwrap_or_else(cores) {
        count @ 0..=MOST_THREADS => Ok(count.max(1)),
        count => Err(PyValueError::new_err(format!(
            "{what} are from 1 to {MOST_THREADS}, not {count}"
        ))),
    }
}

#[pymethods]
impl PyLimits {
    #[new]
    #[pyo3(signature = (*, depth=None, nodes=None, time=None, clock=None, increment=None))]
    fn new(
        depth: Option<u32>,
        nodes: Option<u64>,
        time: Option<Bound<'_, PyAny>>,
        clock: Option<Bound<'_, PyAny>>,
        increment: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let increment = increment.as_ref().map(duration).transpose()?;
        let clock = clock.as_ref().map(duration).transpose()?;
        Ok(PyLimits(Limits {
            depth,
            nodes,
            time: time.as_ref().map(duration).transpose()?,
            clock: clock.map(|remaining| GameClock {
                remaining,
                increment: increment.unwrap_or_default(),
            }),
        }))
    }

    /// The deepest search, in plies.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.0.depth
    }

    /// The most nodes; for Monte Carlo tree search, playouts.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.0.nodes
    }

    /// The most time for this move, in seconds.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.0.time.map(|time| time.as_secs_f64())
    }

    /// The time left for the rest of the game, in seconds.
    #[getter]
    fn clock(&self) -> Option<f64> {
        self.0.clock.map(|clock| clock.remaining.as_secs_f64())
    }

    /// The time added after every move, in seconds.
    #[getter]
    fn increment(&self) -> Option<f64> {
        self.0.clock.map(|clock| clock.increment.as_secs_f64())
    }

    /// The time to take for this move, in seconds: the given one, or a share of the clock.
    #[getter]
    fn move_time(&self) -> Option<f64> {
        self.0.move_time().map(|time| time.as_secs_f64())
    }

    fn __repr__(&self) -> String {
        let number = |name: &str, value: Option<f64>| value.map(|value| format!("{name}={value}"));
        let parts = [
            number("depth", self.0.depth.map(f64::from)),
            self.0.nodes.map(|nodes| format!("nodes={nodes}")),
            number("time", self.time()),
            number("clock", self.clock()),
            number("increment", self.increment()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!("Limits({})", parts.join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Fields)> {
        let rebuild = slf.py().import("kalahari._rebuild")?.getattr("limits")?;
        let limits = slf.get();
        let fields = (
            limits.depth(),
            limits.nodes(),
            limits.time(),
            limits.clock(),
            limits.increment(),
        );
        Ok((rebuild, fields))
    }
}

/// Everything in the constructor's order, to be pickled.
type Fields = (
    Option<u32>,
    Option<u64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
);
