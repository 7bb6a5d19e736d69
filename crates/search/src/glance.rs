//! How a position looks at a glance.

use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};
use kalahari_games::kalah::{Board, Kalah, Side};
use kalahari_games::{Game, Player};

/// The cheapest evaluation, for searches that make it at every node and do not rely on it.
pub trait Glance: Game {
    /// How well the mover stands, from 0 to 1.
    fn share(&self, position: &Self::Position) -> f64;
}

impl<B: Board> Glance for Kalah<B> {
    #[inline]
    fn share(&self, position: &B) -> f64 {
        let (own, other) = (
            f64::from(position.store(Side::Mover)),
            f64::from(position.store(Side::Opponent)),
        );
        if own + other == 0.0 {
            0.5
        } else {
            own / (own + other)
        }
    }
}

impl<B: Bits> Glance for Isolation<B> {
    fn share(&self, position: &IsolationPosition<B>) -> f64 {
        let mover = position.player();
        let steps = |player: Player| f64::from(self.destinations(position, player).count());
        let ahead = match (position.piece(mover), position.piece(!mover)) {
            (Some(_), Some(_)) => steps(mover) - steps(!mover),
            _ => 0.0,
        };
        1.0 / (1.0 + (-(ahead + f64::from(position.lead())) / 2.0).exp())
    }
}
