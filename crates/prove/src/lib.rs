//! Long proofs in pieces.
//!
//! A proof is a tree of [`Claim`]s: that from here on the player to move banks at least this many seeds more than the opponent. What
//! a claim requires of the positions after each move follows from the rules alone. The leaves are answered by the solver, one
//! job each, and every answer is a row of a [`Journal`], a SQLite file that survives the process and may be
//! shared by many processes. Nothing else is kept: the tree is rebuilt from the rules and the rows whenever it is needed.
//!
//! - [`Claim`], [`Rules`]: what is claimed, and what follows from what.
//! - [`Journal`]: the rows. [`ProofTree`]: what they prove so far, what is still open, and its estimated cost.
//! - [`Worker`]: takes open claims and answers them, until the goal is decided.
//! - [`Estimator`]: estimates the cost of a proof before it starts.
//! - [`bounds`]: what the rows prove about positions near the root, as a book of bounds for players.
//! - [`check`]: checks whether the rows really prove what the journal says, and whether they are true.

#![forbid(unsafe_code)]

mod bounds;
mod check;
mod claim;
mod cost;
mod decided;
mod dice;
mod error;
mod estimate;
mod export;
mod journal;
mod tree;
mod worker;

pub use bounds::bounds;
pub use check::{Checked, Fault, Sample, check};
pub use claim::{Claim, Content, NotContent, Rules, Step};
pub use cost::CostModel;
pub use decided::{Decided, decide};
pub use error::ProveError;
pub use estimate::{Estimate, Estimator, MakeProver, TICKETS, Walk};
pub use export::{Exported, export, import};
pub use journal::{Answer, Goal, Journal};
pub use tree::{Job, ProofTree, Standing};
pub use worker::{Event, JobList, Worker, WorkerOptions};
