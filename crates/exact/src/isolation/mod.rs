//! The Isolation solver: exact values on boards small enough to be searched to the end.
//!
//! Null windows over an alpha-beta search, with a table that holds whole positions and never mixes two up. The eight
//! (on boards that are not square: four) turns and reflections of a position share one entry.

mod solver;
mod survey;
mod table;

pub use solver::IsolationSolver;
pub use survey::{Surveyed, survey};
