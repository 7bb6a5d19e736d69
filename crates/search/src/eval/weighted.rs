//! `weighted`: a course's evaluation, 18 times the stores plus the rows.

use super::{KalahTerm, Parameter};
use kalahari_games::kalah::{Board, Kalah, Side};

/// `weight` times the difference of the stores plus the difference of the rows.
#[derive(Clone, Debug)]
pub struct Weighted {
    weight: i32,
}

impl Default for Weighted {
    fn default() -> Self {
        Weighted { weight: 18 }
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
        vec![Parameter {
            name: "weight",
            value: f64::from(self.weight),
            min: 1.0,
            max: 100.0,
            integer: true,
        }]
    }

    fn set(&mut self, name: &str, value: f64) -> bool {
        if name == "weight" {
            self.weight = (value.round() as i32).clamp(1, 100);
        }
        name == "weight"
    }
}
