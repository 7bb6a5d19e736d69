//! Errors of proofs.

use crate::{Content, Fault};
use kalahari_arena::sqlite::FileProblem;
use kalahari_exact::book::WalkError;
use kalahari_exact::prover::ProverError;
use kalahari_games::{GameSpec, PositionError};
use thiserror::Error;

/// Why a proof cannot start or continue.
#[derive(Debug, Error)]
pub enum ProveError {
    /// The journal cannot be used.
    #[error("journal {file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        problem: FileProblem,
    },
    /// A row of the journal, or a line of an export, is damaged.
    #[error("journal {file}: {what} is damaged; start a new journal, or continue from an export")]
    Damaged {
        /// The file.
        file: String,
        /// The damaged part.
        what: String,
    },
    /// The journal is about another game or position.
    #[error("journal {file} is about {found}, not about {wanted}; name another file")]
    OtherGame {
        /// The file.
        file: String,
        /// What it is about.
        found: String,
        /// What it should be about.
        wanted: String,
    },
    /// Only Kalah can be proven in pieces.
    #[error("{0} cannot be proven in pieces; only Kalah can")]
    NotKalah(GameSpec),
    /// Boards of this size have no books.
    #[error(transparent)]
    NoBook(#[from] WalkError),
    /// Rows contradict each other: the lower bound of a position is above its upper bound.
    #[error(
        "the bounds of {0} contradict each other; `kalahari prove --check FILE --sample all` finds the wrong one"
    )]
    Contradiction(Content),
    /// The position makes no sense.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The prover failed.
    #[error(transparent)]
    Prover(#[from] ProverError),
    /// A check has found something wrong.
    #[error(transparent)]
    Fault(#[from] Fault),
}
