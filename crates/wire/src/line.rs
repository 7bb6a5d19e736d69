//! Lines as clients send and receive them.

use crate::state::State;
use crate::{Problem, WireResult, paste, record, show};
use kalahari_games::{Game, View};
use kalahari_study::{Line, Played};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most moves of a line.
pub const MOST_MOVES: usize = 2_000;
/// The longest text that is read, far longer than any game, position or move needs.
const LONGEST_TEXT: usize = 1_000;

/// A game, where it begins, and its moves.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WireLine {
    /// The game's name.
    #[schema(example = "kalah:6x4:standard")]
    pub game: String,
    /// The position before the first move; null for the game's own start.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves from there.
    #[serde(default)]
    #[schema(example = json!(["2", "5"]))]
    pub moves: Vec<String>,
}

impl WireLine {
    /// The line, if its game exists and nothing is unreasonably long.
    pub fn checked(self) -> WireResult<Line> {
        let too_long = |field: &str| {
            let message = format!("{field} is longer than {LONGEST_TEXT} characters");
            Err(Problem::new("too_long", message).at(field))
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
            return Err(Problem::new("too_long", message).at("moves"));
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
pub fn game(text: &str) -> WireResult<kalahari_games::GameSpec> {
    let read: Result<_, kalahari_games::SpecError> = text.parse();
    read.map_err(Problem::from)
}

/// A line, or something pasted.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LineRequest {
    /// The game; with `text` only a guess.
    #[serde(default)]
    pub game: Option<String>,
    /// As in a line.
    #[serde(default)]
    pub start: Option<String>,
    /// As in a line.
    #[serde(default)]
    pub moves: Option<Vec<String>>,
    /// A pasted position, list of moves or record.
    #[serde(default)]
    pub text: Option<String>,
    /// Whether the positions after every legal move of the last one are wanted, too.
    #[serde(default)]
    pub ahead: bool,
}

/// A line with all its positions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LineAnswer {
    /// The game's full name.
    pub game: String,
    /// null for the game's own start.
    pub start: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
    /// Who played, where a record says so.
    #[schema(min_items = 2, max_items = 2)]
    pub players: Option<[String; 2]>,
    /// How many moves belong to the opening, which no player chose, if a record says so.
    pub opening: usize,
    /// One for every ply, the start included.
    pub states: Vec<State>,
    /// The line in a form that can be pasted.
    pub text: String,
    /// The record of a finished game.
    pub record: Option<String>,
    /// If asked for: the last position's legal moves, each as the move that led to a position. In `classic` there
    /// are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<Vec<State>>,
}

/// What a request asks for, played through, with the record of a finished game.
pub fn read(request: LineRequest) -> WireResult<LineAnswer> {
    let played = match request.text {
        Some(text) if record::is_meant(&text) => return record::read(text.trim(), request.ahead),
        Some(text) => {
            let shown = request.game.as_deref().map(game).transpose()?;
            paste::read(&text, shown)?
        }
        None => {
            let game = request.game.ok_or_else(|| {
                Problem::new("bad_request", "a game or a pasted text is missing").at("game")
            })?;
            let wire = WireLine {
                game,
                start: request.start,
                moves: request.moves.unwrap_or_default(),
            };
            wire.checked()?.play()?
        }
    };
    let mut answer = answer(&played, None, request.ahead);
    answer.record = record::write(&played, None);
    Ok(answer)
}

/// The answer for a line, without a record.
pub fn answer(played: &Played, players: Option<[String; 2]>, ahead: bool) -> LineAnswer {
    let game = &played.game;
    let start = own_start(played);
    let moves: Vec<String> = played.moves.iter().map(ToString::to_string).collect();
    let mut text = game.spec().to_string();
    if let Some(start) = &start {
        text += &format!(" {start}");
    }
    if !moves.is_empty() {
        text += &format!(" moves {}", moves.join(" "));
    }
    LineAnswer {
        game: game.spec().to_string(),
        states: show::states(played),
        ahead: ahead.then(|| show::ahead(played)),
        start: start.as_ref().map(View::to_string),
        record: None,
        moves,
        players,
        opening: 0,
        text,
    }
}

/// Where a line begins; `None` is the game's own start: one spelling for every position.
pub fn own_start(played: &Played) -> Option<View> {
    let start = Some(played.positions[0]).filter(|start| *start != played.game.start());
    start.map(|start| played.game.view(&start))
}
