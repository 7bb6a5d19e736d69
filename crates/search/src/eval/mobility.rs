//! `mobility`: own legal steps minus the opponent's; 0 for a piece not yet placed.

use super::IsolationTerm;
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};

/// Own steps minus the opponent's.
#[derive(Clone, Debug, Default)]
pub struct Mobility;

impl IsolationTerm for Mobility {
    fn is_symmetric() -> bool {
        true
    }

    #[inline]
    fn evaluate<B: Bits>(&self, game: &Isolation<B>, position: &IsolationPosition<B>) -> i32 {
        let steps = |player| match position.piece(player) {
            Some(_) => game.destinations(position, player).count() as i32,
            None => 0,
        };
        steps(position.player()) - steps(!position.player())
    }
}
