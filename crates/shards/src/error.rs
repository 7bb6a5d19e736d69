//! Errors of pieces, and the kinds of files that they consist of.

use kalahari_arena::{ArenaError, RecordError};
use kalahari_dataset::DatasetError;
use kalahari_exact::book::WalkError;
use kalahari_exact::prover::ProverError;
use kalahari_prove::ProveError;
use kalahari_storage::{FileError, FileKind};
use kalahari_study::ReviewError;
use thiserror::Error;

/// The file of a piece.
pub static PLACE_FILE: FileKind = FileKind {
    name: "shard of an experiment",
    if_missing: "make it with `kalahari run EXPERIMENT --shards N --shard K --out DIR`",
    if_bad: "delete the file, and make it again with `kalahari run EXPERIMENT --shards N --shard K --out DIR`",
};

/// The file of a piece under the name of another piece. It may be finished work, so it is not overwritten.
pub(crate) static MISNAMED_FILE: FileKind = FileKind {
    name: "copy",
    if_missing: PLACE_FILE.if_missing,
    if_bad: "it is left as it is; give it back its own name, or move it away",
};

/// A piece that contradicts another piece, or the file that pieces are merged into.
pub(crate) static RIVAL_FILE: FileKind = FileKind {
    name: "shard",
    if_missing: PLACE_FILE.if_missing,
    if_bad: "one of the two is wrong: make this shard again in another folder, and delete the one that differs from it. If that is \
             the file that shards were merged into, `kalahari prove --check FILE --sample all` or `kalahari book verify` finds its mistakes; \
             start a new file then",
};

/// The file of a piece of another experiment.
pub static OTHER_PLACE_FILE: FileKind = FileKind {
    name: "shard",
    if_missing: PLACE_FILE.if_missing,
    if_bad: "it is left alone: merge it with the shards of its own experiment, from a folder of their own",
};

/// Games that are to be judged.
pub static GAMES_FILE: FileKind = FileKind {
    name: "file of games to review",
    if_missing: "name a store with --db, or files with records",
    if_bad: "plan the review again, in another folder",
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
    /// The positions of the book cannot be enumerated.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// A game could not be judged.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// A file that the work needs cannot be written.
    #[error(
        "cannot write to {folder}: {error}; set KALAHARI_HOME to a folder that can be written to"
    )]
    NoPlace {
        /// The folder.
        folder: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// There is no game to judge.
    #[error("{file}: no game in it is finished")]
    NoGames {
        /// The store or file that should have some.
        file: String,
    },
    /// The beginning of an id does not name exactly one match.
    #[error(
        "{found} matches of {file} have an id that begins with '{id}'; `kalahari records list` shows them"
    )]
    NotOneMatch {
        /// The beginning of the match's id.
        id: String,
        /// The store.
        file: String,
        /// How many matches have an id that begins so.
        found: usize,
    },
    /// A text is not a record of a game.
    #[error("{file}: {error}")]
    Record {
        /// The file with the text.
        file: String,
        /// What is wrong with it.
        error: Box<RecordError>,
    },
    /// This machine would produce different results.
    #[error(
        "this machine would not play or label as the experiment requires: {changes}; give it the same program and the same files"
    )]
    OtherIdentity {
        /// What is different, in words.
        changes: String,
    },
    /// The file is a deeper book.
    #[error(
        "{file} is a book of {there} plies, and the experiment makes one of {wanted}; name another file with --book"
    )]
    DeeperBook {
        /// The file.
        file: String,
        /// Its plies.
        there: u32,
        /// The plies of the experiment's book.
        wanted: u32,
    },
    /// A stop was requested.
    #[error("stopped: nothing of this shard is kept")]
    Stopped,
}
