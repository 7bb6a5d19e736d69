//! What is not as it should be.

use kalahari_exact::prover::ProverError;
use kalahari_exact::tablebase::{BuildError, VerifyError};
use kalahari_games::{IllegalMove, PositionError};
use std::fmt::Debug;
use thiserror::Error;

/// What was found instead of what is known.
#[derive(Debug, Error)]
pub enum Difference {
    /// Another answer.
    #[error("{what}: {found} instead of {known}")]
    Other {
        /// What was asked.
        what: String,
        /// What was found.
        found: String,
        /// What is known.
        known: String,
    },
    /// A known position that is refused.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A known move, or one of a proven line, that is refused.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A tablebase value that contradicts those of the position's successors.
    #[error(transparent)]
    Tablebase(#[from] VerifyError),
    /// Nothing was found, for example because there was not enough memory.
    #[error(transparent)]
    Prover(#[from] ProverError),
    /// The same for a tablebase.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Difference {
    /// Nothing, if both are the same.
    pub(crate) fn between<T: PartialEq + Debug>(
        what: impl Into<String>,
        found: T,
        known: T,
    ) -> Result<(), Difference> {
        match found == known {
            true => Ok(()),
            false => Err(Difference::Other {
                what: what.into(),
                found: format!("{found:?}"),
                known: format!("{known:?}"),
            }),
        }
    }
}
