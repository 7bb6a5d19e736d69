//! A number for every content of the pits, without gaps.
//!
//! Let `s1 <= s2 <= ... <= sk` be the seeds in the first 1, 2, ... k pits, the mover's and then the
//! opponent's. The numbers `s1, s2 + 1, ..., sk + k - 1` rise, so they are a set of k numbers, and the
//! combinatorial number system counts such sets: the rank is the sum of `C(si + i - 1, i)`. With at most
//! n seeds in play, ranks run from 0 to `C(n + k, k) - 1`: for 72 seeds in 12 pits below 2^47.

use crate::kalah::{MAX_PITS, MAX_TOTAL};

/// The numbering of positions with a number of pits.
#[derive(Clone, Debug)]
pub struct Ranking {
    pits: usize,
    /// `steps[i][s]` is `C(s + i, i + 1)`: what `s` seeds in the first `i + 1` pits add to the rank,
    /// in wrapping arithmetic.
    steps: Vec<Vec<u128>>,
    /// The same in 64 bits for up to 255 seeds; exact as long as ranks have at most 64 bits.
    short_steps: Box<[[u64; 256]; 2 * SHORT_PITS]>,
    /// Ranks of positions with up to this many seeds are far below 2^64.
    short_seeds: usize,
}

/// Short steps serve boards of up to this many pits a side.
const SHORT_PITS: usize = 7;

impl Ranking {
    /// The numbering for boards of `pits` pits a side.
    pub fn new(pits: usize) -> Self {
        assert!((1..=MAX_PITS).contains(&pits), "no board of {pits} pits");
        // C(s + i, i + 1) = C(s - 1 + i, i + 1) + C(s + i - 1, i): a running sum of the row before.
        let mut row: Vec<u128> = (0..=u128::from(MAX_TOTAL)).collect();
        let mut steps = Vec::with_capacity(2 * pits);
        for _ in 0..2 * pits {
            steps.push(row.clone());
            for s in 1..row.len() {
                row[s] = row[s].wrapping_add(row[s - 1]);
            }
        }
        let mut short_steps = Box::new([[0; 256]; 2 * SHORT_PITS]);
        for (short, long) in short_steps.iter_mut().zip(&steps) {
            for (short, &long) in short.iter_mut().zip(long) {
                *short = long as u64;
            }
        }
        let last = &steps[2 * pits - 1];
        Ranking {
            pits,
            short_seeds: (0..256).take_while(|&s| last[s] < 1 << 62).count() - 1,
            steps,
            short_steps,
        }
    }

    /// Pits a side.
    #[inline]
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// How many bits the ranks of positions with at most `seeds` seeds in play need. More than 128
    /// means that ranks are only remainders modulo 2^128.
    pub fn bits(&self, seeds: u32) -> u32 {
        // The logarithm of C(n + k, k), factor by factor.
        let k = 2 * self.pits as u32;
        let log: f64 = (1..=k)
            .map(|i| (f64::from(seeds + i) / f64::from(i)).log2())
            .sum();
        (log + 1e-6).ceil() as u32
    }

    /// Begins to rank a position pit by pit.
    #[inline]
    pub fn begin(&self) -> Ranker<'_> {
        Ranker {
            ranking: self,
            pit: 0,
            seeds: 0,
            rank: 0,
        }
    }

    /// The rank of a position of up to 7 pits and 255 seeds whose sums of the first pits are bytes:
    /// the mover's in the first word, the opponent's, the mover's seeds included, in the second.
    #[inline]
    pub(crate) fn rank_of_byte_sums(&self, mover: u64, opponent: u64) -> u128 {
        let sum = |word: u64, pit: usize| (word >> (8 * pit)) as usize & 0xff;
        let pits = self.pits.min(SHORT_PITS);
        let all = sum(opponent, pits - 1);
        if all <= self.short_seeds {
            let mut rank = 0_u64;
            for pit in 0..pits {
                rank = rank.wrapping_add(self.short_steps[pit][sum(mover, pit)]);
                rank = rank.wrapping_add(self.short_steps[pits + pit][sum(opponent, pit)]);
            }
            return u128::from(rank);
        }
        (0..pits).fold(0, |rank: u128, pit| {
            rank.wrapping_add(self.steps[pit][sum(mover, pit)])
                .wrapping_add(self.steps[pits + pit][sum(opponent, pit)])
        })
    }
}

/// A rank that is being computed.
#[derive(Clone, Debug)]
pub struct Ranker<'a> {
    ranking: &'a Ranking,
    pit: usize,
    seeds: usize,
    rank: u128,
}

impl Ranker<'_> {
    /// Adds the next pit, of at most `2P` in all.
    #[inline]
    pub fn add(&mut self, seeds: u32) {
        self.seeds += seeds as usize;
        self.rank = self
            .rank
            .wrapping_add(self.ranking.steps[self.pit][self.seeds]);
        self.pit += 1;
    }

    /// The rank of the pits added so far.
    #[inline]
    pub fn rank(&self) -> u128 {
        self.rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::kalah::{Board, Kalah, KalahSetup, Packed, Wide};
    use std::collections::HashSet;

    /// Every content of 2 + 2 pits with at most `n` seeds has its own rank, and there are no gaps.
    #[test]
    fn ranks_are_dense() {
        let n = 7;
        let ranking = Ranking::new(2);
        let mut seen = HashSet::new();
        for code in 0..(n + 1_u32).pow(4) {
            let pits = [0, 1, 2, 3].map(|i| code / (n + 1).pow(i) % (n + 1));
            if pits.iter().sum::<u32>() <= n {
                let mut ranker = ranking.begin();
                pits.into_iter().for_each(|seeds| ranker.add(seeds));
                assert!(seen.insert(ranker.rank()));
            }
        }
        assert_eq!(seen.len(), 330, "C(7 + 4, 4)");
        assert_eq!(seen.into_iter().max(), Some(329));
        assert_eq!(ranking.bits(n), 9);
    }

    #[test]
    fn both_boards_rank_alike() {
        for (spec, seeds) in [("kalah:6x6", 72), ("kalah:7x18", 252), ("kalah:1x20", 40)] {
            let packed = Kalah::<Packed>::new(spec.parse().expect("a spec")).expect("small");
            let wide = Kalah::<Wide>::wide(spec.parse().expect("a spec"));
            let mut position = packed.start();
            assert_eq!(position.seeds_in_play(), seeds, "{spec}");
            let (mut moves, mut mover, mut ranks) = (0, packed.to_move(&position), HashSet::new());
            while let Some(mv) = packed.moves(&position).next_back() {
                let setup: KalahSetup = packed.setup(&position);
                let twin = wide.position(&setup).expect("the same game");
                assert_eq!(packed.rank(&position), wide.rank(&twin));
                assert_eq!(position.seeds_in_play(), twin.seeds_in_play());
                // A rank is seen by the mover, so it may come up again only with the other player to move.
                assert!(ranks.insert((packed.rank(&position), mover)), "{spec}");
                position = packed.play_unchecked(&position, mv);
                (moves, mover) = (moves + 1, packed.to_move(&position));
            }
            assert!(moves > 0 && packed.is_over(&position), "{spec}");
            assert_eq!(position.seeds_in_play(), 0, "{spec}");
        }
        assert_eq!(Ranking::new(6).bits(72), 47);
    }
}
