//! Answers that are proven: Kalah tablebases, solvers for Kalah and Isolation, opening books.
//!
//! Everything here is exact. What cannot be finished within its limits comes back as bounds that are
//! proven, never as a guess. Searches that guess live elsewhere.

pub mod book;
mod choose;
pub mod isolation;
pub mod kalah;
mod safe_file;
pub mod tablebase;
