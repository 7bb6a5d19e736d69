//! `GET /api/v1/meta`: what the server can do.

use crate::app::{Limits, Shared};
use crate::wire::refusals::Always;
use axum::Json;
use axum::extract::State;
use kalahari_wire::line::MOST_MOVES;
use kalahari_wire::meta::{Caps, Meta};
use kalahari_wire::opponents::OwnAgents;

/// What the server can do: games, opponents, caps.
#[utoipa::path(get, path = "/api/v1/meta", operation_id = "meta", responses((status = 200, body = Meta), Always))]
pub(crate) async fn meta(State(app): State<Shared>) -> Json<Meta> {
    Json(about(
        &app.limits,
        &app.own,
        app.arena.is_some(),
        app.live.is_some(),
    ))
}

/// What a server with these limits can do.
pub(crate) fn about(limits: &Limits, own: &OwnAgents, arena: bool, live: bool) -> Meta {
    let caps = Caps {
        moves: MOST_MOVES,
        body_bytes: limits.body_bytes,
        frame_bytes: limits.body_bytes,
        connections_per_address: limits.connections_per_address,
        requests_per_second: limits.requests_per_second,
        analysis_ms: limits.analysis.as_millis() as u64,
        review_ms_per_move: limits.review_per_move.as_millis() as u64,
    };
    Meta::new(caps, own, arena, live)
}
