//! Records of games and their text form, which stores keep, files hold and the page exports. The crate uses no files, clocks or
//! searches, so that a browser can read and write the same records.

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
