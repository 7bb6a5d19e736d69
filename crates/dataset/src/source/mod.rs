//! Where positions come from.

mod random;
mod self_play;
mod store;

pub(crate) use random::random;
pub(crate) use self_play::SelfPlay;
pub use store::StoredGames;

use crate::recipe::Range;
use crate::row::{Label, key, left};
use kalahari_games::{AnyGame, AnyPosition};
use std::collections::HashSet;

/// A position that will be a row.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) game: u64,
    pub(crate) ply: u32,
    pub(crate) position: AnyPosition,
    pub(crate) key: u64,
    /// Its label, if the source has already labelled it.
    pub(crate) label: Option<Label>,
}

impl Candidate {
    /// A position without a label; `None` if what is left in it is out of range.
    fn new(
        game: &AnyGame,
        range: Range,
        number: u64,
        ply: u32,
        position: AnyPosition,
    ) -> Option<Self> {
        range.contains(left(game, &position)).then(|| Candidate {
            game: number,
            ply,
            position,
            key: key(game, &position),
            label: None,
        })
    }
}

/// The number of the first game of a shard.
pub(crate) fn first_game(shard: u32) -> u64 {
    u64::from(shard) << 32
}

/// Candidates without duplicates, up to a maximum number.
pub(crate) struct Collection {
    wanted: usize,
    keys: HashSet<u64>,
    pub(crate) candidates: Vec<Candidate>,
}

impl Collection {
    pub(crate) fn new(wanted: u64) -> Self {
        Collection {
            wanted: wanted as usize,
            keys: HashSet::new(),
            candidates: Vec::new(),
        }
    }

    /// Adds a candidate, unless it is a duplicate or there are enough. Returns whether it was added.
    pub(crate) fn add(&mut self, candidate: Candidate) -> bool {
        let is_new = !self.is_full() && self.keys.insert(candidate.key);
        if is_new {
            self.candidates.push(candidate);
        }
        is_new
    }

    pub(crate) fn is_full(&self) -> bool {
        self.candidates.len() >= self.wanted
    }
}
