//! What every player can do.

use crate::Report;
use kalahari_games::Game;
use kalahari_terms::{Failure, Limits, Stop};

/// What a player is asked to do with a position.
pub struct Task<'a, G: Game> {
    /// The position to think about.
    pub position: G::Position,
    /// What may be spent; the limits in the player's own spec are already included.
    pub limits: Limits,
    /// The request to stop, and the clock.
    pub stop: &'a Stop,
    /// Whether the score of every legal move is wanted, not only the best one's.
    pub all_moves: bool,
    /// Called after every finished depth.
    pub progress: &'a mut dyn FnMut(&Report<G::Move>),
}

/// A player that thinks about positions of one game.
///
/// It may keep what it learns between calls (a table, a tree); [`forget`](Agent::forget) makes it begin afresh.
pub trait Agent<G: Game>: Send {
    /// Thinks and answers. The best move is legal whatever the limits are, and `None` only when the
    /// game is over. A player that runs inside this program fails only if there is no memory for its table.
    fn think(&mut self, task: Task<'_, G>) -> Result<Report<G::Move>, Failure>;

    /// Forgets earlier positions and begins a game whose random choices come from `rng_seed`.
    fn forget(&mut self, rng_seed: u64);

    /// Gets ready for the first move of a game before its clock runs, or until it is stopped. Players that run inside this
    /// program are always ready.
    fn get_ready(&mut self, _stop: &Stop) {}

    /// What it calls itself, if it is an external program that has told us its name.
    fn own_name(&self) -> Option<String> {
        None
    }

    /// Its peak memory in bytes, if it is an external program and that can be known.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// Whether the same position and limits in depth or nodes always give the same answer, whatever the seed of the
    /// random choices.
    fn is_deterministic(&self) -> bool;
}
