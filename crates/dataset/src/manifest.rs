//! The manifest of a dataset: its recipe, the program that made it, and its shards.

use crate::error::{MANIFEST, SHARD};
use crate::recipe::Recipe;
use crate::shard::VERSION;
use kalahari_arena::Identity;
use kalahari_storage::{Damage, FileError, Foreign};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the file. Tools that read whole folders skip names that begin with an underscore.
pub const MANIFEST_FILE: &str = "_manifest.json";

/// The description of a folder of shards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this file and of the shards.
    #[serde(rename = "kalahari_dataset")]
    pub version: u32,
    /// What decides the rows.
    pub recipe: Recipe,
    /// The program, and the tablebases, books and other files that it used.
    pub identity: Identity,
    /// The program that began it, with its commit where that is known; empty in older files. Rows do not depend on it.
    #[serde(default)]
    pub made_by: String,
    /// The number of rows of all shards.
    pub rows: u64,
    /// The number of rows of each kind of label.
    pub labels: BTreeMap<String, u64>,
    /// The finished shards, in the order of their numbers.
    pub shards: Vec<Entry>,
}

/// A finished shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its number, from 0.
    pub number: u32,
    /// Its file in the folder.
    pub file: String,
    /// The number of its rows.
    pub rows: u64,
    /// The number of rows that were wanted; it has fewer if the source has no more.
    pub wanted: u64,
    /// The number of rows of each kind of label.
    pub labels: BTreeMap<String, u64>,
    /// The length of the file, in bytes.
    pub bytes: u64,
    /// The checksum of the file, as 8 hex digits.
    pub crc32: String,
}

#[derive(Deserialize)]
struct AnyManifest {
    #[serde(rename = "kalahari_dataset")]
    version: u32,
}

impl Entry {
    /// Checks that its file in a folder is undamaged.
    pub fn check_file(&self, folder: &Path) -> Result<(), FileError> {
        self.read_file(folder).map(|_| ())
    }

    /// Reads its file in a folder and checks that it is undamaged.
    pub(crate) fn read_file(&self, folder: &Path) -> Result<Vec<u8>, FileError> {
        self.check_name(folder)?;
        let path = folder.join(&self.file);
        let bytes = SHARD.read(&path)?;
        self.check(&path, &bytes)?;
        Ok(bytes)
    }

    /// Checks that the name of its file is a plain file name: a name from an untrusted manifest must not lead out of the folder.
    pub(crate) fn check_name(&self, folder: &Path) -> Result<(), FileError> {
        match Path::new(&self.file).file_name() == Some(self.file.as_ref()) {
            true => Ok(()),
            false => {
                let what = format!("'{}' is not the name of a file in the folder", self.file);
                Err(SHARD.error(folder, Damage::nonsense(what)))
            }
        }
    }

    /// Checks the length and the checksum of the bytes of a file.
    pub(crate) fn check(&self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let found = bytes.len() as u64;
        if found != self.bytes {
            let expected = self.bytes;
            return Err(SHARD.error(path, Damage::Length { expected, found }));
        }
        match format!("{:08x}", crc32fast::hash(bytes)) == self.crc32 {
            true => Ok(()),
            false => Err(SHARD.error(path, Damage::checksum("the file"))),
        }
    }
}

impl Manifest {
    /// Reads the manifest of a folder.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join(MANIFEST_FILE);
        let text = String::from_utf8(MANIFEST.read(&path)?);
        let text = text.map_err(|_| MANIFEST.error(&path, Foreign::Kind))?;
        Manifest::of_text(&path, &text)
    }

    /// Reads a manifest from its text. The path is used in errors only.
    pub fn of_text(path: &Path, text: &str) -> Result<Self, FileError> {
        let any: AnyManifest =
            serde_json::from_str(text).map_err(|_| MANIFEST.error(path, Foreign::Kind))?;
        if any.version != VERSION {
            let (found, known) = (any.version, VERSION);
            return Err(MANIFEST.error(path, Foreign::Version { found, known }));
        }
        serde_json::from_str(text)
            .map_err(|error| MANIFEST.error(path, Damage::nonsense(error.to_string())))
    }

    /// Writes it into a folder, whole or not at all.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), FileError> {
        let path = folder.join(MANIFEST_FILE);
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| MANIFEST.unwritable(&path, error.into()))?;
        MANIFEST.write(&path, (text + "\n").as_bytes())
    }

    /// Enters a finished shard; replaces an entry with the same number.
    pub(crate) fn enter(&mut self, entry: Entry) {
        self.shards.retain(|old| old.number != entry.number);
        self.shards.push(entry);
        self.shards.sort_by_key(|entry| entry.number);
        // The counts may come from an untrusted file, so additions saturate.
        let rows = self.shards.iter().map(|entry| entry.rows);
        self.rows = rows.fold(0, u64::saturating_add);
        self.labels = BTreeMap::new();
        for (label, rows) in self.shards.iter().flat_map(|entry| &entry.labels) {
            let all = self.labels.entry(label.clone()).or_default();
            *all = all.saturating_add(*rows);
        }
    }
}
