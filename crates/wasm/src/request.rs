//! What a worker asks of this module, and what it gets back.

use crate::questions;
use kalahari_wire::Problem;
use kalahari_wire::frames::{Ask, Say};
use serde::{Deserialize, Serialize};

/// What a worker asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// A question that has one answer.
    Question(questions::Ask),
    /// Something to think about, or the end of it.
    Think(Ask),
    /// Another slice of thinking.
    Step {
        /// Whether analyses rest in the meantime, because the page is not visible.
        #[serde(default)]
        resting: bool,
    },
    /// How large tables may be.
    Memory {
        /// MiB of the table of one search.
        mib: usize,
    },
    /// Which file a game needs that was not given yet.
    Needs {
        /// The game's name.
        game: String,
    },
    /// The fixed work of `kalahari bench`.
    Bench {},
}

/// What a worker gets back.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Heard {
    /// The answer to a question.
    Answer(questions::Answer),
    /// Why a question has no answer.
    Refused(Problem),
    /// A frame about a thought.
    Say(Box<Say>),
    /// What is left after a slice, or after a new thought.
    Thinking {
        /// Whether there is more to do.
        more: bool,
    },
    /// The file that a game needs.
    Needs {
        /// Its name in the folder `nets`; null if everything is there.
        file: Option<&'static str>,
    },
    /// What the fixed work took.
    Bench {
        /// All nodes: a checksum of the search.
        signature: u64,
    },
}
