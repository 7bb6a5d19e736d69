//! What can go wrong with a piece.

use kalahari_arena::ArenaError;
use kalahari_dataset::DatasetError;
use kalahari_storage::{FileError, FileKind};
use thiserror::Error;

/// The file of a place.
pub static PLACE_FILE: FileKind = FileKind {
    name: "shard of an experiment",
    if_missing: "make it with `kalahari run EXPERIMENT --shards N --shard K --out DIR`",
    if_bad: "delete the file, and make it again with `kalahari run EXPERIMENT --shards N --shard K --out DIR`",
};

/// The file of a place that is sound, but not the one that is wanted here. It is somebody's work, and stays.
pub(crate) static OTHER_FILE: FileKind = FileKind {
    name: "shard",
    if_missing: PLACE_FILE.if_missing,
    if_bad: "it is left as it is; move it to a folder of its own experiment",
};

/// The same if only its name is wrong.
pub(crate) static MISNAMED_FILE: FileKind = FileKind {
    name: "copy",
    if_missing: PLACE_FILE.if_missing,
    if_bad: "it is left as it is; give it back its own name, or move it away",
};

/// The plan beside the pieces.
pub static PLAN_FILE: FileKind = FileKind {
    name: "plan of an experiment in shards",
    if_missing: "make it with `kalahari shards plan EXPERIMENT --out DIR`",
    if_bad: "name another folder by --out, or delete this one",
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
    /// This machine would make something else.
    #[error(
        "this machine would not play or label as the experiment requires: {changes}; give it the same program and the same files"
    )]
    OtherIdentity {
        /// What is different, in words.
        changes: String,
    },
    /// Somebody asked to stop.
    #[error("stopped: nothing of this shard is kept")]
    Stopped,
}
