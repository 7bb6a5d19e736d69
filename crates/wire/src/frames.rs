//! The frames about thinking: what is asked for, and what is sent as it is found.

use crate::line::WireLine;
use crate::room::RoomView;
use crate::state::{State, Step};
use crate::{Figure, Problem, Unit, Who};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a client asks for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Chosen by the client; every answer carries it.
    pub id: u64,
    /// What is wanted.
    #[serde(rename = "type")]
    pub kind: AskKind,
    /// Needed by everything but `stop` and `watch`.
    #[serde(default)]
    pub line: Option<WireLine>,
    /// `move` only: one of the opponents of `/api/v1/meta`.
    #[serde(default)]
    pub agent: Option<String>,
    /// How much thinking is wanted.
    #[serde(default)]
    pub limit: Option<AskLimit>,
    /// `review` only: how many moves belong to the opening, which no player chose and which are not judged.
    #[serde(default)]
    pub opening: usize,
    /// `stop` only: what to stop; everything, if it is missing.
    #[serde(default)]
    pub target: Option<u64>,
    /// `watch` only: the room's name.
    #[serde(default)]
    pub room: Option<String>,
    /// `watch` only: the secret of a seat, for a client that has one.
    #[serde(default)]
    pub seat: Option<String>,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AskKind {
    /// The value of every move.
    Analyze,
    /// An opponent's move.
    Move,
    /// A good move.
    Hint,
    /// A judgement of every move of the line.
    Review,
    /// Everything that happens in a room, until it is stopped.
    Watch,
    /// The end of an earlier request.
    Stop,
}

/// How much thinking is wanted.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskLimit {
    /// In plies.
    #[serde(default)]
    pub depth: Option<u32>,
    /// For `review`: for each move.
    #[serde(default)]
    pub time_ms: Option<u64>,
}

/// What a client receives.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Say {
    /// What an analysis knows so far.
    Info(Box<Info>),
    /// An opponent's move.
    Move(Box<Reply>),
    /// A good move.
    Hint(Box<Hint>),
    /// A move that has been judged.
    Reviewed(Box<Reviewed>),
    /// A whole game that has been judged.
    Review(Box<Reviewing>),
    /// The state of a room that is watched.
    Room(Box<RoomNews>),
    /// The request is over.
    Done(Done),
    /// The request is refused.
    Error(Box<Refused>),
}

impl Say {
    /// The frame that refuses a request.
    pub fn refusal(id: Option<u64>, problem: Problem) -> Self {
        Say::Error(Box::new(Refused { id, problem }))
    }

    /// The frame that ends a request.
    pub fn done(id: u64, reason: Reason) -> Self {
        Say::Done(Done { id, reason })
    }

    /// The request that it answers, if it replaces an earlier frame of the same kind.
    pub fn replaces_info_of(&self) -> Option<u64> {
        match self {
            Say::Info(info) => Some(info.id),
            Say::Room(room) => Some(room.id),
            _ => None,
        }
    }
}

/// A room, as it is now.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RoomNews {
    /// The id of the request.
    pub id: u64,
    /// The room.
    #[serde(flatten)]
    pub view: RoomView,
}

/// The end of a request.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Done {
    /// The id of the request.
    pub id: u64,
    /// Why it is over.
    pub reason: Reason,
}

/// A request that is refused.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Refused {
    /// The id of the request; null if the frame had none that could be read.
    pub id: Option<u64>,
    /// What is wrong.
    #[serde(flatten)]
    pub problem: Problem,
}

/// Why a request is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// There is nothing left to find.
    Finished,
    /// The client stopped it.
    Stopped,
    /// The client asked for something else.
    Replaced,
    /// The time or the depth is used up.
    Limit,
}

