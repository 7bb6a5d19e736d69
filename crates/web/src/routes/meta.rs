//! `GET /api/v1/meta`: what the server can do.

use crate::app::{Limits, Shared};
use crate::opponents;
use crate::wire::line::MOST_MOVES;
use crate::wire::meta::{Caps, GameKind, Meta, Rule, SizeLimits};
use crate::wire::refusals::Always;
use axum::Json;
use axum::extract::State;
use kalahari_games::isolation::{IsolationRule, MAX_SIDE};
use kalahari_games::kalah::{CaptureRule, MAX_PITS, MAX_SEEDS};

/// What the server can do: games, opponents, caps.
#[utoipa::path(get, path = "/api/v1/meta", responses((status = 200, body = Meta), Always))]
pub(crate) async fn meta(State(app): State<Shared>) -> Json<Meta> {
    Json(about(&app.limits, app.arena.is_some(), app.live.is_some()))
}

/// What a server with these limits can do.
pub(crate) fn about(limits: &Limits, arena: bool, live: bool) -> Meta {
    Meta {
        version: env!("CARGO_PKG_VERSION"),
        api: 1,
        games: vec![kalah(), isolation()],
        opponents: opponents::all(),
        caps: Caps {
            moves: MOST_MOVES,
            body_bytes: limits.body_bytes,
            frame_bytes: limits.body_bytes,
            connections_per_address: limits.connections_per_address,
            requests_per_second: limits.requests_per_second,
            analysis_ms: limits.analysis.as_millis() as u64,
            review_ms_per_move: limits.review_per_move.as_millis() as u64,
        },
        arena,
        live,
    }
}

fn kalah() -> GameKind {
    let presets = [
        "kalah:6x4:standard",
        "kalah:6x6:standard",
        "kalah:6x3:standard",
        "kalah:4x4:standard",
        "kalah:6x4:empty-capture",
    ];
    let rule = |rule: CaptureRule| Rule {
        name: rule.name(),
        about: rule.summary(),
        rows: None,
        cols: None,
    };
    GameKind {
        kind: "kalah",
        default: presets[0].to_owned(),
        presets: presets.map(str::to_owned).to_vec(),
        rules: CaptureRule::ALL.map(rule).to_vec(),
        majority: true,
        limits: SizeLimits {
            pits: Some([1, MAX_PITS]),
            seeds: Some([1, MAX_SEEDS as usize]),
            rows: None,
            cols: None,
        },
    }
}

fn isolation() -> GameKind {
    let presets = [
        "isolation:7x7:queen",
        "isolation:8x8:trail",
        "isolation:7x7:classic",
        "isolation:9x11:knight",
        "isolation:5x5:queen",
    ];
    let rule = |rule: IsolationRule| Rule {
        name: rule.name(),
        about: rule.summary(),
        rows: Some(rule.default_size().0),
        cols: Some(rule.default_size().1),
    };
    GameKind {
        kind: "isolation",
        default: presets[0].to_owned(),
        presets: presets.map(str::to_owned).to_vec(),
        rules: IsolationRule::ALL.map(rule).to_vec(),
        majority: false,
        limits: SizeLimits {
            pits: None,
            seeds: None,
            rows: Some([1, MAX_SIDE]),
            cols: Some([1, MAX_SIDE]),
        },
    }
}
