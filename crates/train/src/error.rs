//! Errors of training data and saved trainings.

use kalahari_dataset::DatasetError;
use kalahari_games::GameSpec;
use kalahari_games::kalah::CaptureRule;
use kalahari_storage::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a net cannot be trained.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A shard cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A shard or a saved training cannot be read, or a training cannot be saved.
    #[error(transparent)]
    File(#[from] FileError),
    /// A shard is of a game that has no nets.
    #[error("{}: rows of {game}; there are nets for Kalah only", path.display())]
    NoKalah {
        /// The shard.
        path: PathBuf,
        /// Its game.
        game: GameSpec,
    },
    /// Shards are of boards that cannot share a net.
    #[error("{}: rows of {game}, but the shards before it have {pits} pits and the rule {rule}", path.display())]
    OtherBoard {
        /// The shard.
        path: PathBuf,
        /// Its game.
        game: GameSpec,
        /// The pits per side of the shards before it.
        pits: usize,
        /// The capture rule of the shards before it.
        rule: CaptureRule,
    },
    /// A label is not in seeds.
    #[error("{}: a label is not in seeds; label the rows with the engine or exactly", path.display())]
    NoSeeds {
        /// The shard.
        path: PathBuf,
    },
    /// A shard has no rows.
    #[error("{}: a shard without rows; leave it out, or make it again", .0.display())]
    Empty(PathBuf),
    /// There are not enough games to hold some of them out.
    #[error(
        "{rows} rows of too few games; whole games are held out to test the net, so make more rows"
    )]
    TooFew {
        /// How many rows there are.
        rows: usize,
    },
}
