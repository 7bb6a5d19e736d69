//! Matches between agents: who is better, and by how much.
//!
//! The unit is a pair: one opening, both seatings. [`run_match`] plays a [`MatchSpec`] on all cores, keeps
//! every finished game in a [`Store`] and counts it once; [`stats`] says what the counts mean.

pub mod pictures;
pub mod sqlite;
pub mod stats;

mod balance;
mod error;
mod openings;
mod pairs;
mod play;
mod record;
mod report;
mod results;
mod run;
mod schedule;
mod seeds;
mod shard;
mod spec;
mod store;
mod tournament;
mod worker;

pub use error::ArenaError;
pub use openings::Openings;
pub use pairs::{PairRun, PairSpec, Pairs, Seat};
pub use record::{Ending, GameRecord, RecordedMove};
pub use report::{ReportStyle, SprtSummary, Summary, report};
pub use results::{Brief, Counter, Forfeits};
pub use run::{MatchResult, Progress, Run, Stopped, default_openings, run_match};
pub use schedule::Schedule;
pub use shard::Shard;
pub use spec::{Adjudicate, MatchSpec, Rules, TimeControl};
pub use store::{Store, StoredMatch};
pub use tournament::{
    Meeting, Standing, Tournament, TournamentRun, TournamentSpec, run_tournament,
};
