//! The engine: everything that makes alpha-beta strong.
//!
//! Iterative deepening with aspiration windows (`agent.rs`), principal variation search with a lossless
//! table, enhanced transposition cutoffs, range cuts and quiescence over extra turns (`search.rs`), the
//! order of moves (`order.rs`), traps in games that cannot be won (`traps.rs`), several threads on one table (`agent.rs`).

mod agent;
mod order;
mod search;
mod traps;

pub use agent::{Engine, EngineOptions};
pub use search::Techniques;
