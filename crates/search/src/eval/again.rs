//! `again`: a course's evaluation, the stores and a bonus for moving again.

use super::registry::Named;
use super::{EvalError, Evaluation, Scale};
use crate::parameters::{BONUS, Parameter};
use kalahari_games::GameSpec;
use kalahari_games::kalah::{Board, Kalah};

/// The difference of the stores, with a bonus for the side that has just earned an extra turn.
#[derive(Clone, Copy, Debug)]
pub struct Again {
    bonus: i32,
}

impl<B: Board> Evaluation<Kalah<B>> for Again {
    #[inline]
    fn evaluate(&self, game: &Kalah<B>, position: &B, again: bool) -> i32 {
        // The side that moves again is the mover, maximiser or not.
        game.store_margin(position) + if again { self.bonus } else { 0 }
    }

    fn scale(&self) -> Scale {
        Scale {
            overshoot: self.bonus.abs(),
            uses_again: true,
            ..Scale::seeds(1)
        }
    }
}

impl Named for Again {
    fn of_game(_: GameSpec) -> Result<Self, EvalError> {
        Ok(Again {
            bonus: BONUS.value as i32,
        })
    }

    fn current(&self) -> Vec<Parameter> {
        vec![BONUS.with_value(f64::from(self.bonus))]
    }

    fn set(&mut self, _: &str, value: f64) {
        self.bonus = value as i32;
    }
}
