//! Players that think about Kalah and Isolation, and how they judge positions.
//!
//! Every player is an [`Agent`]: it gets a [`Task`] (a position, [`Limits`], a [`Stop`] request) and gives
//! a [`Report`]. What a search wants to know of a game besides its rules is [`Searchable`]; what a
//! position looks worth is an [`eval::Evaluation`].

pub mod bench;
pub mod engine;
pub mod eval;
pub mod mcts;
pub mod parameters;
pub mod plain;
pub mod table;

mod agent;
mod limits;
mod probe;
mod random;
mod report;
mod rng;
mod searchable;
mod theory;

pub use agent::{Agent, Task};
pub use limits::{Budget, Clock, Limits, Stop};
pub use parameters::Parameter;
pub use probe::ExactSource;
pub use random::Random;
pub use report::{Report, Unit};
pub use rng::{Rng, splitmix64};
pub use searchable::{SearchVisitor, Searchable, visit};
pub use theory::{NoTheory, Separation, Theory};
