//! What a search wants of a source of proven answers, such as a tablebase or an opening book.

use kalahari_games::Game;
use std::fmt::Debug;

/// A source of exact values.
pub trait ExactSource<G: Game>: Debug + Send + Sync {
    /// The final margin under best play, points already banked included, as the player to move sees it;
    /// `None` if the source does not know this position. Games that are over need not be known.
    fn margin(&self, game: &G, position: &G::Position) -> Option<i32>;
}
