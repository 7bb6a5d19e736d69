//! `weighted`: a course's evaluation, 18 times the stores plus the rows.

use super::KalahTerm;
use crate::parameters::{Parameter, WEIGHT};
use kalahari_games::kalah::{Board, Kalah, Side};

/// `weight` times the difference of the stores plus the difference of the rows.
#[derive(Clone, Debug)]
pub struct Weighted {
    weight: i32,
}

impl Default for Weighted {
    fn default() -> Self {
        Weighted {
            weight: WEIGHT.value as i32,
        }
    }
}

impl KalahTerm for Weighted {
    #[inline]
    fn evaluate<B: Board>(&self, game: &Kalah<B>, position: &B, _: bool) -> i32 {
        let row = |side| -> i32 {
            (0..game.pits())
                .map(|pit| position.pit(side, pit) as i32)
                .sum()
        };
        self.weight * game.store_margin(position) + row(Side::Mover) - row(Side::Opponent)
    }

    #[inline]
    fn point(&self) -> i32 {
        self.weight
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![WEIGHT.with_value(f64::from(self.weight))]
    }

    fn set(&mut self, name: &str, value: f64) -> bool {
        if name == WEIGHT.name {
            self.weight = value.round().clamp(WEIGHT.min, WEIGHT.max) as i32;
        }
        name == WEIGHT.name
    }
}
