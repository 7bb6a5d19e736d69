//! A game of two people at two devices, as all people in its room see it.

use crate::Who;
use crate::line::WireLine;
use crate::state::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A room and the game that is played in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RoomView {
    /// The room's name, which is in its link.
    pub room: String,
    /// Rises with every change.
    pub version: u64,
    /// Which game of the room it is, from 1.
    pub round: u32,
    /// The game so far.
    pub line: WireLine,
    /// The last position.
    pub state: State,
    /// Who plays first and who second.
    #[schema(min_items = 2, max_items = 2)]
    pub seats: [SeatView; 2],
    /// Which of them the reader is; null for a reader who only watches.
    pub you: Option<Who>,
    /// null if there is no clock.
    pub clock: Option<ClockView>,
    /// What one of the two has offered.
    pub offer: Option<Offer>,
    /// How the game ended; null before its end.
    pub end: Option<RoomEnd>,
    /// How many people watch.
    pub watching: usize,
}

/// A seat of a room.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeatView {
    /// Whether it is taken.
    pub taken: bool,
    /// The name of its player; may be empty.
    pub name: String,
    /// Whether the player is connected now.
    pub here: bool,
    /// How many games of this room the player has won.
    pub won: u32,
}

/// The time control of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// Minutes for the whole game.
    #[schema(minimum = 1, maximum = 180)]
    pub minutes: u32,
    /// Seconds that are added with every move.
    #[schema(maximum = 60)]
    pub increment: u32,
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct ClockView {
    /// The time control.
    pub setting: ClockSetting,
    /// Milliseconds that are left to player 0 and player 1.
    #[schema(min_items = 2, max_items = 2)]
    pub left_ms: [u64; 2],
    /// Whose clock runs.
    pub running: Option<Who>,
}

/// Something that the other player may accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Offer {
    /// What is offered.
    pub kind: OfferKind,
    /// Who offers it.
    pub by: Who,
}

/// What can be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OfferKind {
    /// The last move of the player who offers is taken back, with all moves after it.
    Takeback,
    /// Another game, with the sides changed.
    Rematch,
}

/// How a game of a room ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RoomEnd {
    /// Why.
    pub kind: EndKind,
    /// null for a draw.
    pub winner: Option<Who>,
}

/// Why a game of a room ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EndKind {
    /// By the rules: the position says how.
    Rules,
    /// The loser gave up.
    Resigned,
    /// The loser's time was up.
    Time,
}
