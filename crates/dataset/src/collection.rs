//! A dataset put together from files that were made elsewhere.

use crate::build::{Alone, differences, fresh};
use crate::error::{DatasetError, SHARD};
use crate::manifest::{Entry, Manifest};
use crate::recipe::Recipe;
use kalahari_arena::Identity;
use std::path::{Path, PathBuf};

/// A folder that becomes, or already is, the dataset of a recipe. The result is the same as that of [`build`](crate::build()).
pub struct Collection {
    folder: PathBuf,
    manifest: Manifest,
    _alone: Alone,
}

impl Collection {
    /// Begins a dataset, or continues the one in the folder; another dataset is refused.
    pub fn begin(
        folder: &Path,
        recipe: &Recipe,
        identity: &Identity,
    ) -> Result<Self, DatasetError> {
        let _alone = Alone::in_folder(folder)?;
        let manifest = match Manifest::read(folder) {
            Err(error) if error.is_missing() => fresh(recipe, identity.clone()),
            known => known?,
        };
        let changes = match manifest.recipe == *recipe {
            true => identity.changes(&manifest.identity).join(", "),
            false => differences(&manifest.recipe, recipe),
        };
        if !changes.is_empty() {
            return Err(DatasetError::Other {
                folder: folder.to_owned(),
                changes,
                hint: "",
            });
        }
        Ok(Collection {
            folder: folder.to_owned(),
            manifest,
            _alone,
        })
    }

    /// Checks a file in another folder and copies it, unless the same file is already here.
    pub fn add(&mut self, entry: &Entry, from: &Path) -> Result<(), DatasetError> {
        let bytes = entry.read_file(from)?;
        if self.manifest.shards.contains(entry) && entry.check_file(&self.folder).is_ok() {
            return Ok(());
        }
        let path = self.folder.join(&entry.file);
        SHARD.write(&path, &bytes)?;
        self.manifest.enter(entry.clone());
        Ok(())
    }

    /// Writes the manifest. If this never happens, the added files stay in the folder, and the next merge adds them again.
    pub fn finish(self) -> Result<Manifest, DatasetError> {
        self.manifest.write(&self.folder)?;
        Ok(self.manifest)
    }
}
