//! What can be wrong with what a net should learn from.

use kalahari_dataset::DatasetError;
use kalahari_games::GameSpec;
use kalahari_games::kalah::CaptureRule;
use kalahari_storage::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// Why nothing can be learned.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A shard cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A training that was put away cannot be taken up or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A shard of a game that has no nets.
    #[error("{}: rows of {game}; there are nets for Kalah only", path.display())]
    NoKalah {
        /// The shard.
        path: PathBuf,
        /// Its game.
        game: GameSpec,
    },
    /// Shards of boards that cannot share a net.
    #[error("{}: rows of {game}, but the shards before it have {pits} pits and the rule {rule}", path.display())]
    OtherBoard {
        /// The shard.
        path: PathBuf,
        /// Its game.
        game: GameSpec,
        /// The pits of those before.
        pits: usize,
        /// The rule of those before.
        rule: CaptureRule,
    },
    /// A label that is not counted in seeds.
    #[error("{}: a label that counts no seeds; label the rows by the engine or exactly", path.display())]
    NoSeeds {
        /// The shard.
        path: PathBuf,
    },
    /// A shard without rows.
    #[error("{}: a shard without rows; leave it out, or make it again", .0.display())]
    Empty(PathBuf),
    /// Not enough games to hold some of them out.
    #[error(
        "{rows} rows of too few games; some whole games are held out to see what was learned, so make more"
    )]
    TooFew {
        /// How many rows there are.
        rows: usize,
    },
}
