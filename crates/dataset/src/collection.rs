//! A dataset put together from files that were made elsewhere.

use crate::build::{Alone, differences, fresh};
use crate::error::{DatasetError, SHARD};
use crate::manifest::{Entry, Manifest};
use crate::recipe::Recipe;
use kalahari_arena::Identity;
use std::path::{Path, PathBuf};

/// A folder that becomes, or already is, the dataset of a recipe. It is what [`build`](crate::build()) would have made.
pub struct Collection {
    folder: PathBuf,
    manifest: Manifest,
    _alone: Alone,
}

impl Collection {
    /// Begins one, or goes on with the one that is there; another dataset is refused.
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

    /// Copies a file from another folder, unless the same is there. It is checked first.
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

    /// Writes the manifest. What was added before is found again by its file even if this never happens.
    pub fn finish(self) -> Result<Manifest, DatasetError> {
        self.manifest.write(&self.folder)?;
        Ok(self.manifest)
    }
}
