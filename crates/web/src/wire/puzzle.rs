//! Puzzles as the page shows them.

use crate::wire::state::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// All puzzles.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PuzzleList {
    pub(crate) puzzles: Vec<PuzzleEntry>,
}

/// A puzzle in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PuzzleEntry {
    #[schema(example = "k001")]
    pub(crate) id: &'static str,
    pub(crate) game: String,
    /// From 1, easy, to 5.
    pub(crate) level: u8,
    /// How many of the solver's own moves have to be found.
    pub(crate) moves: usize,
}

/// A puzzle to solve.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PuzzleAnswer {
    pub(crate) id: &'static str,
    pub(crate) game: String,
    pub(crate) level: u8,
    pub(crate) moves: usize,
    /// The position's text.
    pub(crate) start: &'static str,
    pub(crate) goal: String,
    pub(crate) state: State,
    /// The puzzle after this one.
    pub(crate) next: Option<&'static str>,
}

/// Moves that somebody tries.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TryRequest {
    /// Everything played from the puzzle's start, the server's replies included; the last one is the try.
    pub(crate) moves: Vec<String>,
}

/// Whether the solution is wanted.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TryQuery {
    /// Tell the solution.
    #[serde(default)]
    pub(crate) solution: bool,
}

/// What became of a try.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TryAnswer {
    /// `right`, `solved` or `wrong`; `shown` if the solution was asked for without a try.
    pub(crate) verdict: &'static str,
    pub(crate) words: String,
    /// What was played, the opponent's reply included.
    pub(crate) moves: Vec<String>,
    /// The opponent's proven reply; after a wrong move, its refutation.
    pub(crate) reply: Vec<String>,
    /// Only if it was asked for.
    pub(crate) solution: Option<Vec<String>>,
    /// What is proven of the moves; of the tried one only, until the puzzle is solved.
    pub(crate) values: Vec<ProvenMove>,
    /// The positions of `moves`, the start included.
    pub(crate) states: Vec<State>,
}

/// A move and its proven value.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProvenMove {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// For the solver.
    pub(crate) value: i32,
    /// Always true.
    pub(crate) proven: bool,
    pub(crate) words: String,
}
