//! The courses' algorithms, as plain as they were: minimax and alpha-beta, left to right, no table.

mod agent;
mod counts;
mod search;

pub use agent::Plain;
pub use counts::{NodeCounts, count_nodes};
pub use search::{PlainSearch, Pruning};
