//! Puzzles: positions where exactly one move keeps the win, proven by the solvers.
//!
//! The file `data/puzzles.txt` is part of the program. `kalahari puzzles build` makes it; the same seed makes
//! the same file.

mod build;
mod prove;
mod text;
mod tries;

pub use build::{Progress, build};
pub use prove::{Fault, ProofError};
pub use text::PuzzleError;
pub use tries::{Attempt, TryError, Verdict};

use kalahari_games::GameSpec;
use std::sync::OnceLock;

/// A position where exactly one move keeps the win, and the moves after it for as long as that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Its name, such as `k017`.
    pub id: String,
    /// The game.
    pub game: GameSpec,
    /// The position. The player to move solves the puzzle.
    pub start: String,
    /// The difficulty, from 1 (easy) to 5 (hard).
    pub level: u8,
    /// How many plies a plain search has to look ahead to find the first move.
    pub depth: u32,
    /// The moves to find, at least one.
    pub steps: Vec<Step>,
}

/// One move to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The index of the only winning move in `moves`.
    pub solution: usize,
    /// Every legal move.
    pub moves: Vec<Known>,
    /// The opponent's replies to the solution, including extra turns; empty if it is the solver's turn again, and
    /// after the last step.
    pub replies: Vec<String>,
}

/// A legal move and its proven value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The move.
    pub mv: String,
    /// Its proven value for the solver: the final margin, or +1 or -1.
    pub value: i32,
    /// The opponent's best answer; `None` if it is not the opponent's turn.
    pub answer: Option<String>,
}

impl Step {
    /// The only winning move.
    pub fn solution(&self) -> &Known {
        &self.moves[self.solution]
    }
}

/// The puzzles that come with the program.
pub fn puzzles() -> &'static [Puzzle] {
    static PUZZLES: OnceLock<Vec<Puzzle>> = OnceLock::new();
    PUZZLES.get_or_init(|| {
        // A test checks that the file is valid; a damaged one would give no puzzles.
        text::read(include_str!("../../data/puzzles.txt")).unwrap_or_default()
    })
}

/// Reads the puzzles of a file's text.
pub fn read_puzzles(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    text::read(text)
}

/// The text of a file of puzzles.
pub fn puzzles_text(puzzles: &[Puzzle]) -> String {
    text::write(puzzles)
}
