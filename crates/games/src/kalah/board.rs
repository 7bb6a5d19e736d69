//! What a Kalah board can do, whatever its layout.

use crate::Player;
use crate::kalah::{CaptureRule, Effect, KalahSetup, MAX_PITS, Pit, Ranking};
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

/// Values that are made once for each number of pits.
pub type Shelf<T> = [OnceLock<Arc<T>>; MAX_PITS + 1];

/// A shelf with nothing on it.
pub(crate) const fn empty_shelf<T>() -> Shelf<T> {
    [const { OnceLock::new() }; MAX_PITS + 1]
}

/// The owner of houses: a board is seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The player to move.
    Mover,
    /// The other player.
    Opponent,
}

/// A layout of the houses, seen by the mover.
///
/// A board is either in play, with seeds on both sides, or finished, with every seed in a store.
pub trait Board: Copy + Debug + Eq + Hash + Send + Sync + 'static {
    /// What is computed once per number of pits, to make moves fast.
    type Tables: Clone + Debug + Send + Sync + 'static;
    /// Goes through some of the mover's pits, lowest first. The default goes through none.
    type Pits: DoubleEndedIterator<Item = Pit> + Default;

    /// The most pits this layout has room for.
    const MAX_PITS: usize;
    /// The most seeds this layout has room for.
    const MAX_TOTAL: u32;

    /// The tables for boards of `pits` pits a side.
    fn tables(pits: usize) -> Self::Tables;

    /// The tables made so far, by the number of pits, so that making the same game again costs nothing.
    fn shelf() -> &'static Shelf<Self::Tables>;

    /// The board of a setup with at most [`MAX_PITS`](Board::MAX_PITS) pits and
    /// [`MAX_TOTAL`](Board::MAX_TOTAL) seeds. If a side is empty, the other banks its seeds.
    fn from_setup(setup: &KalahSetup) -> Self;

    /// Who is to move.
    fn player(&self) -> Player;

    /// The seeds in a pit, counted in its owner's sowing direction.
    fn pit(&self, side: Side, pit: usize) -> u32;

    /// The first `pits` (at most 8) pits of a side, one a byte, pit 0 in the lowest; `None` if a pit
    /// holds more than a byte can. Layouts made of bytes can return them directly.
    #[inline]
    fn pit_bytes(&self, side: Side, pits: usize) -> Option<u64> {
        (0..pits.min(8)).try_fold(0, |word, pit| {
            let seeds = u8::try_from(self.pit(side, pit)).ok()?;
            Some(word | u64::from(seeds) << (8 * pit))
        })
    }

    /// The seeds in each pit of a side, capped at `most`; places after the last pit may hold anything.
    fn capped_pits(&self, side: Side, most: u8) -> [u8; 16];

    /// The seeds in a store.
    fn store(&self, side: Side) -> u32;

    /// The mover's pits that hold seeds.
    fn filled_pits(&self) -> Self::Pits;

    /// How many of the mover's pits hold seeds.
    fn count_filled_pits(&self) -> u32;

    /// The mover's pits whose sowing ends in the mover's store.
    fn extra_turn_pits(&self, tables: &Self::Tables) -> Self::Pits;

    /// Whether all seeds are banked.
    fn is_finished(&self) -> bool;

    /// All seeds in pits and stores.
    fn total(&self) -> u32;

    /// The seeds in the pits of both sides.
    #[inline]
    fn seeds_in_play(&self) -> u32 {
        self.total() - self.store(Side::Mover) - self.store(Side::Opponent)
    }

    /// The number of the pits' contents in the order of `ranking`, which is for this number of pits.
    #[inline]
    fn rank(&self, ranking: &Ranking) -> u128 {
        let mut ranker = ranking.begin();
        for side in [Side::Mover, Side::Opponent] {
            for pit in 0..ranking.pits() {
                ranker.add(self.pit(side, pit));
            }
        }
        ranker.rank()
    }

    /// The board after sowing a pit that holds seeds, with the player to move turned to the mover.
    fn sow(&self, tables: &Self::Tables, rule: CaptureRule, pit: Pit) -> Self;

    /// The same as [`sow`](Board::sow), with as few branches as possible: for callers that go from one board to an unrelated
    /// one, where the processor cannot predict branches.
    #[inline]
    fn sow_branchless(&self, tables: &Self::Tables, rule: CaptureRule, pit: Pit) -> Self {
        self.sow(tables, rule, pit)
    }

    /// What sowing a pit that holds seeds would do.
    fn effect(&self, tables: &Self::Tables, rule: CaptureRule, pit: Pit) -> Effect;
}
