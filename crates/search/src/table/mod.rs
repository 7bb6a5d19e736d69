//! The transposition table: what a search has learned about positions it may meet again.
//!
//! Keys are codes of positions, not hashes: a code is scrambled by a bijection, some of its bits choose
//! the bucket and all others are stored, so a hit is never another position. [`Table::is_lossless`]
//! says whether that holds for the codes at hand.
//!
//! Two layouts share one interface. Short codes (Kalah with up to 6 pits) take one word an entry, others two.

mod long;
mod short;

use kalahari_storage::Bijection;
use long::LongTable;
use short::ShortTable;
use std::io;

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At most the stored value.
    Upper,
    /// At least the stored value.
    Lower,
    /// The stored value.
    Exact,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value without points already banked.
    pub value: i32,
    /// How deep the search behind it was, in plies; 0 to 127.
    pub depth: u8,
    /// What the value says.
    pub bound: Bound,
    /// Whether the value holds for the whole rest of the game, so for any depth.
    pub complete: bool,
    /// The best move's place in the list of moves, or [`NO_MOVE`].
    pub best: u16,
}

/// No best move is known.
pub const NO_MOVE: u16 = u16::MAX;

/// Entries of a bucket, which lies in one cache line.
const WAYS: usize = 4;

/// A table shared by all threads of a search.
#[derive(Debug)]
pub struct Table {
    layout: Layout,
    mix: Bijection,
    bucket_bits: u32,
    lossless: bool,
}

#[derive(Debug)]
enum Layout {
    Short(ShortTable),
    Long(LongTable),
}

/// Where a position's entry would be.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    bucket: usize,
    /// The bits of the scrambled code that did not choose the bucket.
    rest: u128,
}

impl Table {
    /// A table of about `bytes` bytes for codes below 2 to the `code_bits` and values between
    /// `-max_value` and `max_value`; an error if there is no room for it.
    pub fn new(bytes: usize, code_bits: u32, max_value: i32) -> io::Result<Self> {
        let bytes = bytes.max(1 << 16);
        let short_buckets = previous_power_of_two(bytes / (8 * WAYS));
        let fits = code_bits.saturating_sub(short_buckets.ilog2()) <= short::REST_BITS
            && max_value <= short::MAX_VALUE;
        if fits {
            let bits = code_bits.max(short_buckets.ilog2());
            return Ok(Table {
                layout: Layout::Short(ShortTable::new(short_buckets)?),
                mix: Bijection::new(bits),
                bucket_bits: short_buckets.ilog2(),
                lossless: true,
            });
        }
        let buckets = previous_power_of_two(bytes / (16 * WAYS));
        let most = long::REST_BITS + buckets.ilog2();
        Ok(Table {
            layout: Layout::Long(LongTable::new(buckets)?),
            mix: Bijection::new(code_bits.clamp(buckets.ilog2(), 128)),
            bucket_bits: buckets.ilog2(),
            lossless: code_bits <= most,
        })
    }

    /// Whether a hit is never another position.
    pub fn is_lossless(&self) -> bool {
        self.lossless
    }

    /// The place of a code.
    #[inline]
    pub fn place(&self, code: u128) -> Place {
        let (bucket, rest) = self.mix.split(code, self.bucket_bits);
        Place { bucket, rest }
    }

    /// Starts to load the entries of a place into the cache.
    #[inline]
    pub fn prefetch(&self, place: Place) {
        match &self.layout {
            Layout::Short(table) => table.prefetch(place.bucket),
            Layout::Long(table) => table.prefetch(place.bucket),
        }
    }

    /// What is known about the position of this place.
    #[inline]
    pub fn get(&self, place: Place) -> Option<Entry> {
        match &self.layout {
            Layout::Short(table) => table.get(place.bucket, place.rest as u64),
            Layout::Long(table) => table.get(place.bucket, place.rest),
        }
    }

    /// Stores an entry, replacing the least useful one of its bucket. `age` counts searches, modulo 16.
    #[inline]
    pub fn put(&self, place: Place, entry: Entry, age: u8) {
        match &self.layout {
            Layout::Short(table) => table.put(place.bucket, place.rest as u64, entry, age),
            Layout::Long(table) => table.put(place.bucket, place.rest, entry, age),
        }
    }

    /// The memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        match &self.layout {
            Layout::Short(table) => table.bytes(),
            Layout::Long(table) => table.bytes(),
        }
    }
}

fn previous_power_of_two(n: usize) -> usize {
    1 << n.max(2).ilog2()
}

/// How much an old entry is worth keeping: deep ones more, those of earlier searches less.
#[inline]
fn worth(depth: u8, complete: bool, age: u8, now: u8) -> i32 {
    let old = i32::from(now.wrapping_sub(age) & 15);
    i32::from(depth) + 2 * i32::from(complete) - 4 * old
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use std::collections::HashMap;

    fn random_entry(rng: &mut Rng, max_value: i32, moves: usize) -> Entry {
        Entry {
            value: rng.below(2 * max_value as usize + 1) as i32 - max_value,
            depth: rng.below(128) as u8,
            bound: [Bound::Upper, Bound::Lower, Bound::Exact][rng.below(3)],
            complete: rng.below(2) == 1,
            best: match rng.below(moves + 1) {
                n if n == moves => NO_MOVE,
                n => n as u16,
            },
        }
    }

    /// Every entry that a table returns was stored for exactly that code.
    fn never_confuses(bits: u32, max_value: i32, moves: usize) {
        let table = Table::new(1 << 16, bits, max_value).expect("room");
        assert!(table.is_lossless());
        let mut rng = Rng::new(7);
        let mut known: HashMap<u128, Vec<Entry>> = HashMap::new();
        let mask = if bits == 128 {
            u128::MAX
        } else {
            (1 << bits) - 1
        };
        let mut hits = 0;
        for _ in 0..200_000 {
            // Few different codes, close together or far apart, so that buckets overflow and codes repeat.
            let code = (u128::from(rng.next_u64() % 5_000)
                .wrapping_mul(1 << rng.below(bits as usize)))
                & mask;
            let place = table.place(code);
            if let Some(found) = table.get(place) {
                hits += 1;
                assert!(known[&code].contains(&found), "{code:x}");
            }
            let entry = random_entry(&mut rng, max_value, moves);
            table.put(place, entry, 3);
            known.entry(code).or_default().push(entry);
        }
        assert!(hits > 1_000);
    }

    #[test]
    fn short_tables_never_confuse_positions() {
        never_confuses(41, short::MAX_VALUE, 12);
        never_confuses(20, 100, 6);
    }

    #[test]
    fn long_tables_never_confuse_positions() {
        never_confuses(80, 100_000_100, 2_032);
        never_confuses(60, 100_000_100, 64);
    }

    #[test]
    fn what_was_put_last_is_found() {
        for (bits, max) in [(41, 30_000), (80, 100_000_000)] {
            let table = Table::new(1 << 20, bits, max).expect("room");
            let mut rng = Rng::new(1);
            for _ in 0..100_000 {
                let code = u128::from(rng.next_u64()) % (1 << bits.min(64));
                let entry = random_entry(&mut rng, max, 6);
                table.put(table.place(code), entry, 0);
                assert_eq!(table.get(table.place(code)), Some(entry));
            }
        }
    }
}
