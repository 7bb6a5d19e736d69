//! `POST /api/v1/setup`: the board editor.

use crate::body::Body;
use crate::error::ApiResult;
use crate::wire::refusals::OfBodies;
use axum::Json;
use kalahari_wire::setup::{self, SetupAnswer, SetupRequest};

/// Make a position from an edited board, or say what is wrong with it.
#[utoipa::path(
    post,
    path = "/api/v1/setup",
    operation_id = "setup",
    request_body = SetupRequest,
    responses(
        (status = 200, body = SetupAnswer, description = "The position"),
        OfBodies
    )
)]
pub(crate) async fn setup(Body(request): Body<SetupRequest>) -> ApiResult<Json<SetupAnswer>> {
    Ok(Json(setup::read(&request)?))
}
