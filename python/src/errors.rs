//! Errors as Python exceptions, with the messages of the command line.

use kalahari_agents::{AgentError, NoAnswer};
use kalahari_arena::stats::SprtError;
use kalahari_arena::{ArenaError, OpeningsError, TimeControlError, UnknownName};
use kalahari_exact::prover::ProverError;
use kalahari_exact::tablebase::BuildError;
use kalahari_games::{IllegalMove, MoveTextError, PositionError, SpecError};
use kalahari_search::eval::EvalError;
use kalahari_storage::FileError;
use kalahari_terms::{DurationError, Failure};
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError,
    PyValueError,
};

/// The message of an error, shortened if it quotes a very long text.
pub(crate) fn said(error: &impl std::fmt::Display) -> String {
    /// How many characters of either end of a long message are kept.
    const ENDS: usize = 300;
    let text = error.to_string();
    let count = text.chars().count();
    if count <= 2 * ENDS {
        return text;
    }
    let begin: String = text.chars().take(ENDS).collect();
    let end: String = text.chars().skip(count - ENDS).collect();
    format!("{begin} ... {end}")
}

/// An error that becomes an exception.
pub(crate) trait Raise {
    fn raise(self) -> PyErr;
}

/// A thing that does not exist was asked for: `ValueError`.
macro_rules! bad_values {
    ($($error:ty),* $(,)?) => {
        $(impl Raise for $error {
            fn raise(self) -> PyErr {
                PyValueError::new_err(said(&self))
            }
        })*
    };
}

bad_values!(
    SpecError,
    PositionError,
    MoveTextError,
    IllegalMove,
    AgentError,
    DurationError,
    EvalError,
    OpeningsError,
    SprtError,
    TimeControlError,
    UnknownName,
);

impl Raise for Failure {
    fn raise(self) -> PyErr {
        PyRuntimeError::new_err(said(&self))
    }
}

impl Raise for NoAnswer {
    fn raise(self) -> PyErr {
        match self {
            NoAnswer::Agent(error) => error.raise(),
            NoAnswer::Failed(failure) => failure.raise(),
            NoAnswer::Panicked | NoAnswer::NoThread => PyRuntimeError::new_err(said(&self)),
        }
    }
}

impl Raise for FileError {
    fn raise(self) -> PyErr {
        match self.is_missing() {
            true => PyFileNotFoundError::new_err(said(&self)),
            false => PyOSError::new_err(said(&self)),
        }
    }
}

impl Raise for BuildError {
    fn raise(self) -> PyErr {
        match self {
            BuildError::TooManySeeds { .. } => PyValueError::new_err(said(&self)),
            _ => PyMemoryError::new_err(said(&self)),
        }
    }
}

impl Raise for ProverError {
    fn raise(self) -> PyErr {
        match self {
            ProverError::File(error) => error.raise(),
            ProverError::Build(error) => error.raise(),
            ProverError::Solver(error) => PyMemoryError::new_err(said(&error)),
            ProverError::Saved(error) => PyOSError::new_err(said(&error)),
            ProverError::OtherGame(_) => PyValueError::new_err(said(&self)),
        }
    }
}

impl Raise for ArenaError {
    fn raise(self) -> PyErr {
        match self {
            ArenaError::Agent(error) => error.raise(),
            ArenaError::Store { .. } | ArenaError::Pictures { .. } => {
                PyOSError::new_err(said(&self))
            }
            ArenaError::Judge(failure) => failure.raise(),
            ArenaError::Interrupted => PyKeyboardInterrupt::new_err(()),
            ArenaError::Openings(_)
            | ArenaError::Record(_)
            | ArenaError::Replay(_)
            | ArenaError::Unfinished
            | ArenaError::Match(_) => PyValueError::new_err(said(&self)),
        }
    }
}
