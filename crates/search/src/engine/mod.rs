//! The engine: everything that makes alpha-beta strong.
//!
//! - `agent.rs`: iterative deepening with aspiration windows; several threads that share one table;
//! - `search.rs`: principal variation search with a lossless transposition table, enhanced transposition cutoffs, range
//!   cuts and quiescence over extra turns;
//! - `probcut.rs`: cuts by shallower searches;
//! - `proving.rs`: proofs by another solver during the search;
//! - `techniques.rs`: switches for all of these;
//! - `found.rs`: values and whether they are proven;
//! - `kept.rs`: how the table stores positions that are reflections of each other;
//! - `order.rs`: move ordering;
//! - `traps.rs`: traps in games that cannot be won.

mod agent;
mod found;
mod kept;
mod order;
mod probcut;
mod proving;
mod root;
mod search;
mod techniques;
mod traps;

pub use agent::{Engine, EngineOptions};
pub use proving::PROVING;
pub use techniques::Techniques;
