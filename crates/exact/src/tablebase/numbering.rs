//! Numbers for the arrangements of one side, in the order in which a tablebase is filled.
//!
//! An arrangement is a word with a pit in a byte, pit 0 lowest, as in `games`. Its *potential* is the
//! sum over its seeds of their distance to their owner's store:
//!
//! ```text
//!    pit        0   1   2   3   4   5  store
//!    distance   6   5   4   3   2   1            0 2 0 0 0 1 has the potential 5+5+1 = 11
//! ```
//!
//! A move that banks nothing lowers the potential of the side that makes it. Arrangements of equally many
//! seeds are numbered from 0 in order of potential, so those of one potential, a *group*, are
//! neighbours.

use crate::choose::choose;
use crate::tablebase::MAX_TABLE_SEEDS;

/// One more than the largest number of seeds, rounded up to index without a check.
const SUMS: usize = 64;

/// The numbers of all arrangements of up to some number of seeds in some number of pits.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    pits: usize,
    /// `terms[i][p]` is what the first `i + 1` pits, holding `p` seeds in all, add to the plain rank.
    terms: Box<[[u32; SUMS]; 8]>,
    /// Where the numbers of `k` seeds begin in `by_rank` and `words`.
    first: Vec<u32>,
    /// The number of an arrangement, by its plain rank among those of equally many seeds.
    by_rank: Vec<u32>,
    /// The arrangements in order of their numbers, for each number of seeds.
    words: Vec<u64>,
    /// For each number of seeds, where its groups begin, and the end.
    groups: Vec<Vec<Group>>,
}

/// The arrangements of one potential among those of equally many seeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) potential: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The sum of all bytes; at most 255.
#[inline]
pub(crate) fn byte_sum(word: u64) -> usize {
    (word.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
}

impl Numbering {
    /// Numbers the arrangements of 0 to `seeds` seeds in `pits` pits (1 to 6).
    pub(crate) fn new(pits: usize, seeds: usize) -> Self {
        debug_assert!((1..=6).contains(&pits) && seeds <= MAX_TABLE_SEEDS);
        let mut terms = Box::new([[0; SUMS]; 8]);
        for (i, row) in terms.iter_mut().enumerate().take(pits - 1) {
            for (sum, term) in row.iter_mut().enumerate() {
                *term = choose(sum + i, i + 1).map_or(0, |count| count as u32);
            }
        }
        let mut numbering = Numbering {
            pits,
            terms,
            first: vec![0],
            by_rank: Vec::new(),
            words: Vec::new(),
            groups: Vec::new(),
        };
        for _ in 0..=seeds {
            numbering.grow();
        }
        numbering
    }

    /// Numbers the arrangements of one more seed.
    pub(crate) fn grow(&mut self) {
        let k = self.groups.len();
        let mut listed = Vec::new();
        list(self.pits, k, 0, 0, &mut listed);
        let potentials = self.pits * k + 1;
        let mut starts = vec![0_usize; potentials + 1];
        for &word in &listed {
            starts[self.potential(word) + 1] += 1;
        }
        for potential in 0..potentials {
            starts[potential + 1] += starts[potential];
        }
        self.groups.push(
            (0..potentials)
                .map(|potential| Group {
                    potential,
                    start: starts[potential],
                    end: starts[potential + 1],
                })
                .filter(|group| group.start < group.end)
                .collect(),
        );
        let base = self.words.len();
        self.words.resize(base + listed.len(), 0);
        self.by_rank.resize(base + listed.len(), 0);
        for &word in &listed {
            let next = &mut starts[self.potential(word)];
            self.words[base + *next] = word;
            let rank = self.rank(word);
            self.by_rank[base + rank] = *next as u32;
            *next += 1;
        }
        self.first.push(self.words.len() as u32);
    }

    fn potential(&self, word: u64) -> usize {
        (0..self.pits)
            .map(|pit| (self.pits - pit) * (word >> (8 * pit) & 0xff) as usize)
            .sum()
    }

    /// The place among the arrangements of equally many seeds, in the combinatorial number system.
    #[inline]
    fn rank(&self, word: u64) -> usize {
        // Byte i of the product is the sum of the bytes 0 to i.
        let sums = word.wrapping_mul(0x0101_0101_0101_0101);
        let mut rank = 0;
        for i in 0..5 {
            rank += self.terms[i][(sums >> (8 * i)) as usize & (SUMS - 1)];
        }
        rank as usize
    }

    /// Pits a side.
    #[inline]
    pub(crate) fn pits(&self) -> usize {
        self.pits
    }

    /// The most seeds that are numbered.
    #[inline]
    pub(crate) fn seeds(&self) -> usize {
        self.groups.len() - 1
    }

    /// How many arrangements have `k` seeds.
    #[inline]
    pub(crate) fn count(&self, k: usize) -> usize {
        (self.first[k + 1] - self.first[k]) as usize
    }

    /// Where the arrangements of `k` seeds begin in a list of all sizes, one after the other.
    #[inline]
    pub(crate) fn first(&self, k: usize) -> usize {
        self.first[k] as usize
    }

    /// The number of an arrangement of `k` seeds. `k` must be right and at most [`seeds`](Self::seeds).
    #[inline]
    pub(crate) fn number(&self, k: usize, word: u64) -> usize {
        self.by_rank[self.first[k] as usize + self.rank(word)] as usize
    }

    /// The arrangements of `k` seeds in order of their numbers.
    #[inline]
    pub(crate) fn words(&self, k: usize) -> &[u64] {
        &self.words[self.first[k] as usize..self.first[k + 1] as usize]
    }

    /// The groups of equal potential among the arrangements of `k` seeds, lowest potential first.
    pub(crate) fn groups(&self, k: usize) -> &[Group] {
        &self.groups[k]
    }
}

/// Lists every way to put `left` seeds into the pits from `pit` on.
fn list(pits: usize, left: usize, pit: usize, word: u64, out: &mut Vec<u64>) {
    if pit + 1 == pits {
        out.push(word | (left as u64) << (8 * pit));
        return;
    }
    for seeds in 0..=left {
        list(
            pits,
            left - seeds,
            pit + 1,
            word | (seeds as u64) << (8 * pit),
            out,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places_in_order_of_potential() {
        for pits in 1..=6 {
            let numbering = Numbering::new(pits, 9);
            for k in 0..=9 {
                let words = numbering.words(k);
                assert_eq!(words.len(), numbering.count(k));
                assert_eq!(Some(words.len() as u128), choose(k + pits - 1, pits - 1));
                for (number, &word) in words.iter().enumerate() {
                    assert_eq!(byte_sum(word), k);
                    assert_eq!(numbering.number(k, word), number);
                }
                for group in numbering.groups(k) {
                    for word in &words[group.start..group.end] {
                        assert_eq!(numbering.potential(*word), group.potential);
                    }
                }
            }
        }
    }
}
