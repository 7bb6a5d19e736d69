//! `/api/v1/arena`: the operator's store of matches.

use crate::app::Shared;
use crate::arena::Arena;
use crate::error::{ApiError, ApiResult, Refusal};
use crate::wire::arena::{ArenaAnswer, GamesAnswer, GamesQuery};
use crate::wire::refusals::Always;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Reads the store in a thread that may wait.
async fn with_arena<T: Send + 'static>(
    app: &Shared,
    work: impl FnOnce(&Arena) -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let Some(arena) = app.arena.clone() else {
        let message = "there is no store: start the server with --db FILE.db";
        return Err(ApiError::new(StatusCode::NOT_FOUND, "no_store", message));
    };
    let work = tokio::task::spawn_blocking(move || work(&arena));
    work.await
        .unwrap_or_else(|_| Err(ApiError::internal("the store cannot be read")))
}

/// Standings, meetings, matches and plots of the store.
#[utoipa::path(
    get,
    path = "/api/v1/arena",
    operation_id = "arena",
    responses(
        (status = 200, body = ArenaAnswer),
        (status = 404, body = Refusal),
        (status = 500, body = Refusal, description = "The store cannot be read"),
        Always
    )
)]
pub(crate) async fn overview(State(app): State<Shared>) -> ApiResult<Response> {
    let seen = with_arena(&app, Arena::look).await?;
    Ok(Json(&seen.answer).into_response())
}

/// Games of a match.
#[utoipa::path(
    get,
    path = "/api/v1/arena/matches/{id}",
    operation_id = "arenaGames",
    params(("id" = String, Path, description = "The match's name"), GamesQuery),
    responses(
        (status = 200, body = GamesAnswer),
        (status = 404, body = Refusal),
        (status = 422, body = Refusal),
        (status = 500, body = Refusal, description = "The store cannot be read"),
        Always
    )
)]
pub(crate) async fn games(
    State(app): State<Shared>,
    Path(id): Path<String>,
    query: Result<Query<GamesQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult<Json<GamesAnswer>> {
    let Query(query) =
        query.map_err(|_| ApiError::bad("bad_request", "from and count must be whole numbers"))?;
    let games = with_arena(&app, move |arena| arena.games(&id, query)).await?;
    Ok(Json(games))
}

/// A picture of the store.
#[utoipa::path(
    get,
    path = "/api/v1/arena/plots/{name}",
    operation_id = "plot",
    params(("name" = String, Path, description = "A plot's name and `.svg`")),
    responses(
        (status = 200, content_type = "image/svg+xml", body = String),
        (status = 404, body = Refusal),
        (status = 500, body = Refusal, description = "The store cannot be read"),
        Always
    )
)]
pub(crate) async fn plot(
    State(app): State<Shared>,
    Path(name): Path<String>,
) -> ApiResult<Response> {
    let seen = with_arena(&app, Arena::look).await?;
    let name = name.strip_suffix(".svg").unwrap_or(&name);
    let svg = seen
        .plot(name)
        .ok_or_else(|| ApiError::not_found("there is no such plot"))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg.to_owned()).into_response())
}

/// The store of a server, if it has one.
pub(crate) fn open(file: Option<std::path::PathBuf>) -> Option<Arc<Arena>> {
    file.map(|file| Arc::new(Arena::new(file)))
}
