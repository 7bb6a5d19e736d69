//! The games of a store.

use super::{Candidate, Collection};
use crate::error::DatasetError;
use crate::recipe::{Range, Source};
use kalahari_arena::{GameRecord, Store, rng_seeds};
use kalahari_games::{AnyGame, AnyPosition, Game, GameSpec};
use std::path::Path;

/// All positions of one game's records in a store, in the order of its matches and records.
#[derive(Debug)]
pub struct StoredGames {
    game: AnyGame,
    /// For every record, the positions before each move.
    positions: Vec<Vec<AnyPosition>>,
    source: Source,
}

impl StoredGames {
    /// Reads the records of this game in a store. It is an error if there are none.
    pub fn read(file: &Path, spec: GameSpec) -> Result<Self, DatasetError> {
        let store = Store::open_existing(file)?;
        let game = AnyGame::new(spec);
        let (mut positions, mut digest) = (Vec::new(), 0);
        for found in store.matches()? {
            if found.game != spec {
                continue;
            }
            for record in store.games(&found.id)? {
                let start = record.start.as_ref().map(ToString::to_string);
                let texts = [start.unwrap_or_default(), record.moves_text()];
                digest = rng_seeds::mix(
                    [digest]
                        .into_iter()
                        .chain(texts.map(|t| rng_seeds::of_text(&t))),
                );
                positions.push(replayed(&game, &record)?);
            }
        }
        let name = file.file_name().unwrap_or(file.as_os_str());
        let name = name.to_string_lossy().into_owned();
        if positions.is_empty() {
            let text =
                format!("{name} has no games of {spec}; `kalahari records list` shows what it has");
            return Err(DatasetError::Empty(text));
        }
        let source = Source::Store {
            file: name,
            games: positions.len() as u64,
            digest: format!("{digest:016x}"),
        };
        Ok(StoredGames {
            game,
            positions,
            source,
        })
    }

    /// The source for a recipe.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The positions of all shards, each without duplicates, at most `rows` in all. The last shard may be smaller.
    pub(crate) fn shards(
        &self,
        range: Range,
        rows_per_shard: u64,
        rows: u64,
    ) -> Vec<Vec<Candidate>> {
        let (mut shards, mut left) = (Vec::new(), rows);
        let next = |left: u64| Collection::new(left.min(rows_per_shard));
        let mut collection = next(left);
        for (number, game) in (0..).zip(&self.positions) {
            for (ply, position) in (0..).zip(game) {
                let candidate = Candidate::new(&self.game, range, number, ply, *position);
                let is_new = candidate.is_some_and(|candidate| collection.add(candidate));
                if is_new && collection.is_full() {
                    left -= collection.candidates.len() as u64;
                    let full = std::mem::replace(&mut collection, next(left));
                    shards.push(full.candidates);
                }
            }
        }
        if !collection.candidates.is_empty() {
            shards.push(collection.candidates);
        }
        shards
    }
}

/// The positions of a record in which the game is not over.
fn replayed(game: &AnyGame, record: &GameRecord) -> Result<Vec<AnyPosition>, DatasetError> {
    let wrong = |problem| DatasetError::Replay {
        match_id: record.match_id.clone(),
        number: record.number + 1,
        problem: Box::new(problem),
    };
    let (played, mut positions) = record.replay().map_err(wrong)?;
    // A start with another number of seeds is not a position of this game.
    if let Some(start) = positions.first() {
        let start = game.position(&played.view(start));
        start.map_err(|error| wrong(error.into()))?;
    }
    positions.retain(|position| !played.is_over(position));
    Ok(positions)
}
