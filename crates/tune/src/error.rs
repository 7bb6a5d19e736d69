//! What can go wrong when tuning.

use kalahari_agents::{AgentError, AgentSpec};
use kalahari_arena::sqlite::FileProblem;
use kalahari_arena::{ArenaError, UnknownName};
use kalahari_search::ParameterError;
use thiserror::Error;

/// Why nothing can be tuned.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The parameters make no sense.
    #[error("bad parameters: {0}")]
    Parameters(#[from] SpaceError),
    /// The run makes no sense.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An agent, an opening or a game.
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
    /// Two processes are at one run.
    #[error(
        "store {file}: another process is working on the same run, number {run}; what it has played is kept. Wait for it, or use another seed or store"
    )]
    Twice {
        /// The file.
        file: String,
        /// The run.
        run: i64,
    },
    /// This machine would play other games.
    #[error(
        "this machine would not play as the run requires: {changes}; give it the same program and the same files"
    )]
    OtherIdentity {
        /// What is different, in words.
        changes: String,
    },
    /// A store's sample makes no sense.
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
    /// Nobody to play against.
    #[error("CLOP needs an opponent: --against AGENT")]
    NoOpponent,
    /// There is nothing to play.
    #[error("a run needs at least one game")]
    NoGames,
    /// A method that nobody knows.
    #[error(transparent)]
    Method(#[from] UnknownName),
    /// A sample of some other run.
    #[error("sample {0} has other parameters")]
    OtherParameters(u32),
}

/// What is wrong with parameters.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpaceError {
    /// One of `name=low..high` is wrong.
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
        /// Those it has.
        known: Vec<&'static str>,
    },
    /// Two of the same name.
    #[error("'{0}' is named twice")]
    Twice(String),
    /// Nothing to tune.
    #[error("there are none")]
    None,
    /// More than a full quadratic function can sensibly have.
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
    /// It does not look like one.
    #[error("a parameter is written name=low..high, and :int or :log may follow")]
    Form,
    /// No number.
    #[error("'{0}' is not a number")]
    Number(String),
    /// An unknown word behind it.
    #[error("'{0}' is neither int nor log")]
    Word(String),
    /// No name.
    #[error("the name is missing")]
    NoName,
    /// Nothing is between the limits.
    #[error("the range is empty")]
    Empty,
    /// The limits are in the wrong order.
    #[error("the range is reversed: the smaller number comes first")]
    Reversed,
    /// There is no logarithm of nothing.
    #[error("a log scale must begin above 0")]
    Log,
    /// Whole numbers have whole limits.
    #[error("the limits of a whole number must be whole numbers")]
    Whole,
    /// SPSA moves by differences.
    #[error("SPSA has no log scale")]
    NoLogScale,
    /// The agent does not take a value.
    #[error(transparent)]
    Value(#[from] ParameterError),
}

/// What is wrong with a parameter line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineProblem {
    /// It does not look like one.
    #[error("a line is name, int|float, start, min, max, c_end, r_end")]
    Form,
    /// No number.
    #[error("{what} must be a number, not '{word}'")]
    Number {
        /// Which.
        what: &'static str,
        /// What stands there.
        word: String,
    },
    /// No kind of number.
    #[error("int or float, not '{0}'")]
    Kind(String),
    /// No name.
    #[error("the name is missing")]
    NoName,
    /// Limits and start.
    #[error("min must be below max, and start between them")]
    Order,
    /// Steps of nothing.
    #[error("c_end and r_end must be above 0")]
    Gains,
}
