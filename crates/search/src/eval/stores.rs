//! `stores`: the difference of the stores.

use super::registry::Named;
use super::{EvalError, Evaluation, Scale};
use kalahari_games::GameSpec;
use kalahari_games::kalah::{Board, Kalah};

/// The difference of the stores.
#[derive(Clone, Copy, Debug)]
pub struct Stores;

impl<B: Board> Evaluation<Kalah<B>> for Stores {
    #[inline]
    fn evaluate(&self, game: &Kalah<B>, position: &B, _: bool) -> i32 {
        game.store_margin(position)
    }

    fn scale(&self) -> Scale {
        Scale::seeds(1)
    }
}

impl Named for Stores {
    fn of_game(_: GameSpec) -> Result<Self, EvalError> {
        Ok(Stores)
    }
}
