//! The frames of the socket.

use crate::error::{ApiError, Problem};
use crate::wire::line::WireLine;
use crate::wire::state::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a client asks for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    /// Chosen by the client; every answer carries it.
    pub(crate) id: u64,
    #[serde(rename = "type")]
    pub(crate) kind: AskKind,
    /// Needed by everything but `stop`.
    #[serde(default)]
    pub(crate) line: Option<WireLine>,
    /// `move` only: one of the opponents of `/api/v1/meta`.
    #[serde(default)]
    pub(crate) agent: Option<String>,
    #[serde(default)]
    pub(crate) limit: Option<AskLimit>,
    /// `review` only: how many moves are the opening's, which nobody chose and which are not judged.
    #[serde(default)]
    pub(crate) opening: usize,
    /// `stop` only: what to stop; everything, if it is missing.
    #[serde(default)]
    pub(crate) target: Option<u64>,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AskKind {
    Analyze,
    Move,
    Hint,
    Review,
    Stop,
}

/// How much thinking is wanted.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskLimit {
    #[serde(default)]
    pub(crate) depth: Option<u32>,
    /// For `review`: for each move.
    #[serde(default)]
    pub(crate) time_ms: Option<u64>,
}

/// What the server says.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Say {
    Info(Box<Info>),
    Move(Box<Reply>),
    Hint(Box<Hint>),
    Reviewed(Box<Reviewed>),
    Review(Box<Reviewing>),
    Done {
        id: u64,
        reason: Reason,
    },
    Error {
        /// null if the frame had none that could be read.
        id: Option<u64>,
        code: &'static str,
        message: String,
        field: Option<String>,
    },
}

impl Say {
    /// What is said of something that is refused.
    pub(crate) fn refusal(id: Option<u64>, error: ApiError) -> Self {
        let Problem {
            code,
            message,
            field,
        } = error.problem;
        Say::Error {
            id,
            code,
            message,
            field,
        }
    }

    /// Whose answer it is, if it only says more than an earlier frame of the same kind.
    pub(crate) fn replaces_info_of(&self) -> Option<u64> {
        match self {
            Say::Info(info) => Some(info.id),
            _ => None,
        }
    }
}

/// Why a request is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reason {
    Finished,
    Stopped,
    Replaced,
    Limit,
}

/// What an analysis knows so far. Values are for the player to move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Info {
    pub(crate) id: u64,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// Nodes a second while it had its turn.
    pub(crate) nps: u64,
    pub(crate) time_ms: u64,
    pub(crate) value: f64,
    pub(crate) proven: bool,
    /// How far a proof is, in words; null where none is under way.
    pub(crate) outlook: Option<String>,
    /// `seeds`, `cells`, `result` or `points`.
    pub(crate) unit: &'static str,
    pub(crate) words: String,
    /// Player 0's prospects, from -1 to 1.
    pub(crate) bar: f64,
    pub(crate) best: Option<String>,
    pub(crate) pv: Vec<String>,
    pub(crate) pv_words: String,
    pub(crate) moves: Vec<MoveInfo>,
}

/// What is known of a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MoveInfo {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) value: f64,
    pub(crate) proven: bool,
    pub(crate) unit: &'static str,
    pub(crate) depth: u32,
    pub(crate) words: String,
}

/// An opponent's move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Reply {
    pub(crate) id: u64,
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// What the opponent thinks it worth, for the opponent; null if it does not say.
    pub(crate) value: Option<f64>,
    pub(crate) proven: bool,
    pub(crate) unit: &'static str,
    pub(crate) time_ms: u64,
    /// The position after the move.
    pub(crate) state: State,
}

/// A good move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Hint {
    pub(crate) id: u64,
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) value: f64,
    pub(crate) proven: bool,
    pub(crate) unit: &'static str,
    pub(crate) words: String,
    pub(crate) pv: Vec<String>,
}

/// A move that has been judged. Values are the mover's.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Reviewed {
    pub(crate) id: u64,
    pub(crate) ply: usize,
    pub(crate) player: usize,
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// `best`, `inaccuracy`, `mistake` or `blunder`.
    pub(crate) judgement: &'static str,
    pub(crate) loss: f64,
    pub(crate) best: String,
    pub(crate) value: f64,
    pub(crate) value_played: f64,
    pub(crate) proven: bool,
    /// What `loss` counts.
    pub(crate) unit: &'static str,
    /// Player 0's prospects before the move.
    pub(crate) bar: f64,
    pub(crate) words: String,
}

/// A whole game that has been judged.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Reviewing {
    pub(crate) id: u64,
    pub(crate) plies: usize,
    pub(crate) players: Vec<PlayerReview>,
    pub(crate) turning_points: Vec<TurningPoint>,
    /// Player 0's prospects in every position.
    pub(crate) bars: Vec<f64>,
}

/// How a player did.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PlayerReview {
    pub(crate) player: usize,
    pub(crate) best: usize,
    pub(crate) inaccuracy: usize,
    pub(crate) mistake: usize,
    pub(crate) blunder: usize,
    /// All that was given away.
    pub(crate) loss: f64,
    /// How good the moves were that were a choice, 0 to 1: a move that gives nothing away counts 1, and half as much with every
    /// 4 seeds given away, or with every quarter of the result where seeds are not counted.
    pub(crate) accuracy: f64,
}

/// Where a game turned.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TurningPoint {
    pub(crate) ply: usize,
    pub(crate) words: String,
}
