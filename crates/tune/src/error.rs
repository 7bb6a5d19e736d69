//! What can go wrong when tuning.

use kalahari_arena::ArenaError;
use thiserror::Error;

/// Why nothing can be tuned.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The parameters make no sense.
    #[error("bad parameters: {0}")]
    Parameters(String),
    /// The run makes no sense.
    #[error("{0}")]
    Run(String),
    /// An agent, an opening or a game.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The store cannot be used.
    #[error("store {file}: {problem}")]
    Store {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A picture cannot be drawn.
    #[error("picture: {0}")]
    Picture(String),
}
