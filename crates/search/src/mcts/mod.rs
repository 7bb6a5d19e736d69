//! Monte Carlo tree search: UCT with implicit minimax backups.
//!
//! `tree.rs` keeps the tree and its backups, `playout.rs` plays games to their end, `heuristic.rs` judges
//! positions without playing, `agent.rs` is the player.

mod agent;
mod heuristic;
mod playout;
mod tree;

pub use agent::{Mcts, MctsOptions};
pub use playout::{Playout, PlayoutError};
