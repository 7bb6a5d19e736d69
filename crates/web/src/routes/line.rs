//! `POST /api/v1/line`: a line with all its positions.

use crate::body::Body;
use crate::error::ApiResult;
use crate::wire::refusals::OfBodies;
use axum::Json;
use kalahari_wire::line::{self, LineAnswer, LineRequest};

/// Play a line through, or read a pasted text.
#[utoipa::path(
    post,
    path = "/api/v1/line",
    operation_id = "line",
    request_body = LineRequest,
    responses(
        (status = 200, body = LineAnswer, description = "One state for every ply, the start included"),
        OfBodies
    )
)]
pub(crate) async fn line(Body(request): Body<LineRequest>) -> ApiResult<Json<LineAnswer>> {
    Ok(line::read(request).map(Json)?)
}
