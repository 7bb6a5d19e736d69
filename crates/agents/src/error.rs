//! What can be wrong with an agent's spec.

use crate::AgentKind;
use kalahari_exact::prover::ProverError;
#[cfg(not(target_family = "wasm"))]
use kalahari_protocol::EngineError;
use kalahari_search::ParameterError;
use kalahari_search::eval::EvalError;
use kalahari_terms::{DurationError, Failure};
use thiserror::Error;

/// Why there is no such agent.
#[derive(Debug, Error)]
#[error("bad agent '{spec}': {problem}")]
pub struct AgentError {
    /// The spec, shortened if it is very long.
    pub spec: String,
    /// What is wrong and what would be right.
    pub problem: AgentProblem,
}

/// What is wrong with a spec.
#[derive(Debug, Error)]
pub enum AgentProblem {
    /// There is no name.
    #[error("the name is missing")]
    NoName,
    /// A text that cannot be a name.
    #[error(
        "the part before the = is a name, as in mybot=py:bot.py; it must have 1 to 40 characters and no colon, comma or slash"
    )]
    BadName,
    /// Nobody has this name.
    #[error("no agent '{0}'; there are {known}", known = all_names())]
    UnknownName(String),
    /// Text that would spoil a list or a terminal.
    #[error("it contains a control character")]
    ControlCharacter,
    /// An option stands there twice.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// An option that this agent does not have.
    #[error("unknown option '{option}'; there are: {known}")]
    UnknownOption {
        /// The option.
        option: String,
        /// Those it has.
        known: String,
    },
    /// A word that is no option.
    #[error("'{0}' is not an option; options look like key=value")]
    NoOption(String),
    /// An option's value cannot be read.
    #[error("{key}={value}: {reason}")]
    Unreadable {
        /// The option.
        key: String,
        /// Its value.
        value: String,
        /// What its reader says.
        reason: String,
    },
    /// A number is out of its range.
    #[error("{key} must be from {least} to {most}, not {value}")]
    OutOfRange {
        /// The option.
        key: String,
        /// The smallest value.
        least: String,
        /// The largest value.
        most: String,
        /// The value given.
        value: String,
    },
    /// A table that this machine has no memory for.
    #[error("hash={wanted}: this machine can give a table {most} MiB at most")]
    NoMemory {
        /// The MiB asked for.
        wanted: usize,
        /// The MiB that can be had.
        most: usize,
    },
    /// A switch is neither on nor off.
    #[error("{key} must be 0 or 1, not '{value}'")]
    NoSwitch {
        /// The option.
        key: String,
        /// The value given.
        value: String,
    },
    /// There is no such level.
    #[error("levels go from level:0 to level:12")]
    NoLevel,
    /// A time cannot be read.
    #[error(transparent)]
    Time(#[from] DurationError),
    /// A tunable number is wrong.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The evaluation cannot be had.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// Tablebases or books cannot be used.
    #[error(transparent)]
    Proofs(#[from] ProverError),
    /// A command is missing or has an open quote.
    #[error(
        "write a command after the colon, such as ugi:./my-agent or exe:./my-agent, and close every quote"
    )]
    NoCommand,
    /// The file of a Python agent is missing.
    #[error("write a Python file after the colon, such as py:mybot.py")]
    NoPythonFile,
    /// There is no such file.
    #[error("there is no file {}", .0.display())]
    MissingFile(std::path::PathBuf),
    /// A folder of bots cannot be read.
    #[error("cannot read {}: {source}", .folder.display())]
    Folder {
        /// Which.
        folder: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A folder of bots has none.
    #[error("there is no bot in it; a bot is a Python file, or a folder with an ai.py")]
    NoBots,
    /// A folder that is no single bot's.
    #[error(
        "it is a folder with more than one Python file and none called ai.py; name one of them, or let all of them play: kalahari tournament FOLDER"
    )]
    ManyBots,
    /// A client's name is missing.
    #[error("write a client's name after the colon, such as kgp:alice")]
    NoClientName,
    /// Clients of the Kalah Game Protocol know one rule only.
    #[error("clients of the Kalah Game Protocol play kalah with the rule standard only, not {0}")]
    NotStandard(kalahari_games::GameSpec),
    /// Nobody can listen there.
    #[error("cannot listen on {listen}: {source}")]
    Listen {
        /// Where.
        listen: std::net::SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// There is no way to start a program here, as in a browser.
    #[error("no other programs can be started here")]
    NoPrograms,
    /// The host program has not brought it along.
    #[error("nobody has brought this guest along")]
    NoGuest,
    /// A guest will not play.
    #[error("{}", .0.detail())]
    Refused(Failure),
    /// The program cannot be started.
    #[cfg(not(target_family = "wasm"))]
    #[error(transparent)]
    Start(#[from] EngineError),
    /// The program was asked for a first move and failed.
    #[error("asked for the first move: {0}{hint}", hint = hint(.0))]
    Failed(#[from] Failure),
}

/// The names of all agents, for a message.
fn all_names() -> String {
    AgentKind::ALL.map(AgentKind::name).join(", ")
}

/// What may help an agent that has failed.
fn hint(failure: &Failure) -> &'static str {
    match failure {
        Failure::TimedOut(_) => "; if it needs more time, try --time 5s",
        Failure::Illegal(_) | Failure::Crashed(_) => "; `kalahari check` on it says more",
    }
}
