//! Isolation positions.

use crate::Player;
use crate::isolation::{Bits, Essence, NOWHERE};
use std::hash::{Hash, Hasher};

/// A position of Isolation on a board of bits.
///
/// Two positions are equal when the rest of the game is the same in both: in `trail` the owners of
/// left cells count only by the lead they make, elsewhere not at all.
///
/// The fields lie flat and mover first, so that a move builds the next position in registers; copying
/// and then patching a nested one costs three times as much.
#[derive(Clone, Copy, Debug)]
pub struct IsolationPosition<B> {
    /// Cells that may be entered: neither occupied nor blocked.
    pub(crate) free: B,
    /// Cells left by the player to move; kept to write the position, not to play it.
    pub(crate) left: B,
    /// Cells left by the opponent.
    pub(crate) other_left: B,
    /// The index of the mover's cell, or [`NOWHERE`].
    pub(crate) at: u16,
    /// The index of the opponent's cell, or [`NOWHERE`].
    pub(crate) other_at: u16,
    /// In `trail`: cells visited by the mover minus those visited by the opponent. Elsewhere 0.
    pub(crate) lead: i16,
    pub(crate) player: Player,
}

impl<B: Bits> IsolationPosition<B> {
    /// The cells that may be entered, by index.
    #[inline]
    pub fn free(&self) -> B {
        self.free
    }

    /// The index of a player's cell, or `None` before it has been placed.
    #[inline]
    pub fn piece(&self, player: Player) -> Option<usize> {
        let at = self.at_of(player);
        (at != NOWHERE).then_some(usize::from(at))
    }

    #[inline]
    pub(crate) fn at_of(&self, player: Player) -> u16 {
        match player == self.player {
            true => self.at,
            false => self.other_at,
        }
    }

    /// The cells a player has left behind.
    pub(crate) fn left_by(&self, player: Player) -> B {
        match player == self.player {
            true => self.left,
            false => self.other_left,
        }
    }

    /// Who is to move.
    #[inline]
    pub fn player(&self) -> Player {
        self.player
    }

    /// In `trail`: how many more cells the mover has visited than the opponent. Elsewhere 0.
    #[inline]
    pub fn lead(&self) -> i32 {
        i32::from(self.lead)
    }

    /// The same board with the other player to move.
    #[inline]
    pub(crate) fn turned(&self) -> Self {
        IsolationPosition {
            free: self.free,
            left: self.other_left,
            other_left: self.left,
            at: self.other_at,
            other_at: self.at,
            lead: -self.lead,
            player: !self.player,
        }
    }

    /// Everything that matters to the rest of the game except the lead.
    #[inline]
    pub fn essence(&self) -> Essence<B> {
        Essence {
            free: self.free,
            at: self.at,
            other_at: self.other_at,
        }
    }

    /// What equality and hashing look at.
    #[inline]
    fn identity(&self) -> (B, u16, u16, i16, Player) {
        (self.free, self.at, self.other_at, self.lead, self.player)
    }
}

impl<B: Bits> PartialEq for IsolationPosition<B> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl<B: Bits> Eq for IsolationPosition<B> {}

impl<B: Bits> Hash for IsolationPosition<B> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}
