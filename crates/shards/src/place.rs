//! Places: which piece of the work, such as 17 of 1000.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// A piece of the work, numbered from 0 as batch schedulers number their tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Place {
    shards: u32,
    shard: u32,
}

/// A place as read from a file, not checked yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    shards: u32,
    shard: u32,
}

/// The most pieces of an experiment. Their list is kept in memory, and a file may say any number.
const MOST_SHARDS: u32 = 1_000_000;

/// There is no such place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "there is no shard {shard} of {shards}: they are numbered from 0, and there are at most {MOST_SHARDS}"
)]
pub struct NoPlace {
    shards: u32,
    shard: u32,
}

impl TryFrom<Unchecked> for Place {
    type Error = NoPlace;

    fn try_from(Unchecked { shards, shard }: Unchecked) -> Result<Self, NoPlace> {
        Place::new(shard, shards)
    }
}

impl Place {
    /// The place with this number out of this many.
    pub fn new(shard: u32, shards: u32) -> Result<Self, NoPlace> {
        match shard < shards && shards <= MOST_SHARDS {
            true => Ok(Place { shards, shard }),
            false => Err(NoPlace { shards, shard }),
        }
    }

    /// All places when there are this many, in order.
    pub fn all(shards: u32) -> impl Iterator<Item = Place> {
        (0..shards).map(move |shard| Place { shards, shard })
    }

    /// How many places there are.
    pub fn shards(self) -> u32 {
        self.shards
    }

    /// Its number.
    pub fn shard(self) -> u32 {
        self.shard
    }

    /// The range of parts that belongs to this place when there are this many parts. Places differ by at most one part, and every part belongs to
    /// exactly one place.
    pub fn range(self, parts: u64) -> Range<u64> {
        let begin = |shard: u32| {
            let begin = u128::from(parts) * u128::from(shard) / u128::from(self.shards);
            begin as u64
        };
        begin(self.shard)..begin(self.shard + 1)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {} of {}", self.shard, self.shards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_one_place() {
        for (parts, shards) in [(0, 3), (1, 1), (10, 3), (7, 20), (u64::MAX, 1000)] {
            let mut next = 0;
            for place in Place::all(shards) {
                let range = place.range(parts);
                assert_eq!(range.start, next);
                let length = range.end - range.start;
                assert!(
                    length == parts / u64::from(shards) || length == parts / u64::from(shards) + 1
                );
                next = range.end;
            }
            assert_eq!(next, parts);
        }
        assert!(Place::new(3, 3).is_err() && Place::new(0, 0).is_err());
        assert!(serde_json::from_str::<Place>(r#"{"shards":2,"shard":2}"#).is_err());
        assert!(Place::new(0, MOST_SHARDS).is_ok() && Place::new(0, MOST_SHARDS + 1).is_err());
    }
}
