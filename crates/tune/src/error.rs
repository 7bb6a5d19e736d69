//! What can go wrong when tuning.

use kalahari_agents::{AgentError, AgentSpec};
use kalahari_arena::sqlite::FileProblem;
use kalahari_arena::{ArenaError, UnknownName};
use kalahari_search::ParameterError;
use thiserror::Error;

/// Why a tuning run fails.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The parameters are not valid.
    #[error("bad parameters: {0}")]
    Parameters(#[from] SpaceError),
    /// The run is not valid.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An agent, an opening or a game has a problem.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The store cannot be used.
    #[error("store {file}: {problem}")]
    Store {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: FileProblem,
    },
    /// Two processes are working on the same run.
    #[error(
        "store {file}: another process is working on the same run, number {run}; what it has played is kept. Wait for it, or use another seed or store"
    )]
    Twice {
        /// The file.
        file: String,
        /// The run.
        run: i64,
    },
    /// This machine would play different games.
    #[error(
        "this machine would not play as the run requires: {changes}; give it the same program and the same files"
    )]
    OtherIdentity {
        /// What is different, as text.
        changes: String,
    },
    /// A sample of the store cannot be read.
    #[error("store {file}: sample {number} of run {run} cannot be read")]
    Sample {
        /// The file.
        file: String,
        /// The run.
        run: i64,
        /// The sample.
        number: u32,
    },
}

impl From<AgentError> for TuneError {
    fn from(error: AgentError) -> Self {
        TuneError::Arena(error.into())
    }
}

/// What is wrong with a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// There is no opponent.
    #[error("CLOP needs an opponent: --against AGENT")]
    NoOpponent,
    /// The run has no games.
    #[error("a run needs at least one game")]
    NoGames,
    /// The method is unknown.
    #[error(transparent)]
    Method(#[from] UnknownName),
    /// A sample has a different number of parameters than the run.
    #[error("sample {0} has a different number of parameters")]
    OtherParameters(u32),
}

/// What is wrong with parameters.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpaceError {
    /// A parameter `name=low..high` is wrong.
    #[error("'{axis}': {problem}")]
    Axis {
        /// The parameter, as it was written.
        axis: String,
        /// What is wrong with it.
        problem: AxisProblem,
    },
    /// A parameter line is wrong.
    #[error("'{line}': {problem}")]
    Line {
        /// The line.
        line: String,
        /// What is wrong with it.
        problem: LineProblem,
    },
    /// The agent has no such parameter.
    #[error("{agent} has no parameter '{name}'; {}", there_are(known))]
    Unknown {
        /// The agent.
        agent: AgentSpec,
        /// The parameter.
        name: String,
        /// The parameters it has.
        known: Vec<&'static str>,
    },
    /// Two parameters have the same name.
    #[error("'{0}' is named twice")]
    Twice(String),
    /// There are no parameters.
    #[error("there are none")]
    None,
    /// There are more parameters than a full quadratic function can sensibly have.
    #[error("there are more than {0}")]
    TooMany(usize),
}

fn there_are(known: &[&str]) -> String {
    match known.is_empty() {
        true => "it has none".to_owned(),
        false => format!("there are {}", known.join(", ")),
    }
}

/// What is wrong with a parameter's range.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AxisProblem {
    /// It does not have the right form.
    #[error("a parameter is written name=low..high, and :int or :log may follow")]
    Form,
    /// A limit is not a number.
    #[error("'{0}' is not a number")]
    Number(String),
    /// An unknown word follows the range.
    #[error("'{0}' is neither int nor log")]
    Word(String),
    /// The name is missing.
    #[error("the name is missing")]
    NoName,
    /// The limits are equal.
    #[error("the range is empty")]
    Empty,
    /// The limits are in the wrong order.
    #[error("the range is reversed: the smaller number comes first")]
    Reversed,
    /// The range of a log scale does not begin above 0.
    #[error("a log scale must begin above 0")]
    Log,
    /// The parameter is a whole number, but its limits are not.
    #[error("the limits of a whole number must be whole numbers")]
    Whole,
    /// SPSA moves by differences, so it cannot use a log scale.
    #[error("SPSA has no log scale")]
    NoLogScale,
    /// The agent does not accept a value.
    #[error(transparent)]
    Value(#[from] ParameterError),
}

/// What is wrong with a parameter line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineProblem {
    /// It does not have the right form.
    #[error("a line is name, int|float, start, min, max, c_end, r_end")]
    Form,
    /// A field is not a number.
    #[error("{what} must be a number, not '{word}'")]
    Number {
        /// The name of the field.
        what: &'static str,
        /// The text of the field.
        word: String,
    },
    /// The kind of number is unknown.
    #[error("'{0}' is neither int nor float")]
    Kind(String),
    /// The name is missing.
    #[error("the name is missing")]
    NoName,
    /// The limits and the start are not in order.
    #[error("min must be below max, and start between them")]
    Order,
    /// A step is not above 0.
    #[error("c_end and r_end must be above 0")]
    Gains,
}
