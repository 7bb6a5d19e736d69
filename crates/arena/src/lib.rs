//! Matches between agents: who is better, and by how much.
//!
//! The unit is a pair: one opening, both seatings. [`run_match`] plays a [`MatchSpec`] on all cores, keeps
//! every finished game in a [`Store`] and counts it once; [`stats`] says what the counts mean. [`play_games`] plays some
//! games of a match by their numbers, with the same outcome on every machine.

#![forbid(unsafe_code)]

pub mod pictures;
pub mod rate;
pub mod rng_seeds;
pub mod sqlite;
pub mod stats;

mod audition;
mod balance;
mod error;
mod examine;
mod game_row;
mod game_rows;
mod identity;
mod live;
mod match_row;
mod numbered;
mod openings;
mod origin;
mod pairs;
mod play;
mod referee;
mod report;
mod results;
mod run;
mod run_rows;
mod schedule;
mod schema;
mod spec;
mod store;
mod tournament;
mod who;
mod worker;

pub use audition::{LeftOut, rehearse};
pub use error::{ArenaError, LineProblem, MatchProblem, OpeningsError};
pub use examine::{
    Examination, ExamineProgress, ExamineSpec, Fault, Oddity, Part, Phase, Repeats, Speed, examine,
};
pub use game_rows::GameRows;
pub use identity::{Identity, resume};
pub use kalahari_record::{
    Ending, GameRecord, RecordError, RecordProblem, RecordedMove, ReplayError, UnknownName, Who,
    named, text_in_json,
};
pub use live::{Live, LiveGame, Seated};
pub use numbered::{Hands, Sink, play_game_with, play_games};
pub use openings::Openings;
pub use origin::{Origin, StoredRun, date_text};
pub use pairs::{PairSpec, Pairs, Seat};
pub use referee::{OpeningList, Referee, Unruly};
pub use report::{ReportStyle, SprtSummary, Summary, late_advice, report, unsigned_zero};
pub use results::{Brief, Counter, Forfeits, Repetition};
pub use run::{
    MatchListener, MatchNews, MatchResult, Planned, Progress, Run, Stopped, default_openings,
    games_that_count, plan_match, run_match,
};
pub use schedule::{Schedule, SwissRound, swiss_round};
pub use spec::{Adjudicate, MatchSpec, Rules, TimeControl, TimeControlError};
pub use store::{Resumed, Store, StoredMatch};
pub use tournament::{
    Meeting, MeetingProgress, Standing, Tournament, TournamentRun, TournamentSpec, plan_tournament,
    run_tournament, tournament_games,
};
pub use who::{Roster, who};
