//! The fast table: one word an entry, no locks.
//!
//! ```text
//!    key      | rest (up to 40 bits) | bucket (b bits) |     the rank, mixed by a bijection
//!
//!    entry    | rest: 40 | lower: 8 | upper: 8 | best move: 4 | weight: 4 |      64 bits; 0 is no entry
//!    bucket   4 entries
//! ```
//!
//! The bucket is known from where the entry lies and the rest is in the entry, so an entry belongs to one
//! position for certain. Entries are written and read whole; a lost update costs work, never truth.

use crate::kalah::table::{Known, NO_MOVE, Table};
use kalahari_games::kalah::{Board, Ranking};
use memmap2::MmapMut;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const WAYS: usize = 4;
const REST_BITS: u32 = 40;

/// Bounds of positions whose rank fits a word.
#[derive(Debug)]
pub(crate) struct WordTable {
    map: MmapMut,
    ranking: Ranking,
    seeds: usize,
    key_bits: u32,
    bucket_bits: u32,
}

impl WordTable {
    /// A table of at most `bytes` bytes for positions with at most `seeds` seeds; `None` if their keys do not fit.
    pub(crate) fn new(pits: usize, seeds: usize, bytes: u64) -> Option<io::Result<Self>> {
        let ranking = Ranking::new(pits);
        let key_bits = ranking.bits(seeds as u32);
        // Margins are kept in seven bits and a sign.
        if pits > 7 || seeds > 127 || key_bits > 62 {
            return None;
        }
        let buckets = (bytes / (8 * WAYS as u64)).max(1);
        // More buckets than keys would be waste.
        let bucket_bits = (63 - buckets.leading_zeros()).min(key_bits);
        let bucket_bits = bucket_bits.max(key_bits.saturating_sub(REST_BITS));
        let map = match MmapMut::map_anon((8 * WAYS) << bucket_bits) {
            Ok(map) => map,
            Err(error) => return Some(Err(error)),
        };
        // Large pages make random reads faster; without them all works as well.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Ok(WordTable {
            map,
            ranking,
            seeds,
            key_bits,
            bucket_bits,
        }))
    }

    /// The numbers that say how entries are to be read.
    pub(crate) fn shape(&self) -> [u32; 4] {
        [
            self.ranking.pits() as u32,
            self.seeds as u32,
            self.key_bits,
            self.bucket_bits,
        ]
    }

    /// How many entries there is room for.
    pub(crate) fn len(&self) -> usize {
        WAYS << self.bucket_bits
    }

    /// The raw entries in a range of places.
    pub(crate) fn read(&self, places: Range<usize>) -> impl Iterator<Item = u64> {
        self.entries()[places]
            .iter()
            .map(|entry| entry.load(Ordering::Relaxed))
    }

    /// Puts raw entries back to where [`read`](Self::read) found them.
    pub(crate) fn write(&self, start: usize, entries: impl Iterator<Item = u64>) {
        for (slot, entry) in self.entries()[start..].iter().zip(entries) {
            slot.store(entry, Ordering::Relaxed);
        }
    }

    #[inline]
    fn entries(&self) -> &[AtomicU64] {
        let start = self.map.as_ptr().cast::<AtomicU64>();
        // SAFETY: the map is page-aligned, zeroed or written as words, lives as long as `self`, and is
        // only used through these atomics.
        unsafe { std::slice::from_raw_parts(start, WAYS << self.bucket_bits) }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let bucket = (key & ((1 << self.bucket_bits) - 1)) as usize;
        &self.entries()[WAYS * bucket..WAYS * (bucket + 1)]
    }

    /// Turns a rank into a key by steps that can each be undone: nothing is lost.
    #[inline]
    fn mix(&self, rank: u64) -> u64 {
        let mask = (1 << self.key_bits) - 1;
        let half = self.key_bits.div_ceil(2);
        let mut key = rank.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
        key ^= key >> half;
        key = key.wrapping_mul(0xD6E8_FEB8_6659_FD93) & mask;
        key ^ (key >> half)
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
    type Key = u64;

    #[inline]
    fn key<B: Board>(&self, position: &B) -> u64 {
        self.mix(position.rank(&self.ranking) as u64)
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

/// Starts to bring a place near, where the processor can do so.
#[inline]
pub(crate) fn prefetch<T>(place: &[T]) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, so any address is allowed.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(place.as_ptr().cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
