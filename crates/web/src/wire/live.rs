//! Games in progress as the page shows them.

use kalahari_wire::line::WireLine;
use serde::Serialize;
use utoipa::ToSchema;

/// Games in progress, then those that ended, the last one first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LiveAnswer {
    pub(crate) games: Vec<LiveEntry>,
}

/// A game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LiveEntry {
    /// Later games have larger numbers.
    pub(crate) number: u64,
    /// Who moves first.
    pub(crate) first: String,
    pub(crate) second: String,
    /// `1-0`, `0-1` or `1/2-1/2`; null before the end of the game.
    pub(crate) result: Option<&'static str>,
    pub(crate) line: WireLine,
}
