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
    /// Needed by everything but `stop`.
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
    /// Every move of the line judged.
    Review,
    /// Everything that happens in a room, until it is stopped.
    Watch,
    /// The end of something asked for before.
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

/// What is heard.
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
    /// What there is in a room that is watched.
    Room(Box<RoomNews>),
    /// Nothing more comes.
    Done(Done),
    /// What was asked for is refused.
    Error(Box<Refused>),
}

impl Say {
    /// What is said of something that is refused.
    pub fn refusal(id: Option<u64>, problem: Problem) -> Self {
        Say::Error(Box::new(Refused { id, problem }))
    }

    /// What is said at the end.
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
    /// The request's.
    pub id: u64,
    /// The room.
    #[serde(flatten)]
    pub view: RoomView,
}

/// The end of a request.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Done {
    /// The request's.
    pub id: u64,
    /// Why it is over.
    pub reason: Reason,
}

/// A request that is refused.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Refused {
    /// null if the frame had none that could be read.
    pub id: Option<u64>,
    /// What is wrong.
    #[serde(flatten)]
    pub problem: Problem,
}

/// Why a request is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// It has found what there is to find.
    Finished,
    /// The client asked.
    Stopped,
    /// The client asked for something else.
    Replaced,
    /// The time or the depth is used up.
    Limit,
}

/// What an analysis knows so far. Values are for the player to move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Info {
    /// The request's.
    pub id: u64,
    /// The last depth that was finished.
    pub depth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes a second while it had its turn.
    pub nps: u64,
    /// Since it was asked.
    pub time_ms: u64,
    /// What the position is worth.
    #[serde(flatten)]
    pub value: Figure,
    /// How far a proof is; null where none is under way.
    pub outlook: Option<Outlook>,
    /// Player 0's prospects, from -1 to 1.
    pub bar: f64,
    /// The best move.
    pub best: Option<String>,
    /// The line of best play.
    pub pv: Vec<String>,
    /// Whose move each of `pv` is.
    pub pv_players: Vec<Who>,
    /// Every legal move, or the best of very many.
    pub moves: Vec<MoveInfo>,
}

/// How far the proof of a position is. Bounds are for the player to move.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Outlook {
    /// The final margin is at least this.
    pub lower: i32,
    /// And at most this.
    pub upper: i32,
    /// How many of `moves` are proven.
    pub proven: usize,
    /// The legal moves that the proof tells apart, or 0.
    pub moves: usize,
    /// How long the rest is likely to take, at least and at most; null if that is not known.
    pub seconds: Option<[u64; 2]>,
    /// The tablebase that has to be there first, while it is built.
    pub table: Option<TableUnderWay>,
}

/// How far a tablebase in the making is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct TableUnderWay {
    /// Its seeds.
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
    /// It has been looked at to this depth, at least.
    pub depth: u32,
}

/// An opponent's move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reply {
    /// The request's.
    pub id: u64,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the opponent thinks it is worth, for the opponent; null if it does not say.
    pub value: Option<f64>,
    /// What `value` counts.
    pub unit: Unit,
    /// Whether `value` is exact.
    pub proven: bool,
    /// How deep it has looked.
    pub depth: u32,
    /// Nodes it has looked at.
    pub nodes: u64,
    /// Since it was asked.
    pub time_ms: u64,
    /// The position after the move.
    pub state: State,
}

/// A good move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Hint {
    /// The request's.
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
    /// A little was.
    Inaccuracy,
    /// Much was.
    Mistake,
    /// Very much was.
    Blunder,
}

/// A move that has been judged. Values are the mover's.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reviewed {
    /// The request's.
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
    /// The request's.
    pub id: u64,
    /// How many moves.
    pub plies: usize,
    /// How player 0 and player 1 did.
    pub players: Vec<PlayerReview>,
    /// The moves where the game turned, by their places in the line.
    pub turning_points: Vec<usize>,
    /// Player 0's prospects in every position.
    pub bars: Vec<f64>,
}

/// How a player did.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerReview {
    /// Who.
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
    /// How good the moves were that were a choice, 0 to 1: a move that gives nothing away counts 1, and half as much with every
    /// 4 seeds given away, or with every quarter of the result where seeds are not counted.
    pub accuracy: f64,
}
