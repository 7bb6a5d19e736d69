//! `/api/v1/puzzles`: puzzles to solve.

use crate::body::Body;
use crate::error::{ApiError, ApiResult, Refusal};
use crate::wire::refusals::{Always, OfBodies};
use axum::Json;
use axum::extract::{Path, Query};
use kalahari_wire::puzzle::{self, PuzzleAnswer, PuzzleList, TryAnswer, TryQuery, TryRequest};

/// All puzzles, from easy to hard.
#[utoipa::path(
    get,
    path = "/api/v1/puzzles",
    operation_id = "puzzles",
    responses((status = 200, body = PuzzleList), Always)
)]
pub(crate) async fn list() -> Json<PuzzleList> {
    Json(puzzle::list())
}

/// One puzzle.
#[utoipa::path(
    get,
    path = "/api/v1/puzzles/{id}",
    operation_id = "puzzle",
    params(("id" = String, Path, description = "The puzzle's name")),
    responses((status = 200, body = PuzzleAnswer), (status = 404, body = Refusal), Always)
)]
pub(crate) async fn one(Path(id): Path<String>) -> ApiResult<Json<PuzzleAnswer>> {
    Ok(Json(puzzle::one(&id)?))
}

/// Try to solve a puzzle.
#[utoipa::path(
    post,
    path = "/api/v1/puzzles/{id}/try",
    operation_id = "tryPuzzle",
    params(("id" = String, Path, description = "The puzzle's name"), TryQuery),
    request_body = TryRequest,
    responses(
        (status = 200, body = TryAnswer),
        (status = 404, body = Refusal),
        OfBodies
    )
)]
pub(crate) async fn attempt(
    Path(id): Path<String>,
    query: Result<Query<TryQuery>, axum::extract::rejection::QueryRejection>,
    Body(request): Body<TryRequest>,
) -> ApiResult<Json<TryAnswer>> {
    let Query(query) = query.map_err(|_| {
        ApiError::bad("bad_request", "solution must be true or false").at("solution")
    })?;
    Ok(Json(puzzle::attempt(&id, query, request)?))
}
