//! `mobility`: own legal steps minus the opponent's; 0 for a piece not yet placed.

use super::registry::Named;
use super::{EvalError, Evaluation, Scale};
use kalahari_games::GameSpec;
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};

/// Own steps minus the opponent's.
#[derive(Clone, Copy, Debug)]
pub struct Mobility;

impl<B: Bits> Evaluation<Isolation<B>> for Mobility {
    #[inline]
    fn evaluate(&self, game: &Isolation<B>, position: &IsolationPosition<B>, _: bool) -> i32 {
        let steps = |player| match position.piece(player) {
            Some(_) => game.destinations(position, player).count() as i32,
            None => 0,
        };
        steps(position.player()) - steps(!position.player())
    }

    fn scale(&self) -> Scale {
        Scale {
            is_symmetric: true,
            clear: 4,
            ..Scale::cells()
        }
    }
}

impl Named for Mobility {
    fn of_game(_: GameSpec) -> Result<Self, EvalError> {
        Ok(Mobility)
    }
}
