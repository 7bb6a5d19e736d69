//! What can be wrong with the name and the options of an evaluation.

use crate::ParameterError;
use kalahari_games::GameSpec;
use kalahari_storage::FileError;
use std::io;
use thiserror::Error;

/// Why there is no such evaluation.
#[derive(Debug, Error)]
pub enum EvalError {
    /// No evaluation has this name.
    #[error("no evaluation '{name}' for this game; there are {}", known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// All names there are.
        known: Vec<&'static str>,
    },
    /// A parameter is not there or has a wrong value.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// No net of the program is for this game.
    #[error("the program has no net for {game}; train one and name its file: net:FILE")]
    NoNet {
        /// The game.
        game: GameSpec,
    },
    /// The file of a net cannot be used.
    #[error(transparent)]
    Net(FileError),
    /// The file that it should be made from cannot be used.
    #[error("{path}: {problem}")]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: FileProblem,
    },
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileProblem {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(io::ErrorKind),
    /// A line does not look like the others.
    #[error("line {line} is not a name and two numbers")]
    Line {
        /// Which line, from 1.
        line: usize,
    },
    /// Something is missing.
    #[error("'{0}' is missing")]
    Missing(&'static str),
}
