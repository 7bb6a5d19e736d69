//! `hash`: a random number made from the position. No search can be right on it by luck.

use super::{IsolationTerm, KalahTerm};
use crate::Searchable;
use crate::rng::splitmix64;
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};
use kalahari_games::kalah::{Board, Kalah};

/// A number from -9 to 9 made from the position. In Kalah the stores are added, so that the value
/// relative to them depends on the pits alone.
#[derive(Clone, Debug, Default)]
pub struct HashEval;

#[inline]
fn small_number(code: u128, again: bool) -> i32 {
    let mut state =
        (code as u64) ^ ((code >> 64) as u64).rotate_left(29) ^ (u64::from(again) << 63);
    (splitmix64(&mut state) % 19) as i32 - 9
}

impl KalahTerm for HashEval {
    #[inline]
    fn evaluate<B: Board>(&self, game: &Kalah<B>, position: &B, again: bool) -> i32 {
        game.store_margin(position) + small_number(game.code(position), again)
    }

    #[inline]
    fn point(&self) -> i32 {
        1
    }

    fn overshoot(&self) -> i32 {
        9
    }

    fn uses_again(&self) -> bool {
        true
    }
}

impl IsolationTerm for HashEval {
    #[inline]
    fn evaluate<B: Bits>(&self, game: &Isolation<B>, position: &IsolationPosition<B>) -> i32 {
        small_number(game.code(position), false)
    }
}
