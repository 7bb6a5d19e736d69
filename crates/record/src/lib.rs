//! Records of games, and their text: what a store keeps, a file holds and a page exports. No file, clock or search is needed, so
//! that a browser reads and writes the same records.

#![forbid(unsafe_code)]

mod names;
mod record;
mod who;

pub use names::UnknownName;
pub use record::{
    Ending, FIRST_LINE, GameRecord, MoveReader, RecordError, RecordProblem, RecordedMove,
    ReplayError, ScoreText, read_result, words,
};
pub use who::Who;
