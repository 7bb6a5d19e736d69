//! Proven bounds of Isolation positions, each stored with its whole position.

use kalahari_games::isolation::Bits;
use kalahari_games::isolation::Essence;
use kalahari_storage::room_for;

#[derive(Clone, Copy, Debug, Default)]
struct Entry<B> {
    key: Essence<B>,
    lower: i16,
    upper: i16,
    /// How much work it was; 0 for no entry.
    weight: u32,
}

const WAYS: usize = 4;

/// A table that grows up to a maximum size; after that, the entry that took the least work is replaced.
#[derive(Debug)]
pub(crate) struct Table<B> {
    entries: Vec<Entry<B>>,
    filled: usize,
    /// The most entries there may be.
    most: usize,
}

/// The number of entries at first: allocating takes time, and most boards need few.
const AT_FIRST: usize = 1 << 14;

impl<B: Bits> Table<B> {
    /// A table of at most about `bytes` bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let count = bytes as usize / std::mem::size_of::<Entry<B>>() / WAYS;
        let most = WAYS * count.max(1);
        Table {
            entries: vec![Entry::default(); most.min(AT_FIRST)],
            filled: 0,
            most,
        }
    }

    /// Grows the table fourfold when it is more than half full.
    fn grow(&mut self) {
        let larger = (4 * self.entries.len()).min(self.most);
        let crowded = 2 * self.filled > self.entries.len();
        if !crowded || larger == self.entries.len() {
            return;
        }
        let mut room = Vec::new();
        let bytes = larger as u64 * std::mem::size_of::<Entry<B>>() as u64;
        if room_for(bytes).is_err() || room.try_reserve_exact(larger).is_err() {
            // There is no memory: it keeps its size.
            self.most = self.entries.len();
            return;
        }
        room.resize(larger, Entry::default());
        let old = std::mem::replace(&mut self.entries, room);
        self.filled = 0;
        for entry in old.into_iter().filter(|entry| entry.weight > 0) {
            self.insert(entry);
        }
    }

    fn bucket(&self, key: &Essence<B>) -> usize {
        let (low, high) = key.free.halves();
        let pieces = (u64::from(key.at) << 16) | u64::from(key.other_at);
        let words = [
            low as u64,
            (low >> 64) as u64,
            high as u64,
            (high >> 64) as u64,
        ];
        let mix = |state: u64, word: u64| {
            let mixed = (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 29)
        };
        let mixed = words
            .into_iter()
            .fold(mix(0, pieces), mix)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let buckets = self.entries.len() / WAYS;
        WAYS * ((u128::from(mixed) * buckets as u128) >> 64) as usize
    }

    /// The bounds of a position, if they are known.
    pub(crate) fn get(&self, key: &Essence<B>) -> Option<(i32, i32)> {
        let bucket = self.bucket(key);
        let entry = self.entries[bucket..bucket + WAYS]
            .iter()
            .find(|entry| entry.weight > 0 && entry.key == *key)?;
        Some((entry.lower.into(), entry.upper.into()))
    }

    /// Narrows the bounds of a position.
    pub(crate) fn put(&mut self, key: Essence<B>, lower: i32, upper: i32, work: u64) {
        self.grow();
        self.insert(Entry {
            key,
            lower: lower as i16,
            upper: upper as i16,
            weight: u32::try_from(work).unwrap_or(u32::MAX).max(1),
        });
    }

    fn insert(&mut self, mut new: Entry<B>) {
        let bucket = self.bucket(&new.key);
        let bucket = &mut self.entries[bucket..bucket + WAYS];
        if let Some(old) = bucket
            .iter_mut()
            .find(|entry| entry.weight > 0 && entry.key == new.key)
        {
            new.lower = new.lower.max(old.lower);
            new.upper = new.upper.min(old.upper);
            *old = new;
        } else if let Some(lightest) = bucket.iter_mut().min_by_key(|entry| entry.weight) {
            self.filled += usize::from(lightest.weight == 0);
            *lightest = new;
        }
    }
}
