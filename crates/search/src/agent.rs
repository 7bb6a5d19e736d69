//! What every player can do.

use crate::Report;
use kalahari_games::Game;
use kalahari_terms::{Failure, Limits, Stop};

/// What a player is asked to do with a position.
pub struct Task<'a, G: Game> {
    /// The position to think about.
    pub position: G::Position,
    /// What may be spent; limits of the player's own spec have been put in already.
    pub limits: Limits,
    /// The request to stop at once, and the clock.
    pub stop: &'a Stop,
    /// Whether the score of every legal move is wanted, not only the best one's.
    pub all_moves: bool,
    /// Hears of every finished depth.
    pub progress: &'a mut dyn FnMut(&Report<G::Move>),
}

/// A player that thinks about positions of one game.
///
/// It may keep what it learns between calls (a table, a tree); [`forget`](Agent::forget) makes it begin afresh.
pub trait Agent<G: Game>: Send {
    /// Thinks and answers. The best move is legal whatever the limits are, and `None` only when the
    /// game is over. A player that lives in this program never fails.
    fn think(&mut self, task: Task<'_, G>) -> Result<Report<G::Move>, Failure>;

    /// Forgets earlier positions and begins a game whose random choices come from `rng_seed`.
    fn forget(&mut self, rng_seed: u64);

    /// Gets ready for the first move of a game before its clock runs, or until it is stopped. Players that live in this program
    /// always are.
    fn get_ready(&mut self, _stop: &Stop) {}

    /// What it calls itself, if it is a program of somebody else's that has said so.
    fn own_name(&self) -> Option<String> {
        None
    }

    /// The most memory that it has had, in bytes, if it is a program of somebody else's and that can be known.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// Whether the same position and limits in depth or nodes always give the same answer, whatever the seed of the
    /// random choices.
    fn is_deterministic(&self) -> bool;
}
