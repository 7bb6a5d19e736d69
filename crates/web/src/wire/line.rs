//! Lines as they come and go.

use crate::error::{ApiError, ApiResult};
use crate::wire::state::State;
use kalahari_study::Line;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most moves of a line.
pub(crate) const MOST_MOVES: usize = 2_000;
/// The longest text of a game, a position or a move, many times over.
const LONGEST_TEXT: usize = 1_000;

/// A game, where it begins, and its moves.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireLine {
    #[schema(example = "kalah:6x4:standard")]
    pub(crate) game: String,
    /// The position before the first move; null for the game's own start.
    #[serde(default)]
    pub(crate) start: Option<String>,
    #[serde(default)]
    #[schema(example = json!(["2", "5"]))]
    pub(crate) moves: Vec<String>,
}

impl WireLine {
    /// The line, if its game exists and nothing is longer than sense allows.
    pub(crate) fn checked(self) -> ApiResult<Line> {
        let too_long = |field: &str| {
            let message = format!("{field} is longer than {LONGEST_TEXT} characters");
            Err(ApiError::bad("too_long", message).at(field))
        };
        if self.game.len() > LONGEST_TEXT {
            return too_long("game");
        }
        if self
            .start
            .as_ref()
            .is_some_and(|text| text.len() > LONGEST_TEXT)
        {
            return too_long("start");
        }
        if self.moves.len() > MOST_MOVES {
            let message = format!("more than {MOST_MOVES} moves");
            return Err(ApiError::bad("too_long", message).at("moves"));
        }
        let game = game(&self.game)?;
        Ok(Line {
            game,
            start: self.start,
            moves: self.moves,
        })
    }
}

/// Reads a game's name.
pub(crate) fn game(text: &str) -> ApiResult<kalahari_games::GameSpec> {
    text.parse().map_err(|error: kalahari_games::SpecError| {
        ApiError::bad("bad_game", error.to_string()).at("game")
    })
}

/// A line, or something pasted.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LineRequest {
    /// The game; with `text` only a guess.
    #[serde(default)]
    pub(crate) game: Option<String>,
    #[serde(default)]
    pub(crate) start: Option<String>,
    #[serde(default)]
    pub(crate) moves: Option<Vec<String>>,
    /// A position, moves or a record, as somebody pasted it.
    #[serde(default)]
    pub(crate) text: Option<String>,
    /// Whether the positions after every legal move of the last one are wanted, too.
    #[serde(default)]
    pub(crate) ahead: bool,
}

/// A line with all its positions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LineAnswer {
    pub(crate) game: String,
    /// null for the game's own start.
    pub(crate) start: Option<String>,
    pub(crate) moves: Vec<String>,
    /// Who played, where a record says so.
    pub(crate) players: Option<[String; 2]>,
    /// How many moves are the opening's, which nobody chose, where a record says so.
    pub(crate) opening: usize,
    pub(crate) states: Vec<State>,
    /// The line in a form that can be pasted.
    pub(crate) text: String,
    /// The record of a finished game.
    pub(crate) record: Option<String>,
    /// If asked for: the last position's legal moves, each as the move that led to a position. In `classic` there
    /// are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ahead: Option<Vec<State>>,
}
