//! Where the byte of each position is.
//!
//! ```text
//!   levels     | 0 | 1 | 2 |   3   |     4     | ...     n seeds on the board
//!   level n    | (0,n) | (1,n-1) | (2,n-2) | ... | (n,0) |     blocks: mover's seeds, opponent's seeds
//!   block      | opponent 0: mover 0, 1, 2, ... | opponent 1: mover 0, 1, 2, ... | ...
//! ```
//!
//! "Mover 2" is the arrangement numbered 2 among those of the mover's number of seeds. The opponent's
//! arrangement is the outer index: if the player who has just moved has a fixed arrangement, all positions
//! that differ only in the other side are in one row.
//! Finished positions, with one side empty, are stored like all others.

use crate::choose::choose;
use crate::tablebase::numbering::Numbering;

/// The places of all positions with up to some number of seeds.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// `blocks[n][m]` is where the block of mover's seeds `m` in level `n` begins; one more ends the level.
    blocks: Vec<Vec<usize>>,
}

impl Layout {
    pub(crate) fn new(numbering: &Numbering) -> Self {
        let mut layout = Layout { blocks: Vec::new() };
        for _ in 0..=numbering.seeds() {
            layout.grow(numbering);
        }
        layout
    }

    /// Adds a level, whose arrangements are already numbered.
    pub(crate) fn grow(&mut self, numbering: &Numbering) {
        let (n, mut at) = (self.blocks.len(), self.end());
        let mut level = Vec::with_capacity(n + 2);
        for m in 0..=n {
            level.push(at);
            at += numbering.count(m) * numbering.count(n - m);
        }
        level.push(at);
        self.blocks.push(level);
    }

    /// Where the block begins.
    #[inline]
    pub(crate) fn block(&self, mover_seeds: usize, opponent_seeds: usize) -> usize {
        self.blocks[mover_seeds + opponent_seeds][mover_seeds]
    }

    /// Where level `n` begins; `n` may be one more than the last level.
    pub(crate) fn level(&self, n: usize) -> usize {
        match self.blocks.get(n) {
            Some(level) => level[0],
            None => self.end(),
        }
    }

    /// The end of the last level: the number of bytes in all.
    pub(crate) fn end(&self) -> usize {
        self.blocks
            .last()
            .and_then(|level| level.last())
            .copied()
            .unwrap_or(0)
    }
}

/// The number of positions with at most `seeds` seeds in `2 * pits` pits, finished ones included; `None` if absurdly large.
pub fn position_count(pits: usize, seeds: usize) -> Option<u64> {
    choose(seeds + 2 * pits, 2 * pits).and_then(|count| u64::try_from(count).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_add_up() {
        let layout = Layout::new(&Numbering::new(6, 12));
        for n in 0..=12 {
            assert_eq!(Some(layout.level(n + 1) as u64), position_count(6, n));
        }
    }
}
