//! What a search needs from a source of proven answers, such as a tablebase or an opening book.

use kalahari_games::Game;
use kalahari_terms::{Bounds, Limits, Stop};
use std::fmt::Debug;

/// A source of exact values.
pub trait ExactSource<G: Game>: Debug + Send + Sync {
    /// The final margin under best play, points already banked included, as the player to move sees it;
    /// `None` if the source does not know this position. Games that are over need not be known.
    fn margin(&self, game: &G, position: &G::Position) -> Option<i32>;

    /// What a search from `root` should ask at every position: the source itself, a part of it, or nothing. A source that
    /// knows none of the positions that such a search meets returns `None`, so that it costs nothing during the search.
    fn for_root(&self, game: &G, root: &G::Position) -> Option<&dyn ExactSource<G>>;
}

/// What is to be proven about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Its value, and a move that keeps it.
    Value,
    /// The value of every move.
    EveryMove,
}

/// A source of proofs that take work. It narrows the proven bounds of the moves of a position as far as its limits allow,
/// and remembers what it has learned for the next time.
pub trait ProofSource<G: Game>: Debug + Send + Sync {
    /// About how many nodes the proof of a position's value takes; `None` if this source does not try.
    fn likely_cost(&self, game: &G, root: &G::Position) -> Option<u64>;

    /// Narrows the proven bounds of the final margins of `root`'s moves by what is known without any work.
    fn recall(&self, game: &G, root: &G::Position, moves: &mut [(G::Move, Bounds)]);

    /// Narrows the proven bounds of the final margins of `root`'s moves, as the player to move at the root sees them.
    /// Moves that look better come first in the list, and `guess` is the likely margin of the best one. It ends when the aim
    /// is reached, the limits are used up or the stop is requested. Returns the nodes that it took.
    fn narrow(&self, question: &ToProve<'_, G>, moves: &mut [(G::Move, Bounds)]) -> u64;

    /// A line of best play from `root`, whose proven value is the guess: as much of it as the limits allow, and the nodes
    /// that it took.
    fn line(&self, question: &ToProve<'_, G>) -> (Vec<G::Move>, u64);

    /// Forgets what it has learned.
    fn forget(&self);
}

/// What a [`ProofSource`] is asked.
#[derive(Clone, Copy, Debug)]
pub struct ToProve<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The position.
    pub root: &'a G::Position,
    /// What is wanted.
    pub aim: Aim,
    /// The likely margin of the best move.
    pub guess: i32,
    /// What the proof may spend.
    pub limits: Limits,
    /// Whether the answer has to be reproducible, so that a single thread has to find it.
    pub repeats: bool,
    /// The request to stop.
    pub stop: &'a Stop,
}
