//! `weighted`: a course's evaluation, 18 times the stores plus the rows.

use super::registry::Named;
use super::{EvalError, Evaluation, Scale};
use crate::parameters::{Parameter, WEIGHT};
use kalahari_games::GameSpec;
use kalahari_games::kalah::{Board, Kalah, Side};

/// `weight` times the difference of the stores plus the difference of the rows.
#[derive(Clone, Copy, Debug)]
pub struct Weighted {
    weight: i32,
}

impl<B: Board> Evaluation<Kalah<B>> for Weighted {
    #[inline]
    fn evaluate(&self, game: &Kalah<B>, position: &B, _: bool) -> i32 {
        let row = |side| -> i32 {
            (0..game.pits())
                .map(|pit| position.pit(side, pit) as i32)
                .sum()
        };
        self.weight * game.store_margin(position) + row(Side::Mover) - row(Side::Opponent)
    }

    fn scale(&self) -> Scale {
        Scale::seeds(self.weight)
    }
}

impl Named for Weighted {
    fn of_game(_: GameSpec) -> Result<Self, EvalError> {
        Ok(Weighted {
            weight: WEIGHT.value as i32,
        })
    }

    fn current(&self) -> Vec<Parameter> {
        vec![WEIGHT.with_value(f64::from(self.weight))]
    }

    fn set(&mut self, _: &str, value: f64) {
        self.weight = value as i32;
    }
}
