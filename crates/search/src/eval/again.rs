//! `again`: a course's evaluation, the stores and a bonus for moving again.

use super::KalahTerm;
use crate::parameters::{BONUS, Parameter};
use kalahari_games::kalah::{Board, Kalah};

/// The difference of the stores, with a bonus for the side that has just earned an extra turn.
#[derive(Clone, Debug)]
pub struct Again {
    bonus: i32,
}

impl Default for Again {
    fn default() -> Self {
        Again {
            bonus: BONUS.value as i32,
        }
    }
}

impl KalahTerm for Again {
    #[inline]
    fn evaluate<B: Board>(&self, game: &Kalah<B>, position: &B, again: bool) -> i32 {
        // The side that moves again is the mover, maximiser or not.
        game.store_margin(position) + if again { self.bonus } else { 0 }
    }

    #[inline]
    fn point(&self) -> i32 {
        1
    }

    fn overshoot(&self) -> i32 {
        self.bonus.abs()
    }

    fn uses_again(&self) -> bool {
        true
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![BONUS.with_value(f64::from(self.bonus))]
    }

    fn set(&mut self, name: &str, value: f64) -> bool {
        if name == BONUS.name {
            self.bonus = value.round().clamp(BONUS.min, BONUS.max) as i32;
        }
        name == BONUS.name
    }
}
