//! Why a proof does not go on.

use crate::{Content, Fault};
use kalahari_arena::sqlite::FileProblem;
use kalahari_exact::book::WalkError;
use kalahari_exact::prover::ProverError;
use kalahari_games::{GameSpec, PositionError};
use thiserror::Error;

/// Why a proof could not be begun, or not go on.
#[derive(Debug, Error)]
pub enum ProveError {
    /// The journal cannot be used.
    #[error("journal {file}: {problem}")]
    File {
        /// Which file.
        file: String,
        /// What is wrong.
        problem: FileProblem,
    },
    /// A row of the journal, or a line of an export, is not what was written.
    #[error("journal {file}: {what} is damaged; begin a new journal, or go on from an export")]
    Damaged {
        /// Which file.
        file: String,
        /// Which part.
        what: String,
    },
    /// The journal is about another game or position.
    #[error("journal {file} is about {found}, not about {wanted}; name another file")]
    OtherGame {
        /// Which file.
        file: String,
        /// What it is about.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// Only Kalah is proven in pieces.
    #[error("{0} cannot be proven in pieces; only Kalah can")]
    NotKalah(GameSpec),
    /// Boards of this size have no books.
    #[error(transparent)]
    NoBook(#[from] WalkError),
    /// The rows say that a position is worth at least something and at most less.
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
