//! Answers that are proven: Kalah tablebases, solvers for Kalah and Isolation, opening books.
//!
//! Everything here is exact. What cannot be finished within its limits comes back as bounds that are
//! proven, never as a guess. Searches that guess live elsewhere.

pub mod book;
pub mod isolation;
pub mod kalah;
pub mod prover;
pub mod tablebase;

mod choose;
mod effort;
mod watch;

pub use effort::Effort;
pub use kalahari_terms::Bounds;
pub use watch::Watch;
