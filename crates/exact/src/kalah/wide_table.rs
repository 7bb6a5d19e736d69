//! The table for large boards: entries that hold the whole rank, behind locks.

use crate::kalah::table::{Known, NO_MOVE, Table};
use kalahari_games::kalah::{Board, Ranking};
use kalahari_storage::room_for;
use std::io;
use std::sync::{Mutex, PoisonError};

const WAYS: usize = 4;

#[derive(Clone, Copy, Debug)]
struct Entry {
    rank: u128,
    lower: i16,
    upper: i16,
    best: u8,
    /// 0 for no entry.
    weight: u8,
}

const EMPTY: Entry = Entry {
    rank: 0,
    lower: 0,
    upper: 0,
    best: NO_MOVE,
    weight: 0,
};

/// Bounds of positions whose rank fits into 128 bits; others are not stored.
#[derive(Debug)]
pub(crate) struct WideTable {
    buckets: Vec<Mutex<[Entry; WAYS]>>,
    ranking: Ranking,
    /// The ranks of positions with more seeds in the pits do not fit.
    seeds: u32,
}

impl WideTable {
    /// A table of about `bytes` bytes for positions with at most `seeds` seeds; an error if there is no room for it.
    pub(crate) fn new(pits: usize, seeds: usize, bytes: u64) -> io::Result<Self> {
        let size = std::mem::size_of::<Mutex<[Entry; WAYS]>>() as u64;
        let count = (bytes / size).clamp(1, 1 << 32);
        room_for(count * size)?;
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count as usize)?;
        buckets.extend((0..count).map(|_| Mutex::new([EMPTY; WAYS])));
        let ranking = Ranking::new(pits);
        let fits = |&seeds: &u32| ranking.bits(seeds) <= u128::BITS;
        Ok(WideTable {
            seeds: (0..=seeds as u32).rev().find(fits).unwrap_or(0),
            buckets,
            ranking,
        })
    }

    fn bucket(&self, rank: u128) -> &Mutex<[Entry; WAYS]> {
        let mixed = fold(rank).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (u128::from(mixed) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize]
    }
}

fn fold(rank: u128) -> u64 {
    (rank >> 64) as u64 ^ rank as u64
}

impl Table for WideTable {
    const WIDEST: i32 = i16::MAX as i32;

    type Key = Option<u128>;

    fn key<B: Board>(&self, position: &B) -> Option<u128> {
        (position.seeds_in_play() <= self.seeds).then(|| position.rank(&self.ranking))
    }

    fn prefetch(&self, _key: Option<u128>) {}

    fn get(&self, key: Option<u128>) -> Option<Known> {
        let rank = key?;
        let bucket = self
            .bucket(rank)
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let entry = bucket
            .iter()
            .find(|entry| entry.weight > 0 && entry.rank == rank)?;
        Some(Known {
            lower: entry.lower.into(),
            upper: entry.upper.into(),
            best: entry.best,
        })
    }

    fn put(&self, key: Option<u128>, known: Known, weight: u8) {
        let Some(rank) = key else { return };
        let mut bucket = self
            .bucket(rank)
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut new = Entry {
            rank,
            lower: known.lower as i16,
            upper: known.upper as i16,
            best: known.best,
            weight: weight.max(1),
        };
        let same = |entry: &Entry| entry.weight > 0 && entry.rank == rank;
        if let Some(old) = bucket.iter_mut().find(|entry| same(entry)) {
            new.lower = new.lower.max(old.lower);
            new.upper = new.upper.min(old.upper);
            if new.best == NO_MOVE {
                new.best = old.best;
            }
            *old = new;
        } else if let Some(lightest) = bucket.iter_mut().min_by_key(|entry| entry.weight) {
            *lightest = new;
        }
    }

    fn word(&self, key: Option<u128>) -> u64 {
        key.map_or(0, fold)
    }
}
