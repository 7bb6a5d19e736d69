//! Entries of two words, for codes whose rest fits into 75 bits.
//!
//! ```text
//!   first word     lower 64 bits of the rest, combined with the second word (see below)
//!
//!    63       53 52          25 24    18 17 16    15      14    4 3  0
//!   +-----------+--------------+--------+-----+----------+-------+----+
//!   | upper rest| value + 2^27 | depth  |bound| complete | best  | age|
//!   +-----------+--------------+--------+-----+----------+-------+----+
//! ```
//!
//! Two threads may write an entry at once and leave the first word of one with the second word of the
//! other. So the first word is stored combined with a scramble of the second: such a mixed pair does not
//! match the key of either, except with a probability of 2^-64.

use super::{Bound, Entry, NO_MOVE, WAYS, worth};
use kalahari_storage::{Words, prefetch};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most bits of the scrambled code that an entry can keep.
pub(super) const REST_BITS: u32 = 75;

const NO_MOVE_HERE: u64 = 2047;

#[derive(Debug)]
pub(super) struct LongTable {
    words: Words,
}

#[inline]
fn scramble(word: u64) -> u64 {
    let x = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ (x >> 32)
}

#[inline]
fn upper_rest(rest: u128) -> u64 {
    (rest >> 64) as u64 & 0x7ff
}

#[inline]
fn pack(rest: u128, entry: Entry, age: u8) -> u64 {
    let best = u64::from(entry.best).min(NO_MOVE_HERE);
    (upper_rest(rest) << 53)
        | (((entry.value + (1 << 27)) as u64 & 0xfff_ffff) << 25)
        | (u64::from(entry.depth & 127) << 18)
        | ((entry.bound as u64 + 1) << 16)
        | (u64::from(entry.complete) << 15)
        | (best << 4)
        | u64::from(age & 15)
}

#[inline]
fn unpack(word: u64) -> Entry {
    Entry {
        value: ((word >> 25) & 0xfff_ffff) as i32 - (1 << 27),
        depth: depth(word),
        bound: match (word >> 16) & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
        complete: complete(word),
        best: match (word >> 4) & 0x7ff {
            NO_MOVE_HERE => NO_MOVE,
            best => best as u16,
        },
    }
}

#[inline]
fn depth(word: u64) -> u8 {
    (word >> 18) as u8 & 127
}

#[inline]
fn complete(word: u64) -> bool {
    (word >> 15) & 1 == 1
}

impl LongTable {
    pub(super) fn new(buckets: usize) -> io::Result<Self> {
        let words = Words::try_new(buckets * WAYS * 2)?;
        Ok(LongTable { words })
    }

    /// The pairs of words of a bucket.
    #[inline]
    fn bucket(&self, bucket: usize) -> impl Iterator<Item = (&AtomicU64, &AtomicU64)> {
        let words = &self.words.as_slice()[bucket * WAYS * 2..(bucket + 1) * WAYS * 2];
        words.chunks_exact(2).map(|pair| (&pair[0], &pair[1]))
    }

    #[inline]
    pub(super) fn prefetch(&self, bucket: usize) {
        prefetch(&self.words.as_slice()[bucket * WAYS * 2]);
    }

    #[inline]
    fn holds(key: u64, data: u64, rest: u128) -> bool {
        data != 0 && key ^ scramble(data) == rest as u64 && data >> 53 == upper_rest(rest)
    }

    #[inline]
    pub(super) fn get(&self, bucket: usize, rest: u128) -> Option<Entry> {
        self.bucket(bucket)
            .map(|(key, data)| (key.load(Ordering::Relaxed), data.load(Ordering::Relaxed)))
            .find(|&(key, data)| Self::holds(key, data, rest))
            .map(|(_, data)| unpack(data))
    }

    #[inline]
    pub(super) fn put(&self, bucket: usize, rest: u128, entry: Entry, age: u8) {
        let mut victim = None;
        let mut least = i32::MAX;
        for (key, data) in self.bucket(bucket) {
            let (old_key, old) = (key.load(Ordering::Relaxed), data.load(Ordering::Relaxed));
            if old == 0 || Self::holds(old_key, old, rest) {
                victim = Some((key, data));
                break;
            }
            let worth = worth(depth(old), complete(old), (old & 15) as u8, age);
            if worth < least {
                least = worth;
                victim = Some((key, data));
            }
        }
        if let Some((key, data)) = victim {
            let word = pack(rest, entry, age);
            key.store(rest as u64 ^ scramble(word), Ordering::Relaxed);
            data.store(word, Ordering::Relaxed);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice())
    }
}
