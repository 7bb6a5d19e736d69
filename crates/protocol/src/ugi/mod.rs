//! The universal game interface as text and values.
//!
//! A runner sends [`Command`]s and an engine sends [`Answer`]s, one per line. Words are separated by blanks:
//! reading accepts any number of blanks, writing uses one. Nothing here knows a game: positions and moves
//! are words.

mod answer;
mod command;
mod go;
mod info;

pub use answer::{Answer, Declaration};
pub use command::{Command, Query, Start};
pub use go::Go;
pub use info::{Info, WireScore};

use thiserror::Error;

/// Why a line is not a valid command or answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}: '{line}'")]
pub struct LineError {
    /// The line, shortened if it is long.
    pub line: String,
    /// What is wrong.
    pub problem: String,
}

impl LineError {
    pub(crate) fn new(line: &str, problem: impl Into<String>) -> Self {
        LineError {
            line: shown(line),
            problem: problem.into(),
        }
    }
}

/// A text as a message quotes it: shortened, without control characters.
pub(crate) fn shown(text: &str) -> String {
    const SHOWN: usize = 160;
    let text = text.trim();
    let mut out: String = text
        .chars()
        .take(SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(SHOWN).is_some() {
        out.push_str("...");
    }
    out
}

/// Words with one blank between them.
fn joined<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().collect::<Vec<_>>().join(" ")
}
