//! Errors in an agent's spec.

use crate::AgentKind;
use kalahari_exact::prover::ProverError;
#[cfg(not(target_family = "wasm"))]
use kalahari_protocol::EngineError;
use kalahari_search::ParameterError;
use kalahari_search::eval::EvalError;
use kalahari_terms::{DurationError, Failure};
use thiserror::Error;

/// Why an agent cannot be made from a spec.
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
    /// The name is missing.
    #[error("the name is missing")]
    NoName,
    /// A text that cannot be a name.
    #[error(
        "the part before the = is a name, as in mybot=py:bot.py; it must have 1 to 40 characters and no colon, comma or slash"
    )]
    BadName,
    /// No agent has this name.
    #[error(
        "no agent '{0}'; there are {known}; a Python file is named with its ending, as in mybot.py",
        known = all_names()
    )]
    UnknownName(String),
    /// No agent has this name, but a Python file has it, apart from its ending.
    #[error("no agent '{name}'; did you mean {name}.py?")]
    ForgottenEnding {
        /// The name.
        name: String,
    },
    /// A control character, which would garble lists and terminals.
    #[error("it contains a control character")]
    ControlCharacter,
    /// An option is given twice.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// An option that this agent does not have.
    #[error("unknown option '{option}'; there are: {known}")]
    UnknownOption {
        /// The option.
        option: String,
        /// The options that it has.
        known: String,
    },
    /// A word that is not an option.
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
    /// A table that does not fit into the free memory of this machine.
    #[error("hash={wanted}: this machine has memory for a table of at most {most} MiB")]
    NoMemory {
        /// The MiB asked for.
        wanted: usize,
        /// The MiB that are available.
        most: usize,
    },
    /// A switch is neither 0 nor 1.
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
    /// The evaluation is not available.
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
        /// The folder.
        folder: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A folder has no bots.
    #[error("there is no bot in it; a bot is a Python file, or a folder with an ai.py")]
    NoBots,
    /// A folder that holds more than one bot where one is expected.
    #[error(
        "it is a folder with more than one Python file and none called ai.py; name one of them, or let all of them play: kalahari tournament FOLDER"
    )]
    ManyBots,
    /// A client's name is missing.
    #[error("write a client's name after the colon, such as kgp:alice")]
    NoClientName,
    /// Clients of the Kalah Game Protocol play only one rule.
    #[error("clients of the Kalah Game Protocol play kalah with the rule standard only, not {0}")]
    NotStandard(kalahari_games::GameSpec),
    /// The address cannot be listened on.
    #[error("cannot listen on {listen}: {source}")]
    Listen {
        /// The address.
        listen: std::net::SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// Other programs cannot be started on this platform, such as a browser.
    #[error("no other programs can be started here")]
    NoPrograms,
    /// The host program does not provide this guest.
    #[error("the host program does not provide this guest")]
    NoGuest,
    /// A guest refuses to play.
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

/// The names of all agents, separated by commas.
fn all_names() -> String {
    AgentKind::ALL.map(AgentKind::name).join(", ")
}

/// Advice for the author of an agent that has failed.
fn hint(failure: &Failure) -> &'static str {
    match failure {
        Failure::TimedOut(_) => "; if it needs more time, try --time 5s",
        Failure::Illegal(_) | Failure::Crashed(_) => "; run `kalahari check` on it for details",
    }
}
