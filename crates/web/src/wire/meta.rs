//! What the server can do.

use serde::Serialize;
use utoipa::ToSchema;

/// What the server can do.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Meta {
    pub(crate) version: &'static str,
    pub(crate) api: u32,
    pub(crate) games: Vec<GameKind>,
    pub(crate) opponents: Vec<Opponent>,
    pub(crate) caps: Caps,
    /// Whether there is a store of matches to look at.
    pub(crate) arena: bool,
    /// Whether there are games to watch as they are played.
    pub(crate) live: bool,
}

/// One of the two games.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameKind {
    pub(crate) kind: &'static str,
    pub(crate) default: String,
    /// Games worth offering by name.
    pub(crate) presets: Vec<String>,
    pub(crate) rules: Vec<Rule>,
    /// Whether `+majority` can be added to a rule.
    pub(crate) majority: bool,
    pub(crate) limits: SizeLimits,
}

/// A rule of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Rows of the usual board.
    pub(crate) rows: Option<usize>,
    /// Columns of the usual board.
    pub(crate) cols: Option<usize>,
}

/// The smallest and largest sizes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SizeLimits {
    pub(crate) pits: Option<[usize; 2]>,
    pub(crate) seeds: Option<[usize; 2]>,
    pub(crate) rows: Option<[usize; 2]>,
    pub(crate) cols: Option<[usize; 2]>,
}

/// Somebody to play against.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Opponent {
    pub(crate) agent: String,
    pub(crate) name: String,
    pub(crate) about: String,
}

/// What a client may ask for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Caps {
    pub(crate) moves: usize,
    pub(crate) body_bytes: usize,
    pub(crate) frame_bytes: usize,
    pub(crate) connections_per_address: usize,
    pub(crate) requests_per_second: u32,
    pub(crate) analysis_ms: u64,
    pub(crate) review_ms_per_move: u64,
}
