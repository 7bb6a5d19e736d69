//! What can go wrong with a piece.

use kalahari_arena::{ArenaError, RecordError};
use kalahari_dataset::DatasetError;
use kalahari_exact::book::WalkError;
use kalahari_exact::prover::ProverError;
use kalahari_prove::ProveError;
use kalahari_storage::{FileError, FileKind};
use kalahari_study::ReviewError;
use thiserror::Error;

/// The file of a place.
pub static PLACE_FILE: FileKind = FileKind {
    name: "shard of an experiment",
    if_missing: "make it with `kalahari run EXPERIMENT --shards N --shard K --out DIR`",
    if_bad: "delete the file, and make it again with `kalahari run EXPERIMENT --shards N --shard K --out DIR`",
};

/// The file of a place under the name of another one. It is somebody's work, and stays.
pub(crate) static MISNAMED_FILE: FileKind = FileKind {
    name: "copy",
    if_missing: PLACE_FILE.if_missing,
    if_bad: "it is left as it is; give it back its own name, or move it away",
};

/// A piece that says something else than another one does, or than what pieces are joined in.
pub(crate) static RIVAL_FILE: FileKind = FileKind {
    name: "shard",
    if_missing: PLACE_FILE.if_missing,
    if_bad: "one of the two is wrong: make this shard again into another folder, and delete the one that says something else. If that is \
             what shards were joined in, `kalahari prove --check FILE --sample all` or `kalahari book verify` finds its mistakes; begin a new file then",
};

/// The file of a place of another experiment.
pub static OTHER_PLACE_FILE: FileKind = FileKind {
    name: "shard",
    if_missing: PLACE_FILE.if_missing,
    if_bad: "it is left alone: merge it with the shards of its own experiment, from a folder of their own",
};

/// Games that are to be judged.
pub static GAMES_FILE: FileKind = FileKind {
    name: "file of games to review",
    if_missing: "name a store with --db, or files with records",
    if_bad: "plan the review anew, into another folder",
};

/// Judged games.
pub static JUDGED_FILE: FileKind = FileKind {
    name: "file of judged games",
    if_missing: "make it with `kalahari merge DIR --judged FILE`",
    if_bad: "name another file, or delete it and merge again",
};

/// The plan beside the pieces.
pub static PLAN_FILE: FileKind = FileKind {
    name: "plan of an experiment in shards",
    if_missing: "make it with `kalahari shards plan EXPERIMENT --out DIR`",
    if_bad: "name another folder with --out, or delete this one",
};

/// Why a piece was not made.
#[derive(Debug, Error)]
pub enum ShardError {
    /// A file is not usable.
    #[error(transparent)]
    File(#[from] FileError),
    /// A game could not be played.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// Rows could not be made.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A claim could not be decided.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// A position could not be solved.
    #[error(transparent)]
    Prover(#[from] ProverError),
    /// There is no such book.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// A game could not be judged.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// A file that the work needs cannot be kept.
    #[error(
        "no file can be kept in {folder}: {error}; set KALAHARI_HOME to a folder that can be written to"
    )]
    NoPlace {
        /// The folder.
        folder: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Nothing to judge.
    #[error("{file}: no game in it is finished")]
    NoGames {
        /// Where there should be some.
        file: String,
    },
    /// A match that is not one.
    #[error(
        "{found} matches of {file} have an id that begins with '{id}'; `kalahari records list` shows them"
    )]
    NotOneMatch {
        /// How its name begins.
        id: String,
        /// The store.
        file: String,
        /// How many there are.
        found: usize,
    },
    /// A text that is no record of a game.
    #[error("{file}: {error}")]
    Record {
        /// Where it is.
        file: String,
        /// What is wrong with it.
        error: Box<RecordError>,
    },
    /// This machine would make something else.
    #[error(
        "this machine would not play or label as the experiment requires: {changes}; give it the same program and the same files"
    )]
    OtherIdentity {
        /// What is different, in words.
        changes: String,
    },
    /// A book that goes further is there.
    #[error(
        "{file} is a book of {there} plies, and this one would have {wanted}; name another file with --book"
    )]
    DeeperBook {
        /// The file.
        file: String,
        /// Its plies.
        there: u32,
        /// Those of the experiment's.
        wanted: u32,
    },
    /// Somebody asked to stop.
    #[error("stopped: nothing of this shard is kept")]
    Stopped,
}
