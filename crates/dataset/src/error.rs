//! Errors of datasets, and the kinds of files that they consist of.

use kalahari_agents::{AgentError, AgentSpec};
use kalahari_arena::{ArenaError, ReplayError};
use kalahari_exact::prover::ProverError;
use kalahari_games::GameSpec;
use kalahari_storage::{FileError, FileKind};
use kalahari_terms::Failure;
use std::path::PathBuf;
use thiserror::Error;

/// A file of rows.
pub static SHARD: FileKind = FileKind {
    name: "shard of a dataset",
    if_missing: "make one with `kalahari dataset build`",
    if_bad: BAD_SHARD,
};

/// What to do about a file of rows that cannot be used.
const BAD_SHARD: &str =
    "delete the file or move it away; `kalahari dataset build` makes a missing shard again";

/// A file of rows, for messages that name its dataset themselves.
pub(crate) static OTHER_SHARD: FileKind = FileKind {
    name: "shard",
    if_missing: "make it with `kalahari dataset build`",
    if_bad: BAD_SHARD,
};

/// An empty file in place of a file of rows.
pub(crate) static EMPTY_SHARD: FileKind = FileKind {
    name: "shard of a dataset: the file is empty",
    if_missing: "make it with `kalahari dataset build`",
    if_bad: BAD_SHARD,
};

/// The file that describes a folder of shards.
pub static MANIFEST: FileKind = FileKind {
    name: "manifest of a dataset",
    if_missing: "name a folder that `kalahari dataset build` has made",
    if_bad: "move the folder away, or build into another one",
};

/// Why a dataset cannot be made or read.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// A file is not usable.
    #[error(transparent)]
    File(#[from] FileError),
    /// An agent cannot be made.
    #[error(transparent)]
    Agent(Box<AgentError>),
    /// An agent did not answer.
    #[error("{agent} gave no move: {failure}")]
    Failed {
        /// The agent.
        agent: Box<AgentSpec>,
        /// What happened.
        #[source]
        failure: Failure,
    },
    /// The prover failed.
    #[error(transparent)]
    Prover(Box<ProverError>),
    /// The store of games is not usable.
    #[error(transparent)]
    Arena(Box<ArenaError>),
    /// A game of the store cannot be replayed.
    #[error("game {number} of match {match_id}: {problem}")]
    Replay {
        /// Its match.
        match_id: String,
        /// Its number, from 1.
        number: u32,
        /// Why.
        problem: Box<ReplayError>,
    },
    /// The recipe is not valid.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The folder holds another dataset.
    #[error(
        "{}: the folder holds another dataset ({changes}); build into another folder{hint}",
        folder.display()
    )]
    Other {
        /// The folder.
        folder: PathBuf,
        /// What is different, in words.
        changes: String,
        /// Another way out, or nothing.
        hint: &'static str,
    },
    /// The shards belong to different games.
    #[error("{}: its rows are of {found}, but those of the shards before it are of {wanted}; name shards of one game only", path.display())]
    OtherGame {
        /// The first shard of another game.
        path: PathBuf,
        /// Its game.
        found: GameSpec,
        /// The game of the shards before it.
        wanted: GameSpec,
    },
    /// The file to be written does not have the extension of a Parquet file.
    #[error("{}: rows are merged into a Parquet file; give it a name that ends in .parquet", .0.display())]
    Name(PathBuf),
    /// There are no rows at all.
    #[error("no rows: {0}")]
    Empty(String),
}

macro_rules! boxed {
    ($($variant:ident($of:ty)),*) => {$(
        impl From<$of> for DatasetError {
            fn from(error: $of) -> Self {
                DatasetError::$variant(Box::new(error))
            }
        }
    )*};
}

boxed!(Agent(AgentError), Prover(ProverError), Arena(ArenaError));

/// What is wrong with a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecipeError {
    /// A range cannot be read.
    #[error(
        "bad range '{0}': give one number, or two such as 10..30, both included; the first must be at least 1"
    )]
    Range(String),
    /// A share cannot be read.
    #[error("bad share '{0}': give a number from 0 to 1, or a percentage such as 25%")]
    Share(String),
    /// The game has no positions with this many seeds or cells left.
    #[error("{game} has positions with {least} to {most} {things}, not with {range}")]
    OutOfRange {
        /// The game.
        game: GameSpec,
        /// What is counted: seeds in the pits or free cells.
        things: &'static str,
        /// The fewest.
        least: u32,
        /// The most.
        most: u32,
        /// What was asked for.
        range: String,
    },
    /// An agent is limited by time, so its results differ from run to run.
    #[error(
        "{0} is limited by time, so no two runs would give the same rows; give it nodes= or depth=, as in engine:nodes=20000"
    )]
    Clock(AgentSpec),
    /// An agent uses several threads, so its results differ from run to run.
    #[error(
        "{0} uses several threads, so no two runs would give the same rows; leave threads= out: rows are made on all cores anyway"
    )]
    Threads(AgentSpec),
    /// Shards would have no rows, or too many.
    #[error("a shard has 1 to {most} rows, not {0}", most = crate::recipe::MOST_ROWS)]
    Rows(u64),
}
