//! `POST /api/v1/line`: a line with all its positions.

use crate::body::Body;
use crate::error::{ApiError, ApiResult, Refusal};
use crate::wire::line::{LineAnswer, LineRequest, WireLine, game};
use crate::{paste, show};
use axum::Json;
use kalahari_arena::{Ending, GameRecord, RecordedMove};
use kalahari_games::{Game, Player};
use kalahari_search::Searchable;
use kalahari_study::{Line, LineVisitor, Played};

/// Play a line through, or read what somebody has pasted.
#[utoipa::path(
    post,
    path = "/api/v1/line",
    request_body = LineRequest,
    responses(
        (status = 200, body = LineAnswer, description = "One state for every ply, the start included"),
        (status = 422, body = Refusal, description = "What is wrong with the line, and where")
    )
)]
pub(crate) async fn line(Body(request): Body<LineRequest>) -> ApiResult<Json<LineAnswer>> {
    let (line, players) = match request.text {
        Some(text) => {
            let shown = request.game.as_deref().map(game).transpose()?;
            let pasted = paste::read(&text, shown)?;
            (pasted.line, pasted.players)
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
            (wire.checked()?, None)
        }
    };
    Ok(Json(answer(&line, players, request.ahead)?))
}

/// The answer for a line.
pub(crate) fn answer(
    line: &Line,
    players: Option<[String; 2]>,
    ahead: bool,
) -> ApiResult<LineAnswer> {
    Ok(line.visit(Answer {
        line,
        players,
        ahead,
    })?)
}

struct Answer<'a> {
    line: &'a Line,
    players: Option<[String; 2]>,
    ahead: bool,
}

impl LineVisitor for Answer<'_> {
    type Output = LineAnswer;

    fn visit<G: Searchable>(self, game: G, played: Played<G>) -> LineAnswer {
        // One spelling for every position, and none for the game's own start.
        let start = Some(played.positions[0])
            .filter(|start| *start != game.start())
            .map(|start| game.position_text(&start));
        let moves: Vec<String> = played.moves.iter().map(ToString::to_string).collect();
        let mut text = self.line.game.to_string();
        if let Some(start) = &start {
            text += &format!(" {start}");
        }
        if !moves.is_empty() {
            text += &format!(" moves {}", moves.join(" "));
        }
        let record = record(&game, &played, start.clone(), self.players.clone());
        LineAnswer {
            game: self.line.game.to_string(),
            states: show::states(&game, &played),
            ahead: self.ahead.then(|| show::ahead(&game, played.last())),
            start,
            moves,
            players: self.players,
            text,
            record,
        }
    }
}

/// The record of a finished game.
fn record<G: Game>(
    game: &G,
    played: &Played<G>,
    start: Option<String>,
    players: Option<[String; 2]>,
) -> Option<String> {
    let outcome = game.outcome(&played.last())?;
    let moves = played
        .moves
        .iter()
        .map(|mv| RecordedMove::book(mv.to_string()));
    let record = GameRecord {
        game: game.spec(),
        players: players.unwrap_or_else(|| ["First", "Second"].map(str::to_owned)),
        start,
        book: 0,
        moves: moves.collect(),
        winner: outcome.winner(),
        margin: Some(outcome.margin(Player::First)),
        ending: Ending::Rules,
        detail: String::new(),
        match_id: String::new(),
        number: 0,
        seed: 0,
    };
    Some(record.to_string())
}
