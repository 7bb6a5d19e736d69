//! `/api/v1/live`: games as they are played.

use crate::app::Shared;
use crate::error::{ApiError, ApiResult, Refusal};
use crate::wire::live::{LiveAnswer, LiveEntry};
use crate::wire::refusals::Always;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kalahari_arena::LiveGame;
use kalahari_wire::line::WireLine;

/// The games in progress, and the last ones that ended.
#[utoipa::path(
    get,
    path = "/api/v1/live",
    operation_id = "live",
    responses((status = 200, body = LiveAnswer), (status = 404, body = Refusal), Always)
)]
pub(crate) async fn games(State(app): State<Shared>) -> ApiResult<Json<LiveAnswer>> {
    let Some(live) = &app.live else {
        let message = "no games are played here: start `kalahari kgp serve --page PORT`";
        return Err(ApiError::new(StatusCode::NOT_FOUND, "no_live", message));
    };
    let games = live.all().into_iter().map(entry).collect();
    Ok(Json(LiveAnswer { games }))
}

fn entry(game: LiveGame) -> LiveEntry {
    let [first, second] = game.players;
    LiveEntry {
        number: game.number,
        first,
        second,
        result: game.result,
        line: WireLine {
            game: game.game.to_string(),
            start: None,
            moves: game.moves.iter().map(ToString::to_string).collect(),
        },
    }
}
