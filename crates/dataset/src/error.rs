//! What can go wrong with a dataset.

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
    "delete the file or move it away; `kalahari dataset build` makes a lost shard again";

/// A file of rows, where its dataset is named anyway.
pub(crate) static OTHER_SHARD: FileKind = FileKind {
    name: "shard",
    if_missing: "make it with `kalahari dataset build`",
    if_bad: BAD_SHARD,
};

/// An empty file where one of rows should be.
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
    /// There is no such agent.
    #[error(transparent)]
    Agent(Box<AgentError>),
    /// An agent did not answer.
    #[error("{agent} gave no move: {failure}")]
    Failed {
        /// Which.
        agent: Box<AgentSpec>,
        /// What happened.
        #[source]
        failure: Failure,
    },
    /// Nothing could be proven.
    #[error(transparent)]
    Prover(Box<ProverError>),
    /// The store of games is not usable.
    #[error(transparent)]
    Arena(Box<ArenaError>),
    /// A game of the store cannot be played.
    #[error("game {number} of match {match_id}: {problem}")]
    Replay {
        /// Its match.
        match_id: String,
        /// Its number, from 1.
        number: u32,
        /// Why.
        problem: Box<ReplayError>,
    },
    /// What was asked for cannot be made.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The folder has another dataset.
    #[error(
        "{}: another dataset is there ({changes}); build into another folder{hint}",
        folder.display()
    )]
    Other {
        /// The folder.
        folder: PathBuf,
        /// What is different, in words.
        changes: String,
        /// What else could be done.
        hint: &'static str,
    },
    /// The shards belong to different games.
    #[error("{}: its rows are of {found}, those before of {wanted}; give shards of one game", path.display())]
    OtherGame {
        /// The first shard of another game.
        path: PathBuf,
        /// Its game.
        found: GameSpec,
        /// The game of those before.
        wanted: GameSpec,
    },
    /// A file to be written has a name that readers would not understand.
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

/// What is wrong with what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecipeError {
    /// A range cannot be read.
    #[error(
        "bad range '{0}': two numbers such as 10..30, both included, the first from 1 on; or one number"
    )]
    Range(String),
    /// A share cannot be read.
    #[error("bad share '{0}': from 0 to 1, or in percent, such as 25%")]
    Share(String),
    /// More is wanted than the game has.
    #[error("{game} has positions with {least} to {most} {things}, not with {range}")]
    OutOfRange {
        /// The game.
        game: GameSpec,
        /// Seeds in the pits or free cells.
        things: &'static str,
        /// The fewest.
        least: u32,
        /// The most.
        most: u32,
        /// What was asked for.
        range: String,
    },
    /// Time differs from run to run.
    #[error(
        "{0} is limited by time, so no two runs would give the same rows; give it nodes= or depth=, as in engine:nodes=20000"
    )]
    Clock(AgentSpec),
    /// Many threads differ from run to run.
    #[error(
        "{0} thinks with several threads, so no two runs would give the same rows; leave threads= out: rows are made on all cores anyway"
    )]
    Threads(AgentSpec),
    /// Shards without rows, or with too many.
    #[error("a shard has 1 to {most} rows, not {0}", most = crate::recipe::MOST_ROWS)]
    Rows(u64),
}
