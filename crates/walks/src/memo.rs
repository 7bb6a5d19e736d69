//! Known bounds of walks, by piece and region, in a table of fixed size.

use crate::Span;
use kalahari_games::isolation::Bits;

/// The longest walk from a cell over a region, which is not empty and holds only cells that can be reached.
#[derive(Clone, Copy, Debug)]
struct Entry<B> {
    /// Empty where there is no entry.
    region: B,
    at: u16,
    lower: u16,
    upper: u16,
}

/// Remembers bounds; a new entry always replaces the one at its place.
#[derive(Debug)]
pub(crate) struct Memo<B> {
    entries: Vec<Entry<B>>,
}

/// Two to this power is the number of entries.
const LOG_ENTRIES: u32 = 14;

impl<B: Bits> Memo<B> {
    pub(crate) fn new() -> Self {
        let none = Entry {
            region: B::EMPTY,
            at: 0,
            lower: 0,
            upper: 0,
        };
        Memo {
            entries: vec![none; 1 << LOG_ENTRIES],
        }
    }

    #[inline]
    fn place(at: usize, region: B) -> usize {
        let (low, high) = region.halves();
        let mix = |word: u64| word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let words = [
            low as u64,
            (low >> 64) as u64,
            high as u64,
            (high >> 64) as u64,
        ];
        let mixed = words
            .into_iter()
            .fold(at as u64, |state, word| mix(state ^ word));
        (mix(mixed) >> (u64::BITS - LOG_ENTRIES)) as usize
    }

    /// The bounds kept for a piece and its region.
    #[inline]
    pub(crate) fn get(&self, at: usize, region: B) -> Option<Span> {
        let entry = &self.entries[Self::place(at, region)];
        let holds = entry.region == region && usize::from(entry.at) == at && !region.is_empty();
        holds.then(|| Span {
            lower: entry.lower.into(),
            upper: entry.upper.into(),
        })
    }

    /// Keeps bounds.
    #[inline]
    pub(crate) fn put(&mut self, at: usize, region: B, span: Span) {
        self.entries[Self::place(at, region)] = Entry {
            region,
            at: at as u16,
            lower: span.lower as u16,
            upper: span.upper as u16,
        };
    }
}
