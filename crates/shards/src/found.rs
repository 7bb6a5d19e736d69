//! The result of a part whose results are neither games nor files of rows: one line of JSON in the file of the piece.

use crate::judged::KeptGame;
use kalahari_prove::Decided;
use serde::{Deserialize, Serialize};

/// The result of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// For a claim: whether it holds.
    Claim(Decided),
    /// For a game: its judged moves.
    Game(KeptGame),
    /// For a position of a book's frontier: its future margin, from the view of the player to move.
    Margin(i32),
}

/// A finding with the part that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The number of the task in the plan.
    pub task: usize,
    /// The number of the part in the task.
    pub part: u64,
    /// The result.
    pub finding: Finding,
}
