//! The board editor.

use crate::wire::state::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A board that somebody has put together.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetupRequest {
    pub(crate) game: String,
    pub(crate) board: EditedBoard,
    /// 0 or 1.
    pub(crate) to_move: u64,
}

/// What is on the board.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum EditedBoard {
    Kalah {
        pits: [Vec<i64>; 2],
        stores: [i64; 2],
    },
    Isolation {
        cells: String,
    },
}

/// The position of an edited board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SetupAnswer {
    pub(crate) game: String,
    /// The position's text: the start of a line.
    pub(crate) start: String,
    pub(crate) state: State,
    /// What is unusual about it.
    pub(crate) notes: Vec<String>,
}
