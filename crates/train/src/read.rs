//! Reads samples from the shards of a dataset.

use crate::{Sample, Samples, TrainError};
use kalahari_dataset::{Row, Shard, shard_files};
use kalahari_games::kalah::{CaptureRule, KalahSetup, KalahSpec};
use kalahari_games::{Game, GameSpec, Player, View};
use kalahari_terms::Unit;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The samples to learn from, and the boards that they are about.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Pits per side.
    pub pits: usize,
    /// The capture rule.
    pub rule: CaptureRule,
    /// The largest number of seeds among the games of the shards.
    pub seeds: u32,
    /// The number of rows of all shards.
    pub rows: usize,
    /// The positions, each once.
    pub samples: Samples,
}

/// A position, its game's [`lot`], and whether its label is proven.
struct Found {
    lot: u64,
    proven: bool,
    sample: Sample,
}

/// Reads shards and folders of shards. Games may have different numbers of seeds, but must have the same pits and rule. A position
/// that occurs several times counts once: the first occurrence with a proven label is used, or else the first occurrence.
pub fn read(paths: &[PathBuf]) -> Result<Lesson, TrainError> {
    let mut board: Option<KalahSpec> = None;
    let (mut seeds, mut rows) = (0, 0);
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut all: Vec<Found> = Vec::new();
    for file in shard_files(paths)? {
        let shard = file.read().map_err(TrainError::File)?;
        let path = file.path;
        let game = shard.game.spec();
        let GameSpec::Kalah(kalah) = game else {
            return Err(TrainError::NoKalah { path, game });
        };
        if shard.rows.is_empty() {
            return Err(TrainError::Empty(path));
        }
        let first = *board.get_or_insert(kalah);
        if (first.pits(), first.rule()) != (kalah.pits(), kalah.rule()) {
            return Err(TrainError::OtherBoard {
                path,
                game,
                pits: first.pits(),
                rule: first.rule(),
            });
        }
        seeds = seeds.max(kalah.total());
        rows += shard.rows.len();
        for row in &shard.rows {
            let found = Found {
                lot: lot(row.game),
                proven: row.label.proven,
                sample: sample(&shard, row, &path)?,
            };
            match places.get(&row.key) {
                None => {
                    places.insert(row.key, all.len());
                    all.push(found);
                }
                Some(&place) if found.proven && !all[place].proven => all[place] = found,
                Some(_) => {}
            }
        }
    }
    let mut samples = Samples::default();
    for found in all {
        samples.add(found.lot, found.sample);
    }
    let board = board.filter(|_| !samples.seen.is_empty() && !samples.held_out.is_empty());
    let board = board.ok_or(TrainError::TooFew { rows })?;
    Ok(Lesson {
        pits: board.pits(),
        rule: board.rule(),
        seeds,
        rows,
        samples,
    })
}

/// The number by which a game is held out or not. It depends on the number of the game alone, because the rows of a stored game may be in
/// two shards. Games of several datasets may have the same number: then either all of them are held out or none.
///
/// Games that were made for a shard have its number in their upper half. It is mixed in so that a dataset of such games, read alone, is split as it
/// was when the figures of `docs/training.md` were measured.
fn lot(game: u64) -> u64 {
    game ^ (game >> 32 << 48)
}

/// The sample of a row: its target is the value of the seeds in play for the player to move.
fn sample(shard: &Shard, row: &Row, path: &Path) -> Result<Sample, TrainError> {
    let no_seeds = || TrainError::NoSeeds {
        path: path.to_owned(),
    };
    if !matches!(row.label.unit, Unit::Seeds | Unit::Margin) {
        return Err(no_seeds());
    }
    let View::Kalah(KalahSetup { houses, player }) = shard.game.view(&row.position) else {
        return Err(no_seeds());
    };
    let (first, second) = houses.split_at(houses.len() / 2);
    let (own, other) = match player {
        Player::First => (first, second),
        Player::Second => (second, first),
    };
    let ((own_store, own), (other_store, other)) = match (own.split_last(), other.split_last()) {
        (Some(own), Some(other)) => (own, other),
        _ => return Err(no_seeds()),
    };
    let banked = f32::from(*own_store) - f32::from(*other_store);
    let pits = [own, other].concat();
    Ok(Sample::new(&pits, row.label.value - banked))
}
