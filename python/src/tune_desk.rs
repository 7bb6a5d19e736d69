//! A tuning run whose samples are played by workers, for `kalahari.cluster.tune`.

use crate::cluster::hands;
use crate::errors::{Raise, said};
use crate::interrupt::interruptible;
use kalahari_terms::Stop;
use kalahari_tune::{
    Assignment, Desk, SampleTask, TuneError, TuneSpec, play_sample as tune_play_sample,
};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

impl Raise for TuneError {
    fn raise(self) -> PyErr {
        match self {
            TuneError::Arena(error) => error.raise(),
            _ => PyValueError::new_err(said(&self)),
        }
    }
}

fn json_error(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(said(&error))
}

/// A tuning run whose samples are played by workers.
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
    /// Takes a run, as JSON, and a store.
    #[new]
    #[pyo3(signature = (spec, db=None))]
    fn new(py: Python<'_>, spec: &str, db: Option<PathBuf>) -> PyResult<Self> {
        let spec: TuneSpec = serde_json::from_str(spec).map_err(json_error)?;
        let stop = Stop::new();
        let spec = interruptible(py, &stop, || spec.checked(&stop))?;
        let spec = spec.map_err(Raise::raise)?;
        let desk = interruptible(py, &stop, || Desk::open(spec, db.as_deref(), &stop))?;
        Ok(TuneDesk {
            desk: Mutex::new(desk.map_err(Raise::raise)?),
        })
    }

    /// How many samples are finished, and how many there are.
    fn standing(&self) -> (u32, u32) {
        let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        (desk.finished(), desk.spec().samples())
    }

    /// What workers need, as JSON: the run with all that was filled in, and what its games depend on.
    fn assignment(&self) -> PyResult<String> {
        let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        serde_json::to_string(desk.assignment()).map_err(json_error)
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

/// Plays a sample of a run and returns the games won, drawn and lost in each of its meetings.
#[pyfunction]
pub(crate) fn play_sample(
    py: Python<'_>,
    assignment: &str,
    sample: &str,
) -> PyResult<Vec<[u32; 3]>> {
    let assignment: Assignment = serde_json::from_str(assignment).map_err(json_error)?;
    let task: SampleTask = serde_json::from_str(sample).map_err(json_error)?;
    let stop = Stop::new();
    let hands = hands(1, &stop);
    let played = interruptible(py, &stop, || tune_play_sample(&assignment, &task, &hands))?;
    let played = played.map_err(Raise::raise)?;
    played.ok_or_else(|| PyRuntimeError::new_err("stopped"))
}
