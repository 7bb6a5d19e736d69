//! The Isolation solver: exact values on boards small enough to be searched to the end.
//!
//! Alpha-beta with null windows, and a transposition table that stores whole positions and never confuses two. The eight
//! (on boards that are not square: four) rotations and reflections of a position share one entry.

mod solver;
mod survey;
mod table;

pub use solver::IsolationSolver;
pub use survey::{Surveyed, survey};
