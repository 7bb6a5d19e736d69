//! Experiments in pieces, for more than one machine.
//!
//! A [`Plan`] is the work of an experiment, the same on every machine: [`Task`]s whose parts are numbered. A [`Place`] such as
//! "17 of 1000" is a range of these numbers. [`make()`] does the work of a place and writes one file, whole or not at all;
//! [`merge()`] joins any number of such files, in any order and any number of times, and reports which are missing or invalid.
//! Messages and flags call a piece a shard.
//!
//! Nothing here starts processes or talks to other machines: batch schedulers and clusters do that.

#![forbid(unsafe_code)]

mod book_target;
mod checked;
mod claims;
mod error;
mod file;
mod found;
mod frontier;
mod inspector;
mod judged;
mod judgements;
mod ledger;
mod machine;
mod make;
mod merge;
mod pace;
mod place;
mod plan;
mod plan_file;
mod reviews;
mod survey;
mod tables;

pub use claims::Claims;
pub use error::{GAMES_FILE, JUDGED_FILE, OTHER_PLACE_FILE, PLACE_FILE, PLAN_FILE, ShardError};
pub use file::{Content, PlaceFile, RowsFile, file_name};
pub use found::{Finding, Found};
pub use frontier::Frontier;
pub use inspector::Inspector;
pub use judged::{KeptGame, OtherMoves};
pub use judgements::Judgements;
pub use machine::{Machine, NotAMachine, unfair};
pub use make::{Made, News, Work, make};
pub use merge::{MergeError, Merged, Targets, inspect, merge};
pub use place::{NoPlace, Place};
pub use plan::{Games, Plan, PlanError, Rows, Task};
pub use plan_file::{PlanFile, Source};
pub use reviews::{GamesToReview, Reviews};
pub use survey::{Refused, Survey, numbers_text, survey, survey_of, survey_with};
pub use tables::Need;
