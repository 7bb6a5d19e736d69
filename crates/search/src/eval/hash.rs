//! `hash`: a random number made from the position. With it no search gets values right by luck.

use super::registry::Named;
use super::{Counts, EvalError, Evaluation, Scale};
use crate::TableKeys;
use crate::rng::splitmix64;
use kalahari_games::GameSpec;
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};
use kalahari_games::kalah::{Board, Kalah};

/// The largest number.
const LARGEST: i32 = 9;

/// A number from -9 to 9 made from the position. In Kalah the stores are added, so that the value
/// relative to them depends on the pits alone.
#[derive(Clone, Copy, Debug)]
pub struct HashEval;

#[inline]
fn small_number(code: u128, again: bool) -> i32 {
    let mut state =
        (code as u64) ^ ((code >> 64) as u64).rotate_left(29) ^ (u64::from(again) << 63);
    (splitmix64(&mut state) % (2 * LARGEST + 1) as u64) as i32 - LARGEST
}

impl<B: Board> Evaluation<Kalah<B>> for HashEval {
    #[inline]
    fn evaluate(&self, game: &Kalah<B>, position: &B, again: bool) -> i32 {
        game.store_margin(position) + small_number(game.code(position), again)
    }

    fn scale(&self) -> Scale {
        Scale {
            overshoot: LARGEST,
            uses_again: true,
            counts: Counts::Points,
            ..Scale::seeds(1)
        }
    }
}

impl<B: Bits> Evaluation<Isolation<B>> for HashEval {
    #[inline]
    fn evaluate(&self, game: &Isolation<B>, position: &IsolationPosition<B>, _: bool) -> i32 {
        small_number(game.code(position), false)
    }

    fn scale(&self) -> Scale {
        Scale::points(LARGEST)
    }
}

impl Named for HashEval {
    fn of_game(_: GameSpec) -> Result<Self, EvalError> {
        Ok(HashEval)
    }
}
