//! What a search wants of a source of proven answers, such as a tablebase or an opening book.

use kalahari_games::Game;
use std::fmt::Debug;

/// A source of exact values.
pub trait ExactSource<G: Game>: Debug + Send + Sync {
    /// The final margin under best play, points already banked included, as the player to move sees it;
    /// `None` if the source does not know this position. Games that are over need not be known.
    fn margin(&self, game: &G, position: &G::Position) -> Option<i32>;

    /// What a search from `root` should ask at every position: the source itself, a part of it, or nothing. A
    /// source that knows nothing of what such a search meets is left out here, once, and costs nothing there.
    fn for_root(&self, game: &G, root: &G::Position) -> Option<&dyn ExactSource<G>>;
}
