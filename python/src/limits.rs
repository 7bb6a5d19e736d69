//! What may be spent on a move.

use crate::errors::Raise;
use crate::numbers::{is_whole, shown, whole, whole_if};
use kalahari_terms::{GameClock, Limits, parse_duration};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use std::time::Duration;

/// What an agent may spend on one move. None means no limit.
///
/// >>> import kalahari
/// >>> limits = kalahari.Limits(nodes=1000, time="100ms")
/// >>> limits.nodes, limits.time, limits.depth
/// (1000, 0.1, None)
///
/// An agent written in Python is given one with every position. Times are in seconds, or texts such as "100ms" or "1.5s".
#[pyclass(frozen, eq, hash, module = "kalahari", name = "Limits")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyLimits(pub(crate) Limits);

/// A time in seconds, or a text such as `100ms`; `name` is what Python calls it.
fn duration(name: &str, time: &Bound<'_, PyAny>) -> PyResult<Duration> {
    if let Ok(text) = time.cast::<PyString>() {
        return parse_duration(text.to_str()?).map_err(Raise::raise);
    }
    // A number too large for a float is not a number of seconds, either.
    let seconds = match time.extract::<f64>() {
        Ok(seconds) if !time.is_instance_of::<PyBool>() => seconds,
        _ if is_whole(time) => f64::INFINITY,
        _ => {
            let got = time.get_type().name()?;
            let message =
                format!("{name} must be a number of seconds or a text such as '100ms', not {got}");
            return Err(PyTypeError::new_err(message));
        }
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        let given = shown(time);
        PyValueError::new_err(format!(
            "{name} must be a number of seconds, at least 0, not {given}"
        ))
    })
}

/// The time of an argument, if there is one.
fn duration_if(name: &str, time: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Duration>> {
    time.map(|time| duration(name, time)).transpose()
}

/// The largest number of threads that may be asked for: more would only overload the machine.
const MOST_THREADS: usize = 1024;

/// This many threads, or as many as there are cores; `what` is what Python calls them.
pub(crate) fn threads(what: &str, wanted: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let cores = || Ok(std::thread::available_parallelism().map_or(1, usize::from));
    wanted.map_or_else(cores, |wanted| whole(what, wanted, 1..=MOST_THREADS))
}

#[pymethods]
impl PyLimits {
    #[new]
    #[pyo3(signature = (*, depth=None, nodes=None, time=None, clock=None, increment=None))]
    fn new(
        depth: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        clock: Option<&Bound<'_, PyAny>>,
        increment: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let increment = duration_if("increment", increment)?;
        let clock = duration_if("clock", clock)?;
        Ok(PyLimits(Limits {
            depth: whole_if("depth", depth, 0..=u32::MAX)?,
            nodes: whole_if("nodes", nodes, 0..=u64::MAX)?,
            time: duration_if("time", time)?,
            clock: clock.map(|remaining| GameClock {
                remaining,
                increment: increment.unwrap_or_default(),
            }),
        }))
    }

    /// How deep to search, in plies.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Limits(depth=8).depth
    /// 8
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.0.depth
    }

    /// How many nodes to search; for Monte Carlo tree search, how many playouts to make.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Limits(nodes=1000).nodes
    /// 1000
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.0.nodes
    }

    /// How long this move may take, in seconds.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Limits(time="250ms").time
    /// 0.25
    #[getter]
    fn time(&self) -> Option<f64> {
        self.0.time.map(|time| time.as_secs_f64())
    }

    /// How much time is left for the rest of the game, in seconds.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Limits(clock=10).clock
    /// 10.0
    #[getter]
    fn clock(&self) -> Option<f64> {
        self.0.clock.map(|clock| clock.remaining.as_secs_f64())
    }

    /// How much time is added to the clock after every move, in seconds.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Limits(clock=10, increment=0.1).increment
    /// 0.1
    #[getter]
    fn increment(&self) -> Option<f64> {
        self.0.clock.map(|clock| clock.increment.as_secs_f64())
    }

    /// How long to think about this move, in seconds: `time`, or a share of the clock that leaves enough for the rest of the game. None
    /// if neither is set.
    ///
    /// >>> import kalahari
    /// >>> kalahari.Limits(time=2).move_time, kalahari.Limits(nodes=5).move_time
    /// (2.0, None)
    /// >>> 0 < kalahari.Limits(clock=10).move_time < 10
    /// True
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
