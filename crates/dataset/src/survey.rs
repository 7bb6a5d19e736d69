//! Counts the rows of files.

use crate::error::DatasetError;
use crate::row::left;
use crate::shard::read_shards;
use kalahari_games::{Game, GameSpec};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

/// Counts of rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Survey {
    /// The game.
    pub game: GameSpec,
    /// The number of files.
    pub shards: u64,
    /// The number of rows.
    pub rows: u64,
    /// Rows with the key of an earlier row.
    pub duplicates: u64,
    /// Games that the rows come from.
    pub games: u64,
    /// Rows whose value is proven.
    pub proven: u64,
    /// Rows by what labelled them.
    pub labels: BTreeMap<String, u64>,
    /// Rows by the unit of their values.
    pub units: BTreeMap<String, u64>,
    /// Rows by the number of seeds in the pits, or of free cells.
    pub left: BTreeMap<u32, u64>,
    /// The mean of all values.
    pub mean: f64,
}

/// Reads all rows of files and folders, checks them and counts them.
pub fn survey(paths: &[PathBuf]) -> Result<Survey, DatasetError> {
    let mut found = Survey::default();
    let (mut keys, mut games) = (HashSet::new(), HashSet::new());
    let mut sum = 0.0;
    read_shards(paths, |shard| {
        found.game = shard.game.spec();
        found.shards += 1;
        for row in &shard.rows {
            let label = &row.label;
            found.rows += 1;
            found.duplicates += u64::from(!keys.insert(row.key));
            found.proven += u64::from(label.proven);
            games.insert(row.game);
            sum += f64::from(label.value);
            let count = |counts: &mut BTreeMap<String, u64>, name: &str| {
                *counts.entry(name.to_owned()).or_default() += 1;
            };
            count(&mut found.labels, label.source.name());
            count(&mut found.units, label.unit.name());
            *found
                .left
                .entry(left(&shard.game, &row.position))
                .or_default() += 1;
        }
        Ok(())
    })?;
    found.games = games.len() as u64;
    found.mean = sum / found.rows.max(1) as f64;
    Ok(found)
}
