//! What is asked about rooms and invitations.

use kalahari_wire::room::{ClockSetting, RoomView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A room to open.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRoom {
    /// The game's name.
    #[schema(example = "kalah:6x4:standard")]
    pub(crate) game: String,
    /// The time control; null for no clock.
    #[serde(default)]
    pub(crate) clock: Option<ClockSetting>,
    /// The seat of the person who opens the room.
    #[serde(default)]
    pub(crate) side: Side,
    /// The name of the person who opens the room.
    #[serde(default)]
    pub(crate) name: String,
}

/// Which seat a player takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// Moves first.
    #[default]
    First,
    /// Moves second.
    Second,
    /// Drawn by lot.
    Either,
}

/// A person who wants to play.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakeSeat {
    /// The name of the person.
    #[serde(default)]
    pub(crate) name: String,
}

/// A seat in a room.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Seated {
    /// The seat's secret: a client that has it can play.
    pub(crate) seat: String,
    /// The room.
    pub(crate) view: RoomView,
}

/// A move in a room.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoomMove {
    /// The seat's secret.
    pub(crate) seat: String,
    /// The game of the room that is meant.
    pub(crate) round: u32,
    /// How many moves there were before this one.
    pub(crate) ply: usize,
    /// The move.
    #[serde(rename = "move")]
    pub(crate) mv: String,
}

/// Something else that is done in a room.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoomDeed {
    /// The seat's secret.
    pub(crate) seat: String,
    /// The game of the room that is meant.
    pub(crate) round: u32,
    /// What is done.
    pub(crate) deed: DeedKind,
}

/// What can be done in a room besides moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DeedKind {
    /// Gives up.
    Resign,
    /// Asks to take one's own last move back.
    Takeback,
    /// Asks for another game with the sides changed.
    Rematch,
    /// Accepts what the other player has offered.
    Accept,
    /// Declines it, or takes one's own offer back.
    Decline,
}

/// What an invitation is wanted for.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct InvitationQuery {
    /// The room that it should lead to; without one it leads to the page.
    #[serde(default)]
    pub(crate) room: Option<String>,
}

/// An invitation.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct InvitationAnswer {
    /// Anyone with this link can use the server.
    pub(crate) link: String,
    /// The same as a QR code: its rows from the top, `1` is dark. Four light modules have to be around it.
    pub(crate) code: Vec<String>,
}
