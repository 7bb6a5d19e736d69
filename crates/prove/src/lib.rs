//! Long proofs in pieces.
//!
//! A proof is a tree of [`Claim`]s: the player to move brings in at least so many seeds more than the opponent from here on. What
//! a claim needs of the positions after each move follows from the rules alone. The leaves are answered by the solver, one
//! job each, and every answer is a row of a [`Journal`], a SQLite file that survives the process and may be
//! shared by many. Nothing else is kept: the tree is made anew from the rules and the rows whenever it is looked at.
//!
//! - [`Claim`], [`Rules`]: what is claimed, and what follows from what.
//! - [`Journal`]: the rows. [`ProofTree`]: what they prove so far, what is still open, and what that may cost.
//! - [`Worker`]: takes open claims and answers them, until the goal is decided.
//! - [`Estimator`]: what a proof may cost, before it is begun.
//! - [`bounds`]: what the rows prove about positions near the root, as a book for those who play.
//! - [`check`]: whether the rows really prove what the journal says, and whether they are true.

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
