//! What came out of a part that is neither games nor files of rows: one line of JSON in the file of its place.

use crate::judged::KeptGame;
use kalahari_prove::Decided;
use serde::{Deserialize, Serialize};

/// What came out of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// Of a claim: whether it holds.
    Claim(Decided),
    /// Of a game: its moves, judged.
    Game(KeptGame),
    /// Of a position of a book's frontier: its future margin, as its mover sees it.
    Margin(i32),
}

/// A finding with the part that it is of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// Which task of the plan.
    pub task: usize,
    /// Which part of it.
    pub part: u64,
    /// What came out.
    pub finding: Finding,
}
