//! The plan of an experiment as a file beside its pieces: `experiment.plan`.
//!
//! The first process that works on a piece makes the plan, which may take a while (programs are asked for a move, openings are judged); the
//! other processes read it. Every process would make the same plan, so it does not matter which is first.
//!
//! ```text
//! kalahari-plan 1
//! {"source":{"file":"experiment.toml","text":"..."},"plan":{"tasks":[...]}}
//! sha256 0f3c...
//! ```

use crate::checked::{Frame, check, read_checked, write_checked};
use crate::error::PLAN_FILE;
use crate::plan::Plan;
use kalahari_storage::{Damage, FileError, Foreign, Trouble};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The format of the file.
const FRAME: Frame = Frame {
    kind: &PLAN_FILE,
    magic: "kalahari-plan ",
    version: 1,
};

/// The file that an experiment was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its name where the plan was made; empty if there was no file.
    pub file: String,
    /// The full text of the file.
    pub text: String,
}

/// A plan with the file that it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// The file that it came from.
    pub source: Source,
    /// The plan.
    pub plan: Plan,
}

impl PlanFile {
    /// The path of the plan in the folder of its pieces.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join("experiment.plan")
    }

    /// The folder for judged openings, beside the pieces, so that other processes can use them.
    pub fn openings_folder(folder: &Path) -> PathBuf {
        folder.join("openings")
    }

    /// Writes it into the folder of its pieces, whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<(), FileError> {
        let path = Self::path(folder);
        let json = serde_json::to_string(self);
        let json = json.map_err(|error| PLAN_FILE.unwritable(&path, error.into()))?;
        write_checked(&FRAME, &path, &format!("{json}\n"))
    }

    /// Reads the plan of a folder. `None` if there is none, or if it is damaged: it can be made again.
    pub fn read(folder: &Path) -> Result<Option<Self>, FileError> {
        let path = Self::path(folder);
        match read_checked(&FRAME, &path) {
            Ok(text) => Self::of_text(&path, &text).map(Some),
            Err(error) if error.is_missing() || matches!(error.trouble, Trouble::Damaged(_)) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The plan in the bytes of a file. The path is used in errors only.
    pub fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, FileError> {
        Self::of_text(path, &check(&FRAME, path, bytes)?)
    }

    fn of_text(path: &Path, text: &str) -> Result<Self, FileError> {
        let read = serde_json::from_str(text);
        read.map_err(|error| PLAN_FILE.error(path, Damage::nonsense(error.to_string())))
    }

    /// The error for a folder that belongs to another experiment.
    pub fn foreign(folder: &Path, found: &Source, wanted: &Source) -> FileError {
        let name = |source: &Source| match source.file.is_empty() {
            true => "an experiment without a file".to_owned(),
            false => format!("{}, {} bytes", source.file, source.text.len()),
        };
        let (mut found, wanted) = (name(found), name(wanted));
        if found == wanted {
            found += " with different text";
        }
        PLAN_FILE.error(&Self::path(folder), Foreign::Subject { found, wanted })
    }
}
