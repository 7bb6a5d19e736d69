//! Why a player gave no move.

use thiserror::Error;

/// Why a player gave no move: it runs in another program, and that program hung, died or sent nonsense.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
pub enum Failure {
    /// It did not answer in time.
    #[error("timed out: {0}")]
    TimedOut(String),
    /// What it answered is not a legal move.
    #[error("illegal: {0}")]
    Illegal(String),
    /// It ended, or could not be started.
    #[error("crashed: {0}")]
    Crashed(String),
}

impl Failure {
    /// What happened, without the kind of failure.
    pub fn detail(&self) -> &str {
        match self {
            Failure::TimedOut(detail) | Failure::Illegal(detail) | Failure::Crashed(detail) => {
                detail
            }
        }
    }
}
