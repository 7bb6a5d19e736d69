//! The Kalah solver: the exact margin of any position, with bounds on the way.
//!
//! A solve is a sequence of null windows: each proves that the margin is at least some number, or that it is
//! less. The windows share a table of proven bounds and a tablebase, and all threads work on the same window.

mod busy;
mod lane;
mod meter;
mod narrow;
mod options;
mod ordering;
mod saved;
mod search;
mod solver;
mod table;
mod wide_table;
mod word_table;

pub use meter::{Glimpse, MoveState};
pub use options::{SolverOptions, Techniques, suggested_memory, suggested_tablebase};
pub use saved::SavedTableError;
pub use solver::{SolveError, Solver};
