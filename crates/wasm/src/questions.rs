//! Questions that have one answer, by the names that the page knows them by.

use kalahari_wire::line::{self, LineAnswer, LineRequest};
use kalahari_wire::meta::Meta;
use kalahari_wire::puzzle::{self, PuzzleAnswer, PuzzleList, TryAnswer, TryQuery, TryRequest};
use kalahari_wire::setup::{self, SetupAnswer, SetupRequest};
use kalahari_wire::{Problem, WireResult};
use serde::{Deserialize, Serialize};

/// A question.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "name", content = "request", rename_all = "camelCase")]
pub enum Ask {
    /// What can be asked for.
    Meta {},
    /// A line with all its positions.
    Line(LineRequest),
    /// The board editor.
    Setup(SetupRequest),
    /// All puzzles.
    Puzzles {},
    /// One puzzle.
    Puzzle {
        /// Its name.
        id: String,
    },
    /// A try to solve a puzzle.
    TryPuzzle {
        /// Its name.
        id: String,
        /// Whether the solution is wanted.
        #[serde(default)]
        solution: bool,
        /// The moves.
        moves: Vec<String>,
    },
    /// There is no store of matches here.
    Arena {},
    /// The games of a match; there are none here.
    ArenaGames {},
    /// There are no games to watch here.
    Live {},
}

/// An answer.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// What can be asked for.
    Meta(Box<Meta>),
    /// A line.
    Line(Box<LineAnswer>),
    /// A position.
    Setup(Box<SetupAnswer>),
    /// All puzzles.
    Puzzles(PuzzleList),
    /// One puzzle.
    Puzzle(Box<PuzzleAnswer>),
    /// The outcome of a try.
    Tried(Box<TryAnswer>),
}

impl Ask {
    /// The answer.
    pub(crate) fn answer(self) -> WireResult<Answer> {
        Ok(match self {
            Ask::Meta {} => Answer::Meta(Box::new(Meta::alone())),
            Ask::Line(request) => Answer::Line(Box::new(line::read(request)?)),
            Ask::Setup(request) => Answer::Setup(Box::new(setup::read(&request)?)),
            Ask::Puzzles {} => Answer::Puzzles(puzzle::list()),
            Ask::Puzzle { id } => Answer::Puzzle(Box::new(puzzle::one(&id)?)),
            Ask::TryPuzzle {
                id,
                solution,
                moves,
            } => {
                let tried = puzzle::attempt(&id, TryQuery { solution }, TryRequest { moves })?;
                Answer::Tried(Box::new(tried))
            }
            Ask::Arena {} | Ask::ArenaGames {} => {
                return Err(Problem::new(
                    "no_store",
                    "a page without a server has no store",
                ));
            }
            Ask::Live {} => {
                return Err(Problem::new(
                    "no_live",
                    "a page without a server plays no games",
                ));
            }
        })
    }
}
