//! Finds good parameter values for an agent by playing games.
//!
//! [`clop`] and [`spsa`] are pure mathematics: results go in, points come out. [`run`] plays the games in pairs
//! on all cores and keeps every sample in a [`TuneStore`]; [`Desk`] hands samples out to other machines; [`synthetic`] measures
//! the methods on functions whose optimum is known; [`pictures`] draws a run.

#![forbid(unsafe_code)]

pub mod clop;
pub mod pictures;
pub mod regression;
pub mod spsa;
pub mod synthetic;

mod cholesky;
mod desk;
mod error;
mod history;
mod lines;
mod run;
mod space;
mod spec;
mod store;

pub use desk::{Assignment, Desk, SampleTask, play_sample};
pub use error::{AxisProblem, LineProblem, RunError, SpaceError, TuneError};
pub use history::{History, history};
pub use lines::{Line, read_lines};
pub use run::{Recommendation, TuneProgress, TuneResult, TuneRun, run};
pub use space::{Axis, Space};
pub use spec::{Method, TuneSpec};
pub use store::{StoredRun, StoredSample, TuneStore};
