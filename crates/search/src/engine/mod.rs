//! The engine: everything that makes alpha-beta strong.
//!
//! Iterative deepening with aspiration windows (`agent.rs`), principal variation search with a lossless
//! table, enhanced transposition cutoffs, range cuts and quiescence over extra turns (`search.rs`), cuts by shallower searches (`probcut.rs`),
//! proofs by others on the way (`proving.rs`), all of which can be switched off (`techniques.rs`), values and whether they are proven (`found.rs`), what the table keeps of positions that
//! are reflections of each other (`kept.rs`), the order of moves (`order.rs`), traps in games that cannot be
//! won (`traps.rs`), several threads on one table (`agent.rs`).

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
