//! A store of matches as the page shows it.

use kalahari_wire::line::WireLine;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A store of matches.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ArenaAnswer {
    pub(crate) games: Vec<ArenaGame>,
    /// The newest first.
    pub(crate) matches: Vec<ArenaMatch>,
    /// Changes when a game is added.
    pub(crate) stamp: String,
}

/// All that was played of one game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ArenaGame {
    pub(crate) game: String,
    pub(crate) games: u64,
    pub(crate) forfeits: u64,
    /// The strongest first.
    pub(crate) players: Vec<ArenaPlayer>,
    pub(crate) meetings: Vec<ArenaMeeting>,
    pub(crate) plots: Vec<ArenaPlot>,
}

/// A player of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ArenaPlayer {
    pub(crate) name: String,
    pub(crate) elo: f64,
    /// Half the width of the 95% interval; null if it is infinite, as for a player without games.
    pub(crate) error: Option<f64>,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// The mean time for a move.
    pub(crate) millis: Option<f64>,
}

/// What one player scored against another; `a` and `b` are places in the list of players.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ArenaMeeting {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
}

/// A picture.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ArenaPlot {
    pub(crate) name: String,
    /// What it shows: `ratings`, `strength`, `margins`, `lengths` or `openings`.
    pub(crate) kind: String,
    pub(crate) url: String,
}

/// A match. Results are those of `a`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ArenaMatch {
    pub(crate) id: String,
    pub(crate) game: String,
    /// The name of the first agent.
    pub(crate) a: String,
    pub(crate) b: String,
    /// The specs of both agents.
    pub(crate) agents: [String; 2],
    pub(crate) openings: String,
    pub(crate) seed: String,
    pub(crate) limits: String,
    /// When it began, in seconds since 1970.
    pub(crate) created: i64,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) elo: Option<f64>,
    pub(crate) elo_error: Option<f64>,
    /// How likely it is that `a` is the stronger one.
    pub(crate) los: f64,
}

/// Which games of a match are wanted.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GamesQuery {
    /// The first one, from 0.
    #[serde(default)]
    pub(crate) from: usize,
    /// How many, at most 200.
    #[serde(default = "fifty")]
    pub(crate) count: usize,
}

fn fifty() -> usize {
    50
}

/// Games of a match.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GamesAnswer {
    pub(crate) id: String,
    pub(crate) total: usize,
    pub(crate) games: Vec<ArenaRecord>,
}

/// A game of a match.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ArenaRecord {
    /// From 1.
    pub(crate) number: u32,
    pub(crate) first: String,
    pub(crate) second: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) result: &'static str,
    /// The first player's; null if the game was forfeited.
    pub(crate) margin: Option<i32>,
    pub(crate) ending: &'static str,
    pub(crate) plies: usize,
    /// How many of them belong to the opening, which no player chose.
    pub(crate) opening: usize,
    pub(crate) line: WireLine,
}
