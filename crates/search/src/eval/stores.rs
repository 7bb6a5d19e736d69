//! `stores`: the difference of the stores.

use super::KalahTerm;
use kalahari_games::kalah::{Board, Kalah};

/// The difference of the stores.
#[derive(Clone, Debug, Default)]
pub struct Stores;

impl KalahTerm for Stores {
    #[inline]
    fn evaluate<B: Board>(&self, game: &Kalah<B>, position: &B, _: bool) -> i32 {
        game.store_margin(position)
    }

    #[inline]
    fn point(&self) -> i32 {
        1
    }
}
