//! `GET /api/v1/meta`: what the server can do.

use crate::access::Visitor;
use crate::app::{Limits, Shared};
use crate::wire::refusals::Always;
use axum::Json;
use axum::extract::{Extension, State};
use kalahari_wire::line::MOST_MOVES;
use kalahari_wire::meta::{Caps, Extras, Meta};
use kalahari_wire::opponents::OwnAgents;

/// What the server can do: games, opponents, caps.
#[utoipa::path(get, path = "/api/v1/meta", operation_id = "meta", responses((status = 200, body = Meta), Always))]
pub(crate) async fn meta(
    State(app): State<Shared>,
    Extension(visitor): Extension<Visitor>,
) -> Json<Meta> {
    let extras = Extras {
        arena: app.arena.is_some(),
        live: app.live.is_some(),
        rooms: app.hall.is_some(),
    };
    Json(about(&app.limits, &app.own, extras, visitor.owner))
}

/// What a server with these limits can do for its owner or for invited people. Programs, the store and the games of
/// others are for the owner only.
pub(crate) fn about(limits: &Limits, own: &OwnAgents, extras: Extras, owner: bool) -> Meta {
    let (analysis, review) = match owner {
        true => (limits.analysis, limits.review_per_move),
        false => (limits.guests.analysis, limits.guests.review_per_move),
    };
    let caps = Caps {
        moves: MOST_MOVES,
        body_bytes: limits.body_bytes,
        frame_bytes: limits.body_bytes,
        connections_per_address: limits.connections_per_address,
        requests_per_second: limits.requests_per_second,
        analysis_ms: analysis.as_millis() as u64,
        review_ms_per_move: review.as_millis() as u64,
    };
    match owner {
        true => Meta::new(caps, own, extras, true),
        false => {
            let extras = Extras {
                rooms: extras.rooms,
                ..Extras::default()
            };
            Meta::new(caps, &OwnAgents::default(), extras, false)
        }
    }
}
