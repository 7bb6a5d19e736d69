//! Isolation positions.

use crate::Player;
use crate::isolation::Bits;
use std::hash::{Hash, Hasher};

/// A position of Isolation on a board of bits.
///
/// Two positions are equal when the rest of the game is the same in both: in `trail` the owners of
/// left cells count only by the lead they make, elsewhere not at all.
#[derive(Clone, Copy, Debug)]
pub struct IsolationPosition<B> {
    /// Cells that may be entered: nobody stands there, nobody left it.
    pub(crate) free: B,
    /// Cells left by each player; kept to write the position, not to play it.
    pub(crate) left: [B; 2],
    /// In `trail`: cells visited by the first player minus those visited by the second. Elsewhere 0.
    pub(crate) lead: i16,
    /// The index of each player's cell, or [`UNPLACED`].
    pub(crate) at: [u16; 2],
    pub(crate) player: Player,
}

/// Where a piece stands that has not been placed yet.
pub(crate) const UNPLACED: u16 = u16::MAX;

impl<B: Bits> IsolationPosition<B> {
    /// The cells that may be entered, by index.
    #[inline]
    pub fn free(&self) -> B {
        self.free
    }

    /// The index of a player's cell, or `None` before it has been placed.
    #[inline]
    pub fn piece(&self, player: Player) -> Option<usize> {
        let at = self.at[player.index()];
        (at != UNPLACED).then_some(usize::from(at))
    }

    /// Who is to move.
    #[inline]
    pub fn player(&self) -> Player {
        self.player
    }

    /// In `trail`: how many more cells `player` has visited than the opponent. Elsewhere 0.
    #[inline]
    pub fn lead(&self, player: Player) -> i32 {
        i32::from(self.lead) * player.sign()
    }

    /// What equality and hashing look at.
    #[inline]
    fn essence(&self) -> (B, i16, [u16; 2], Player) {
        (self.free, self.lead, self.at, self.player)
    }
}

impl<B: Bits> PartialEq for IsolationPosition<B> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.essence() == other.essence()
    }
}

impl<B: Bits> Eq for IsolationPosition<B> {}

impl<B: Bits> Hash for IsolationPosition<B> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.essence().hash(state);
    }
}
