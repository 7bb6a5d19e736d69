//! Rows of many files in one, each position once.

use crate::error::DatasetError;
use crate::format::Format;
use crate::row::{LabelSource, Row};
use crate::shard::{self, Header, VERSION, read_shards};
use kalahari_games::{AnyGame, Game};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

/// What was merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The rows of the new file.
    pub rows: u64,
    /// The rows that were left out, because another has their key.
    pub duplicates: u64,
}

/// Puts the rows of files and folders of one game into one Parquet file. Of rows with the same key the first exact one is kept, or else
/// the first. Games are numbered anew, so that those of different datasets stay apart.
pub fn merge(paths: &[PathBuf], to: &Path) -> Result<Merged, DatasetError> {
    if Format::of_path(to) != Some(Format::Parquet) {
        return Err(DatasetError::Name(to.to_owned()));
    }
    let mut game = None;
    let mut rows: Vec<Row> = Vec::new();
    let (mut places, mut games) = (HashMap::new(), HashMap::new());
    let mut duplicates = 0;
    // Rows of one folder are of one dataset, and their games are told apart by their numbers.
    let mut folder_of_last = None;
    let mut dataset = 0;
    read_shards(paths, |found| {
        let folder = found.path.parent().map(Path::to_owned);
        if folder_of_last != folder {
            dataset += 1;
            folder_of_last = folder;
        }
        for mut row in found.rows {
            let next = games.len() as u64;
            row.game = *games.entry((dataset, row.game)).or_insert(next);
            match places.entry(row.key) {
                Entry::Vacant(place) => {
                    place.insert(rows.len());
                    rows.push(row);
                }
                Entry::Occupied(place) => {
                    duplicates += 1;
                    let kept: &mut Row = &mut rows[*place.get()];
                    if is_exact(&row) && !is_exact(kept) {
                        *kept = row;
                    }
                }
            }
        }
        game = Some(found.game);
        Ok(())
    })?;
    let game: AnyGame = game.ok_or_else(|| DatasetError::Empty("no shard is named".to_owned()))?;
    let header = Header {
        version: VERSION,
        game: game.spec(),
        shard: None,
        recipe: None,
    };
    shard::write(to, Format::Parquet, &header, &game, &rows)?;
    Ok(Merged {
        rows: rows.len() as u64,
        duplicates,
    })
}

fn is_exact(row: &Row) -> bool {
    row.label.source != LabelSource::Search
}
