//! Players that think about Kalah and Isolation, and how they judge positions.
//!
//! Every player is an [`Agent`]: it gets a [`Task`] (a position, [`Limits`](kalahari_terms::Limits), a request to
//! [`Stop`](kalahari_terms::Stop)) and returns a [`Report`]. [`Searchable`] is what a search needs to know about a game
//! besides its rules; an [`eval::Evaluation`] says what a position looks worth.

#![forbid(unsafe_code)]

pub mod bench;
pub mod engine;
pub mod eval;
pub mod mcts;
pub mod parameters;
pub mod plain;
pub mod table;

mod agent;
mod glance;
mod move_ordering;
mod outlook;
mod probe;
mod random;
mod report;
mod rng;
mod searchable;
mod table_keys;
mod theory;

pub use agent::{Agent, Task};
pub use glance::Glance;
pub use move_ordering::MoveOrdering;
pub use outlook::{Choice, Outlook, ProofWork, TableUnderWay};
pub use parameters::{Parameter, ParameterError};
pub use probe::{Aim, ExactSource, ProofSource, ToProve};
pub use random::Random;
pub use report::Report;
pub use rng::{Rng, splitmix64};
pub use searchable::Searchable;
pub use table_keys::TableKeys;
pub use theory::{NoTheory, Separation, Theory};