/// What an analysis knows so far. Values are for the player to move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Info {
    /// The id of the request.
    pub id: u64,
    /// The last depth that was finished.
    pub depth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes per second, not counting the time that the search waited for its turn.
    pub nps: u64,
    /// The time since it was asked.
    pub time_ms: u64,
    /// What the position is worth.
    #[serde(flatten)]
    pub value: Figure,
    /// How far a proof has come; null if none is in progress.
    pub outlook: Option<Outlook>,
    /// Player 0's prospects, from -1 to 1.
    pub bar: f64,
    /// The best move.
    pub best: Option<String>,
    /// The line of best play.
    pub pv: Vec<String>,
    /// The player of each move of `pv`.
    pub pv_players: Vec<Who>,
    /// Every legal move, or the best of very many.
    pub moves: Vec<MoveInfo>,
}

/// How far the proof of a position has come. Bounds are for the player to move.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Outlook {
    /// The final margin is at least this.
    pub lower: i32,
    /// The final margin is at most this.
    pub upper: i32,
    /// How many of `moves` are proven.
    pub proven: usize,
    /// The legal moves that the proof tells apart, or 0.
    pub moves: usize,
    /// How long the rest is likely to take, at least and at most; null if that is not known.
    pub seconds: Option<[u64; 2]>,
    /// The tablebase that has to be built first; null if none is being built.
    pub table: Option<TableUnderWay>,
}

/// How much of a tablebase has been built.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct TableUnderWay {
    /// The seeds that it covers.
    pub seeds: usize,
    /// How much of it is done.
    pub percent: u8,
}

/// What is known of a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveInfo {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth to the player who makes it.
    #[serde(flatten)]
    pub value: Figure,
    /// It has been searched to at least this depth.
    pub depth: u32,
}

/// An opponent's move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reply {
    /// The id of the request.
    pub id: u64,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the opponent thinks it is worth, for the opponent; null if it does not say.
    pub value: Option<f64>,
    /// The unit of `value`.
    pub unit: Unit,
    /// Whether `value` is exact.
    pub proven: bool,
    /// The depth that it searched to.
    pub depth: u32,
    /// The nodes that it searched.
    pub nodes: u64,
    /// The time since it was asked.
    pub time_ms: u64,
    /// The position after the move.
    pub state: State,
}

/// A good move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Hint {
    /// The id of the request.
    pub id: u64,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth to the player who makes it.
    #[serde(flatten)]
    pub value: Figure,
    /// What it does.
    pub steps: Vec<Step>,
    /// The line of best play.
    pub pv: Vec<String>,
}

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Judged {
    /// Nothing was given away.
    Best,
    /// A little was given away.
    Inaccuracy,
    /// Much was given away.
    Mistake,
    /// Very much was given away.
    Blunder,
}

/// A move that has been judged. Values are for the player who made it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reviewed {
    /// The id of the request.
    pub id: u64,
    /// The move's place in the line, from 0.
    pub ply: usize,
    /// Who made it.
    pub player: Who,
    /// How good it was.
    pub judgement: Judged,
    /// The move.
    pub played: MoveWorth,
    /// The best move; the played one, if none is better.
    pub best: MoveWorth,
    /// What was given away, never negative.
    pub loss: Figure,
    /// Player 0's prospects before the move.
    pub bar: f64,
}

/// A move and what it is worth to the player who makes it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveWorth {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth.
    #[serde(flatten)]
    pub value: Figure,
}

/// A whole game that has been judged.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reviewing {
    /// The id of the request.
    pub id: u64,
    /// The number of moves.
    pub plies: usize,
    /// How player 0 and player 1 did.
    pub players: Vec<PlayerReview>,
    /// The moves where the game turned, as places in the line.
    pub turning_points: Vec<usize>,
    /// Player 0's prospects in every position.
    pub bars: Vec<f64>,
}

/// How a player did.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerReview {
    /// The player.
    pub player: Who,
    /// The number of best moves.
    pub best: usize,
    /// The number of inaccuracies.
    pub inaccuracy: usize,
    /// The number of mistakes.
    pub mistake: usize,
    /// The number of blunders.
    pub blunder: usize,
    /// All that was given away.
    pub loss: f64,
    /// The average over the moves where there was a choice, 0 to 1: a move that gives nothing away counts 1, and every 4 seeds
    /// given away halve that, or every quarter of the result where seeds are not counted.
    pub accuracy: f64,
}
