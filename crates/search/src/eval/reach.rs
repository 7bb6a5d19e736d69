//! `reach`: who gets to each cell first.
//!
//! Two floods run at once from the two pieces, the mover's a half-step ahead. A cell belongs to whoever
//! floods it first. In `trail` the lead in cells visited is added, so the value estimates the margin.

use super::IsolationTerm;
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};

/// Cells the mover gets to first minus cells the opponent gets to first, and the lead.
#[derive(Clone, Debug, Default)]
pub struct Reach;

impl IsolationTerm for Reach {
    #[inline]
    fn evaluate<B: Bits>(&self, game: &Isolation<B>, position: &IsolationPosition<B>) -> i32 {
        let mover = position.player();
        let (Some(own), Some(other)) = (position.piece(mover), position.piece(!mover)) else {
            return 0;
        };
        let mut free = position.free();
        let (mut own, mut other) = (B::one(own), B::one(other));
        let mut ahead = 0;
        while !(own.is_empty() && other.is_empty()) {
            own = game.spread(own, free);
            free = free & !own;
            other = game.spread(other, free);
            free = free & !other;
            ahead += own.count() as i32 - other.count() as i32;
        }
        ahead + position.lead()
    }
}
