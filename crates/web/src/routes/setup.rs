//! `POST /api/v1/setup`: the board editor.

use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::show;
use crate::wire::line::game;
use crate::wire::refusals::OfBodies;
use crate::wire::setup::{EditedBoard, SetupAnswer, SetupRequest};
use axum::Json;
use kalahari_games::isolation::IsolationSpec;
use kalahari_games::kalah::{KalahSpec, MAX_TOTAL};
use kalahari_study::Line;

/// Make a position of an edited board, or say what is wrong with it.
#[utoipa::path(
    post,
    path = "/api/v1/setup",
    request_body = SetupRequest,
    responses(
        (status = 200, body = SetupAnswer, description = "The position"),
        OfBodies
    )
)]
pub(crate) async fn setup(Body(request): Body<SetupRequest>) -> ApiResult<Json<SetupAnswer>> {
    read(&request).map(Json)
}

/// The position of an edited board.
pub(crate) fn read(request: &SetupRequest) -> ApiResult<SetupAnswer> {
    let game = game(&request.game)?;
    if request.to_move > 1 {
        return Err(ApiError::bad("bad_position", "the player to move is 0 or 1").at("to_move"));
    }
    let (text, mut notes) = match (&request.board, game.kalah(), game.isolation()) {
        (EditedBoard::Kalah { pits, stores }, Some(spec), _) => kalah(spec, pits, stores)?,
        (EditedBoard::Isolation { cells }, _, Some(spec)) => (isolation(spec, cells)?, Vec::new()),
        _ => {
            let message = format!("the board is not one of {game}");
            return Err(ApiError::bad("bad_position", message).at("board.kind"));
        }
    };
    let line = Line {
        game,
        start: Some(format!("{text} {}", request.to_move)),
        moves: Vec::new(),
    };
    let played = line.play();
    let played = played.map_err(|error| ApiError::from(error).at("board"))?;
    let state = show::state(&played, 0);
    if state.over {
        notes.push("The game is over in this position.".to_owned());
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
) -> ApiResult<(String, Vec<String>)> {
    let wrong = |message: String, field: String| ApiError::bad("bad_position", message).at(field);
    let mut total = 0;
    let mut houses = Vec::new();
    for player in 0..2 {
        let field = format!("board.pits[{player}]");
        if pits[player].len() != spec.pits() {
            let message = format!(
                "{spec} has {} pits a side, not {}",
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
        notes.push(format!(
            "{total} seeds; {spec} begins with {}.",
            spec.total()
        ));
    }
    Ok((houses.join(" "), notes))
}

/// The rows, separated by slashes.
fn isolation(spec: IsolationSpec, cells: &str) -> ApiResult<String> {
    let wrong = |message: String| ApiError::bad("bad_position", message).at("board.cells");
    let cells: Vec<char> = cells.chars().take(spec.cells() + 1).collect();
    if cells.len() != spec.cells() {
        return Err(wrong(format!(
            "{spec} has {} cells, each with a character of its own",
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
