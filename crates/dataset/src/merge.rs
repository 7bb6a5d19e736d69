//! Merges the rows of many files into one, with each position once.

use crate::error::DatasetError;
use crate::format::Format;
use crate::row::{LabelSource, Row};
use crate::shard::{self, Header, VERSION, read_shards};
use kalahari_games::{AnyGame, Game};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

/// The result of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The number of rows of the new file.
    pub rows: u64,
    /// The number of rows that were left out, because another row has the same key.
    pub duplicates: u64,
}

/// Writes the rows of files and folders of one game to one Parquet file. Of rows with the same key, the first exact one is kept, or
/// the first one if none is exact. Games are renumbered, so that games of different datasets stay distinct.
pub fn merge(paths: &[PathBuf], to: &Path) -> Result<Merged, DatasetError> {
    if Format::of_path(to) != Some(Format::Parquet) {
        return Err(DatasetError::Name(to.to_owned()));
    }
    let mut game = None;
    let mut rows: Vec<Row> = Vec::new();
    let (mut places, mut games) = (HashMap::new(), HashMap::new());
    let mut duplicates = 0;
    // Rows of one folder belong to one dataset, in which the numbers of games are unique.
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
    let game: AnyGame = game.ok_or_else(|| DatasetError::Empty("no shard was named".to_owned()))?;
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
