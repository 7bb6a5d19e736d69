//! `POST /api/v1/line`: a line with all its positions.

use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::wire::line::{LineAnswer, LineRequest, WireLine, game};
use crate::wire::refusals::OfBodies;
use crate::{paste, show};
use axum::Json;
use kalahari_arena::{Ending, GameRecord, RecordedMove};
use kalahari_games::{Game, Player, View};
use kalahari_study::Played;

/// Play a line through, or read what somebody has pasted.
#[utoipa::path(
    post,
    path = "/api/v1/line",
    request_body = LineRequest,
    responses(
        (status = 200, body = LineAnswer, description = "One state for every ply, the start included"),
        OfBodies
    )
)]
pub(crate) async fn line(Body(request): Body<LineRequest>) -> ApiResult<Json<LineAnswer>> {
    read(request).map(Json)
}

/// What a request asks for, played through.
pub(crate) fn read(request: LineRequest) -> ApiResult<LineAnswer> {
    let (played, players, opening) = match request.text {
        Some(text) => {
            let shown = request.game.as_deref().map(game).transpose()?;
            let pasted = paste::read(&text, shown)?;
            (pasted.played, pasted.players, pasted.opening)
        }
        None => {
            let game = request.game.ok_or_else(|| {
                ApiError::bad("bad_request", "a game or a pasted text is missing").at("game")
            })?;
            let wire = WireLine {
                game,
                start: request.start,
                moves: request.moves.unwrap_or_default(),
            };
            (wire.checked()?.play()?, None, 0)
        }
    };
    let answer = answer(&played, players, request.ahead);
    Ok(LineAnswer { opening, ..answer })
}

/// The answer for a line.
pub(crate) fn answer(played: &Played, players: Option<[String; 2]>, ahead: bool) -> LineAnswer {
    let game = &played.game;
    // One spelling for every position, and none for the game's own start.
    let start = Some(played.positions[0]).filter(|start| *start != game.start());
    let start = start.map(|start| game.view(&start));
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
        record: record(played, start, players.clone()),
        moves,
        players,
        opening: 0,
        text,
    }
}

/// The record of a finished game.
fn record(played: &Played, start: Option<View>, players: Option<[String; 2]>) -> Option<String> {
    let outcome = played.game.outcome(&played.last())?;
    let moves = played.moves.iter().copied().map(RecordedMove::book);
    let record = GameRecord {
        game: played.game.spec(),
        players: match players {
            Some(players) => players.map(Into::into),
            None => ["First", "Second"].map(Into::into),
        },
        start,
        book: 0,
        moves: moves.collect(),
        winner: outcome.winner(),
        margin: Some(outcome.margin(Player::First)),
        ending: Ending::Rules,
        detail: String::new(),
        match_id: String::new(),
        number: 0,
        rng_seed: 0,
    };
    Some(record.to_string())
}
