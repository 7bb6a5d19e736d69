//! The board editor.

use crate::line::game;
use crate::state::State;
use crate::{Problem, WireResult, show};
use kalahari_games::isolation::IsolationSpec;
use kalahari_games::kalah::{KalahSpec, MAX_TOTAL};
use kalahari_study::Line;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A board from the board editor.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetupRequest {
    /// The game's name.
    pub game: String,
    /// What is on the board.
    pub board: EditedBoard,
    /// 0 or 1.
    pub to_move: u64,
}

/// What is on the board.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum EditedBoard {
    /// Pits and stores of player 0 and of player 1.
    Kalah {
        /// Each player's in its own sowing order.
        #[schema(min_items = 2, max_items = 2)]
        pits: [Vec<i64>; 2],
        /// Both stores.
        #[schema(min_items = 2, max_items = 2)]
        stores: [i64; 2],
    },
    /// Cells.
    Isolation {
        /// A character for each cell, first row first.
        cells: String,
    },
}

/// The position of an edited board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SetupAnswer {
    /// The game's full name.
    pub game: String,
    /// The position's text: the start of a line.
    pub start: String,
    /// The position.
    pub state: State,
    /// What is unusual about it.
    pub notes: Vec<Note>,
}

/// Something unusual about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum Note {
    /// It has another number of seeds than the game's start.
    Seeds {
        /// The number of its seeds.
        seeds: u32,
        /// The number that the game begins with.
        usual: u32,
    },
    /// The game is over in it.
    Over,
}

/// The position of an edited board.
pub fn read(request: &SetupRequest) -> WireResult<SetupAnswer> {
    let game = game(&request.game)?;
    if request.to_move > 1 {
        return Err(
            Problem::new("bad_position", "the player to move must be 0 or 1").at("to_move"),
        );
    }
    let (text, mut notes) = match (&request.board, game.kalah(), game.isolation()) {
        (EditedBoard::Kalah { pits, stores }, Some(spec), _) => kalah(spec, pits, stores)?,
        (EditedBoard::Isolation { cells }, _, Some(spec)) => (isolation(spec, cells)?, Vec::new()),
        _ => {
            let message = format!("the board is not one of {game}");
            return Err(Problem::new("bad_position", message).at("board.kind"));
        }
    };
    let line = Line {
        game,
        start: Some(format!("{text} {}", request.to_move)),
        moves: Vec::new(),
    };
    let played = line.play();
    let played = played.map_err(|error| Problem::from(error).at("board"))?;
    let state = show::state(&played, 0);
    if state.over {
        notes.push(Note::Over);
    }
    Ok(SetupAnswer {
        game: game.to_string(),
        start: state.position.clone(),
        state,
        notes,
    })
}

/// The houses in board order, and what is unusual about them.
fn kalah(
    spec: KalahSpec,
    pits: &[Vec<i64>; 2],
    stores: &[i64; 2],
) -> WireResult<(String, Vec<Note>)> {
    let wrong = |message: String, field: String| Problem::new("bad_position", message).at(field);
    let mut total = 0;
    let mut houses = Vec::new();
    for player in 0..2 {
        let field = format!("board.pits[{player}]");
        if pits[player].len() != spec.pits() {
            let message = format!(
                "{spec} has {} pits per side, not {}",
                spec.pits(),
                pits[player].len()
            );
            return Err(wrong(message, field));
        }
        let store = (stores[player], format!("board.stores[{player}]"));
        let own = pits[player].iter().enumerate();
        let own = own.map(|(pit, &seeds)| (seeds, format!("{field}[{pit}]")));
        for (seeds, field) in own.chain([store]) {
            if !(0..=i64::from(MAX_TOTAL)).contains(&seeds) {
                let message = format!("a house holds 0 to {MAX_TOTAL} seeds, not {seeds}");
                return Err(wrong(message, field));
            }
            total += seeds;
            houses.push(seeds.to_string());
        }
    }
    if total > i64::from(MAX_TOTAL) {
        let message = format!("{total} seeds in all; {MAX_TOTAL} are the most");
        return Err(wrong(message, "board".to_owned()));
    }
    if total == 0 {
        return Err(wrong("there are no seeds".to_owned(), "board".to_owned()));
    }
    let mut notes = Vec::new();
    if total != i64::from(spec.total()) {
        notes.push(Note::Seeds {
            seeds: total as u32,
            usual: spec.total(),
        });
    }
    Ok((houses.join(" "), notes))
}

/// The rows, separated by slashes.
fn isolation(spec: IsolationSpec, cells: &str) -> WireResult<String> {
    let wrong = |message: String| Problem::new("bad_position", message).at("board.cells");
    let cells: Vec<char> = cells.chars().take(spec.cells() + 1).collect();
    if cells.len() != spec.cells() {
        return Err(wrong(format!(
            "{spec} has {} cells, one character each",
            spec.cells()
        )));
    }
    if let Some(strange) = cells.iter().find(|cell| !".12xo#".contains(**cell)) {
        return Err(wrong(format!(
            "a cell is one of . 1 2 x o #, not '{}'",
            strange.escape_default()
        )));
    }
    let rows = cells.chunks(spec.cols()).map(|row| row.iter().collect());
    Ok(rows.collect::<Vec<String>>().join("/"))
}
