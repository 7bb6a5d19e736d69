//! What can go wrong in the arena.

use kalahari_agents::AgentError;
use thiserror::Error;

/// Why a match cannot be played, kept or read.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// There is no such agent for this game.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// There are no such openings.
    #[error("bad openings: {0}")]
    Openings(String),
    /// A text is not a record of a game.
    #[error("bad record, line {line}: {problem}")]
    Record {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A record's moves cannot be played.
    #[error("bad record: {0}")]
    Replay(String),
    /// The store cannot be used.
    #[error("store {file}: {problem}")]
    Store {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The match asks for something impossible.
    #[error("{0}")]
    Match(String),
    /// The request to stop came before there was anything to show.
    #[error("interrupted")]
    Interrupted,
    /// Pictures could not be drawn or written.
    #[error("pictures in {directory}: {problem}")]
    Pictures {
        /// Where they were to go.
        directory: String,
        /// What is wrong.
        problem: String,
    },
}
