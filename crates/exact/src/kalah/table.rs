//! What a search remembers about positions: proven bounds, never confused between positions.

use kalahari_games::kalah::Board;

/// Proven bounds of a position's future margin as its mover sees it, and the move that did best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) lower: i32,
    pub(crate) upper: i32,
    /// The pit to try first, or [`NO_MOVE`].
    pub(crate) best: u8,
}

/// No pit to try first.
pub(crate) const NO_MOVE: u8 = 15;

/// A table of proven bounds that threads share.
pub(crate) trait Table: Sync {
    /// The largest margin that an entry can hold.
    const WIDEST: i32;

    /// What tells positions apart.
    type Key: Copy + Default;

    /// The key of a position.
    fn key<B: Board>(&self, position: &B) -> Self::Key;

    /// Starts to load an entry into the cache.
    fn prefetch(&self, key: Self::Key);

    /// What is known about a position.
    fn get(&self, key: Self::Key) -> Option<Known>;

    /// Adds what is proven about a position; `weight` (1 to 15) says how much work it was.
    fn put(&self, key: Self::Key, known: Known, weight: u8);

    /// A word for a key; different keys may share one.
    fn word(&self, key: Self::Key) -> u64;
}
