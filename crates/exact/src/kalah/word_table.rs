//! The fast table: one word an entry, no locks.
//!
//! ```text
//!    key      | rest (up to 40 bits) | bucket (b bits) |     the rank, mixed by a bijection
//!
//!    entry    | rest: 40 | lower: 8 | upper: 8 | best move: 4 | weight: 4 |      64 bits; 0 is no entry
//!    bucket   4 entries
//! ```
//!
//! The bucket is known from the place of the entry and the rest is in the entry, so an entry belongs to exactly
//! one position. Entries are written and read whole; a lost update costs work, never correctness.

use crate::kalah::table::{Known, NO_MOVE, Table};
use kalahari_games::kalah::{Board, Ranking};
use kalahari_storage::{Bijection, Words, prefetch};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const WAYS: usize = 4;
const REST_BITS: u32 = 40;

/// Bounds of positions whose rank fits into a word.
#[derive(Debug)]
pub(crate) struct WordTable {
    words: Words,
    ranking: Ranking,
    seeds: usize,
    /// Makes keys of ranks.
    mix: Bijection,
    bucket_bits: u32,
}

impl WordTable {
    /// A table of at most `bytes` bytes for positions with at most `seeds` seeds; `None` if their keys do not fit.
    pub(crate) fn new(pits: usize, seeds: usize, bytes: u64) -> Option<io::Result<Self>> {
        let ranking = Ranking::new(pits);
        let key_bits = ranking.bits(seeds as u32);
        let margins_fit = seeds <= Self::WIDEST as usize;
        if pits > 7 || !margins_fit || key_bits > 62 {
            return None;
        }
        let buckets = (bytes / (8 * WAYS as u64)).max(1);
        // More buckets than keys would be a waste.
        let bucket_bits = (63 - buckets.leading_zeros()).min(key_bits);
        let bucket_bits = bucket_bits.max(key_bits.saturating_sub(REST_BITS));
        Some(Words::try_new(WAYS << bucket_bits).map(|words| WordTable {
            words,
            ranking,
            seeds,
            mix: Bijection::light(key_bits),
            bucket_bits,
        }))
    }

    /// The numbers that say how to read the entries.
    pub(crate) fn shape(&self) -> [u32; 4] {
        [
            self.ranking.pits() as u32,
            self.seeds as u32,
            self.mix.bits(),
            self.bucket_bits,
        ]
    }

    /// How many entries there is room for.
    pub(crate) fn len(&self) -> usize {
        self.words.as_slice().len()
    }

    /// About how much of it is used, 0 to 1, by a sample of its entries.
    pub(crate) fn used(&self) -> f64 {
        let sample = self.len().min(1 << 14);
        let used = self.read(0..sample).filter(|&entry| entry != 0).count();
        used as f64 / sample.max(1) as f64
    }

    /// The raw entries in a range of places.
    pub(crate) fn read(&self, places: Range<usize>) -> impl Iterator<Item = u64> {
        self.words.as_slice()[places]
            .iter()
            .map(|entry| entry.load(Ordering::Relaxed))
    }

    /// Puts raw entries back to where [`read`](Self::read) found them.
    pub(crate) fn write(&self, start: usize, entries: impl Iterator<Item = u64>) {
        for (slot, entry) in self.words.as_slice()[start..].iter().zip(entries) {
            slot.store(entry, Ordering::Relaxed);
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let bucket = (key & ((1 << self.bucket_bits) - 1)) as usize;
        &self.words.as_slice()[WAYS * bucket..WAYS * (bucket + 1)]
    }
}

/// The bounds and move of an entry.
#[inline]
fn known(entry: u64) -> Known {
    Known {
        lower: i32::from((entry >> 16) as u8 as i8),
        upper: i32::from((entry >> 8) as u8 as i8),
        best: (entry >> 4) as u8 & 15,
    }
}

impl Table for WordTable {
    const WIDEST: i32 = i8::MAX as i32;

    type Key = u64;

    #[inline]
    fn key<B: Board>(&self, position: &B) -> u64 {
        self.mix.mix(position.rank(&self.ranking) as u64)
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    #[inline]
    fn get(&self, key: u64) -> Option<Known> {
        let rest = key >> self.bucket_bits;
        self.bucket(key)
            .iter()
            .map(|entry| entry.load(Ordering::Relaxed))
            .find(|entry| entry >> 24 == rest && *entry != 0)
            .map(known)
    }

    #[inline]
    fn put(&self, key: u64, mut new: Known, weight: u8) {
        let rest = key >> self.bucket_bits;
        let bucket = self.bucket(key);
        let mut chosen = &bucket[0];
        let mut lightest = u64::MAX;
        for slot in bucket {
            let entry = slot.load(Ordering::Relaxed);
            if entry == 0 {
                if lightest > 0 {
                    chosen = slot;
                    lightest = 0;
                }
            } else if entry >> 24 == rest {
                let old = known(entry);
                new.lower = new.lower.max(old.lower);
                new.upper = new.upper.min(old.upper);
                if new.best == NO_MOVE {
                    new.best = old.best;
                }
                chosen = slot;
                break;
            } else if entry & 15 < lightest {
                chosen = slot;
                lightest = entry & 15;
            }
        }
        let bounds = u64::from(new.lower as u8) << 16 | u64::from(new.upper as u8) << 8;
        let note = u64::from(new.best & 15) << 4 | u64::from(weight.clamp(1, 15));
        chosen.store(rest << 24 | bounds | note, Ordering::Relaxed);
    }

    #[inline]
    fn word(&self, key: u64) -> u64 {
        key
    }
}
