//! Numbers for whole positions: different positions, different numbers.
//!
//! The pits of the mover and then of the opponent, seeds s0, s1, ..., are ranked in the combinatorial
//! number system: with the running sums p0 = s0, p1 = s0 + s1, ... the rank is
//! C(p0, 1) + C(p1 + 1, 2) + C(p2 + 2, 3) + ... Positions with at most n seeds in 2P pits get the ranks
//! below C(n + 2P, 2P). Stores are left out.

use crate::choose::choose;
use kalahari_games::kalah::{Board, Side};

/// Ranks positions of one number of pits that fit two words and whose rank fits a word.
#[derive(Clone, Debug)]
pub(crate) struct WordRanker {
    pits: usize,
    /// What pit `i` with the running sum `p` adds: entry `128 * i + p`.
    terms: Box<[u64; 16 * 128]>,
}

/// Bytes of all ones.
const ONES: u64 = 0x0101_0101_0101_0101;

impl WordRanker {
    /// A ranker for positions with at most `seeds` seeds, and the number of bits of its ranks; `None`
    /// if they do not fit.
    pub(crate) fn new(pits: usize, seeds: usize) -> Option<(Self, u32)> {
        let largest = choose(seeds + 2 * pits, 2 * pits)?;
        if pits > 7 || seeds > 127 || largest > 1 << 62 {
            return None;
        }
        let mut terms = Box::new([0; 16 * 128]);
        for i in 0..2 * pits {
            for sum in 0..=seeds {
                terms[128 * i + sum] = choose(sum + i, i + 1)? as u64;
            }
        }
        let bits = (128 - largest.leading_zeros()).max(1);
        Some((WordRanker { pits, terms }, bits))
    }

    /// The rank of two sides given as pits in bytes.
    #[inline]
    pub(crate) fn rank(&self, mover: u64, opponent: u64) -> u64 {
        let own = mover.wrapping_mul(ONES);
        // The highest byte of `own` holds the mover's seeds; every sum on the other side has them too.
        let other = opponent
            .wrapping_mul(ONES)
            .wrapping_add((own >> 56).wrapping_mul(ONES));
        match self.pits {
            6 => self.sum::<6>(own, other),
            5 => self.sum::<5>(own, other),
            4 => self.sum::<4>(own, other),
            3 => self.sum::<3>(own, other),
            2 => self.sum::<2>(own, other),
            1 => self.sum::<1>(own, other),
            _ => self.sum::<7>(own, other),
        }
    }

    #[inline]
    fn sum<const PITS: usize>(&self, own: u64, other: u64) -> u64 {
        let mut rank = 0;
        for i in 0..PITS {
            rank += self.terms[128 * i + ((own >> (8 * i)) & 127) as usize];
            rank += self.terms[128 * (PITS + i) + ((other >> (8 * i)) & 127) as usize];
        }
        rank
    }
}

/// Ranks positions of any board, as long as the rank fits 128 bits.
#[derive(Clone, Debug)]
pub(crate) struct WideRanker {
    pits: usize,
    seeds: usize,
    /// What pit `i` with the running sum `p` adds: entry `(seeds + 1) * i + p`.
    terms: Vec<Option<u128>>,
}

impl WideRanker {
    pub(crate) fn new(pits: usize, seeds: usize) -> Self {
        let terms = (0..2 * pits)
            .flat_map(|i| (0..=seeds).map(move |sum| choose(sum + i, i + 1)))
            .collect();
        WideRanker { pits, seeds, terms }
    }

    /// The rank, or `None` if it needs more than 128 bits.
    pub(crate) fn rank<B: Board>(&self, position: &B) -> Option<u128> {
        let (mut rank, mut sum) = (0_u128, 0);
        for i in 0..2 * self.pits {
            let (side, pit) = match i < self.pits {
                true => (Side::Mover, i),
                false => (Side::Opponent, i - self.pits),
            };
            sum += position.pit(side, pit) as usize;
            if sum > self.seeds {
                return None;
            }
            rank = rank.checked_add(self.terms[(self.seeds + 1) * i + sum]?)?;
        }
        Some(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_bijection() {
        let (ranker, _) = WordRanker::new(2, 7).expect("fits");
        let mut seen = vec![false; choose(7 + 4, 4).expect("small") as usize];
        for code in 0..8_u64.pow(4) {
            let pit = |i: u32| code / 8_u64.pow(i) % 8;
            if (0..4).map(pit).sum::<u64>() > 7 {
                continue;
            }
            let rank = ranker.rank(pit(0) | pit(1) << 8, pit(2) | pit(3) << 8);
            assert!(!std::mem::replace(&mut seen[rank as usize], true));
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}
