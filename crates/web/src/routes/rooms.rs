//! `/api/v1/rooms`: games of two people at two devices.

use crate::access::Visitor;
use crate::app::{App, Shared};
use crate::body::Body;
use crate::error::{ApiError, ApiResult, Refusal};
use crate::rooms::{Deed, Hall};
use crate::wire::refusals::{Always, OfBodies};
use crate::wire::rooms::{DeedKind, NewRoom, RoomDeed, RoomMove, Seated, TakeSeat};
use axum::Json;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use kalahari_wire::room::{OfferKind, RoomView};
use std::sync::Arc;

/// The rooms of a server that has any.
pub(crate) fn hall(app: &App) -> ApiResult<&Arc<Hall>> {
    app.hall.as_ref().ok_or_else(|| {
        let message = "there are no rooms here: start the server with --host ADDRESS";
        ApiError::new(StatusCode::NOT_FOUND, "no_rooms", message)
    })
}

/// Open a room and sit down in it.
#[utoipa::path(
    post,
    path = "/api/v1/rooms",
    operation_id = "openRoom",
    request_body = NewRoom,
    responses((status = 200, body = Seated), (status = 404, body = Refusal), (status = 503, body = Refusal), OfBodies)
)]
pub(crate) async fn open(
    State(app): State<Shared>,
    Extension(visitor): Extension<Visitor>,
    Body(wanted): Body<NewRoom>,
) -> ApiResult<Json<Seated>> {
    let by = (!visitor.owner).then_some(visitor.address);
    Ok(Json(hall(&app)?.open(by, wanted).await?))
}

/// A room as it is now.
#[utoipa::path(
    get,
    path = "/api/v1/rooms/{id}",
    operation_id = "room",
    params(("id" = String, Path, description = "The room's name")),
    responses((status = 200, body = RoomView), (status = 404, body = Refusal), Always)
)]
pub(crate) async fn one(
    State(app): State<Shared>,
    Path(id): Path<String>,
) -> ApiResult<Json<RoomView>> {
    Ok(Json(hall(&app)?.look(&id)?))
}

/// Take the free seat of a room.
#[utoipa::path(
    post,
    path = "/api/v1/rooms/{id}/seat",
    operation_id = "takeSeat",
    params(("id" = String, Path, description = "The room's name")),
    request_body = TakeSeat,
    responses((status = 200, body = Seated), (status = 404, body = Refusal), (status = 409, body = Refusal), OfBodies)
)]
pub(crate) async fn sit(
    State(app): State<Shared>,
    Path(id): Path<String>,
    Body(wanted): Body<TakeSeat>,
) -> ApiResult<Json<Seated>> {
    Ok(Json(hall(&app)?.sit(&id, &wanted.name).await?))
}

/// Play a move.
#[utoipa::path(
    post,
    path = "/api/v1/rooms/{id}/move",
    operation_id = "roomMove",
    params(("id" = String, Path, description = "The room's name")),
    request_body = RoomMove,
    responses((status = 200, body = RoomView), (status = 404, body = Refusal), (status = 409, body = Refusal), OfBodies)
)]
pub(crate) async fn play(
    State(app): State<Shared>,
    Path(id): Path<String>,
    Body(wanted): Body<RoomMove>,
) -> ApiResult<Json<RoomView>> {
    let RoomMove {
        seat,
        round,
        ply,
        mv,
    } = wanted;
    Ok(Json(hall(&app)?.play(&id, &seat, (round, ply), &mv).await?))
}

/// Resign, offer, accept or decline.
#[utoipa::path(
    post,
    path = "/api/v1/rooms/{id}/deed",
    operation_id = "roomDeed",
    params(("id" = String, Path, description = "The room's name")),
    request_body = RoomDeed,
    responses((status = 200, body = RoomView), (status = 404, body = Refusal), (status = 409, body = Refusal), OfBodies)
)]
pub(crate) async fn act(
    State(app): State<Shared>,
    Path(id): Path<String>,
    Body(wanted): Body<RoomDeed>,
) -> ApiResult<Json<RoomView>> {
    let deed = match wanted.deed {
        DeedKind::Resign => Deed::Resign,
        DeedKind::Takeback => Deed::Offer(OfferKind::Takeback),
        DeedKind::Rematch => Deed::Offer(OfferKind::Rematch),
        DeedKind::Accept => Deed::Accept,
        DeedKind::Decline => Deed::Decline,
    };
    Ok(Json(
        hall(&app)?
            .act(&id, &wanted.seat, wanted.round, deed)
            .await?,
    ))
}
