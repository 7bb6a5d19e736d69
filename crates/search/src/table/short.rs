//! Entries of one word, for codes whose rest fits into 30 bits.
//!
//! ```text
//!    63        34 33          18 17    11 10  9     8      7    4 3  0
//!   +------------+--------------+--------+-----+----------+------+----+
//!   | rest of key| value + 2^15 | depth  |bound| complete | best | age|
//!   +------------+--------------+--------+-----+----------+------+----+
//! ```
//!
//! `bound` is 1, 2 or 3, so a word of zero is an empty entry. A word is read and written whole: no
//! reader ever sees half an entry.

use super::{Bound, Entry, NO_MOVE, WAYS, worth};
use kalahari_storage::{Words, prefetch};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most bits of the scrambled code that an entry can keep.
pub(super) const REST_BITS: u32 = 30;
/// The largest value, either sign.
pub(super) const MAX_VALUE: i32 = (1 << 15) - 1;

const NO_MOVE_HERE: u64 = 15;

#[derive(Debug)]
pub(super) struct ShortTable {
    words: Words,
}

#[inline]
fn pack(rest: u64, entry: Entry, age: u8) -> u64 {
    let best = u64::from(entry.best).min(NO_MOVE_HERE);
    (rest << 34)
        | (((entry.value + (1 << 15)) as u64 & 0xffff) << 18)
        | (u64::from(entry.depth & 127) << 11)
        | ((entry.bound as u64 + 1) << 9)
        | (u64::from(entry.complete) << 8)
        | (best << 4)
        | u64::from(age & 15)
}

#[inline]
fn unpack(word: u64) -> Entry {
    Entry {
        value: ((word >> 18) & 0xffff) as i32 - (1 << 15),
        depth: depth(word),
        bound: match (word >> 9) & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
        complete: complete(word),
        best: match (word >> 4) & 15 {
            NO_MOVE_HERE => NO_MOVE,
            best => best as u16,
        },
    }
}

#[inline]
fn depth(word: u64) -> u8 {
    (word >> 11) as u8 & 127
}

#[inline]
fn complete(word: u64) -> bool {
    (word >> 8) & 1 == 1
}

impl ShortTable {
    pub(super) fn new(buckets: usize) -> io::Result<Self> {
        let words = Words::try_new(buckets * WAYS)?;
        Ok(ShortTable { words })
    }

    #[inline]
    fn bucket(&self, bucket: usize) -> &[AtomicU64] {
        &self.words.as_slice()[bucket * WAYS..(bucket + 1) * WAYS]
    }

    #[inline]
    pub(super) fn prefetch(&self, bucket: usize) {
        prefetch(&self.words.as_slice()[bucket * WAYS]);
    }

    #[inline]
    pub(super) fn get(&self, bucket: usize, rest: u64) -> Option<Entry> {
        self.bucket(bucket)
            .iter()
            .map(|word| word.load(Ordering::Relaxed))
            .find(|&word| word != 0 && word >> 34 == rest)
            .map(unpack)
    }

    #[inline]
    pub(super) fn put(&self, bucket: usize, rest: u64, entry: Entry, age: u8) {
        let bucket = self.bucket(bucket);
        let mut victim = 0;
        let mut least = i32::MAX;
        for (way, word) in bucket.iter().enumerate() {
            let word = word.load(Ordering::Relaxed);
            if word == 0 || word >> 34 == rest {
                victim = way;
                break;
            }
            let worth = worth(depth(word), complete(word), (word & 15) as u8, age);
            if worth < least {
                (least, victim) = (worth, way);
            }
        }
        bucket[victim].store(pack(rest, entry, age), Ordering::Relaxed);
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice())
    }
}
