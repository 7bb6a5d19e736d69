//! A shard: some games of a match, the unit that a worker is given.
//!
//! Whoever plays a shard writes the same rows: a game is named by its match and number, its random choices
//! come from the match's seed and that number, and writing it twice changes nothing.

use crate::spec::MatchSpec;
use std::ops::Range;

/// Some games of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Shard {
    /// The match.
    pub spec: MatchSpec,
    /// The numbers of the games.
    pub games: Range<u32>,
}

impl Shard {
    /// The shard's name: the match's, and the numbers.
    pub fn id(&self) -> String {
        format!("{}:{}-{}", self.spec.id(), self.games.start, self.games.end)
    }

    /// Cuts `games` games of a match into shards of whole pairs, at most `size` games each.
    pub fn cut(spec: &MatchSpec, games: u32, size: u32) -> Vec<Shard> {
        let size = size.max(2) & !1;
        (0..games)
            .step_by(size as usize)
            .map(|start| Shard {
                spec: spec.clone(),
                games: start..games.min(start.saturating_add(size)),
            })
            .collect()
    }
}
