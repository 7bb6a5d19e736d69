//! What every player can do.

use crate::{Limits, Report, Stop};
use kalahari_games::Game;

/// What a player is asked to do with a position.
pub struct Task<'a, G: Game> {
    /// The position to think about.
    pub position: G::Position,
    /// What may be spent; limits of the player's own spec have been put in already.
    pub limits: Limits,
    /// The request to stop at once.
    pub stop: &'a Stop,
    /// Whether the value of every legal move is wanted, not only the best one's.
    pub all_moves: bool,
    /// Hears of every finished depth.
    pub progress: &'a mut dyn FnMut(&Report<G::Move>),
}

/// A player that thinks about positions of one game.
///
/// It may keep what it learns between calls (a table, a tree); [`forget`](Agent::forget) makes it begin afresh.
pub trait Agent<G: Game>: Send {
    /// Thinks and answers. The best move is legal whatever the limits are, and `None` only when the
    /// game is over or [`failure`](Agent::failure) says why.
    fn think(&mut self, task: Task<'_, G>) -> Report<G::Move>;

    /// Forgets earlier positions and begins a game whose random choices come from `seed`.
    fn forget(&mut self, seed: u64);

    /// Whether the same position, limits in depth or nodes, and seed always give the same answer, and
    /// the seed does not matter.
    fn is_deterministic(&self) -> bool;

    /// Why the last answer was none: the agent has died, hung or talked nonsense. Asking clears it. An agent
    /// that lives in this program never fails.
    fn failure(&mut self) -> Option<String> {
        None
    }
}
