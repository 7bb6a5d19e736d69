//! Static evaluations: what a position looks worth without a search.
//!
//! There is one file for each evaluation. A search takes any type that implements [`Evaluation`]. Those that players and
//! commands know by name are listed in `registry.rs`: adding one takes a single line there.

mod again;
mod error;
mod hash;
mod kalahari;
mod mobility;
mod net;
mod phased;
mod reach;
mod registry;
mod scale;
mod stores;
mod weighted;

pub use again::Again;
pub use error::{EvalError, FileProblem};
pub use hash::HashEval;
pub use kalahari::{FEATURES, Kalahari, features};
pub use mobility::Mobility;
pub use net::Net;
pub use phased::Phased;
pub use reach::Reach;
pub use registry::{EvalKind, IsolationEval, KalahEval, Registry, name_and_file};
pub use scale::{Counts, Scale};
pub use stores::Stores;
pub use weighted::Weighted;

use kalahari_games::Game;
use std::fmt::Debug;

/// Judges positions of a game for the player to move.
pub trait Evaluation<G: Game>: Debug + Send + Sync {
    /// What a game that is not over looks worth to the player to move. `again` says that this player
    /// has also made the last move (an extra turn).
    fn evaluate(&self, game: &G, position: &G::Position, again: bool) -> i32;

    /// What the numbers mean. The scale never changes.
    fn scale(&self) -> Scale;
}
