//! A position as the page shows it.

use kalahari_games::Player;
use kalahari_games::story;
use serde::Serialize;
use utoipa::ToSchema;

/// A position of a line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct State {
    /// How many moves of the line led here.
    pub(crate) ply: usize,
    /// The position's text.
    pub(crate) position: String,
    /// Who is to move, 0 or 1.
    pub(crate) to_move: usize,
    pub(crate) board: Board,
    /// The legal moves; none when the game is over.
    pub(crate) legal: Vec<Legal>,
    /// In `classic` only: the cells that may be removed after a step.
    pub(crate) removable: Option<Vec<String>>,
    pub(crate) over: bool,
    pub(crate) result: Option<GameResult>,
    /// The move that led here.
    pub(crate) last: Option<LastMove>,
}

/// What is on the board.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Board {
    Kalah {
        /// The pits of player 0 and of player 1, each in its owner's sowing order.
        pits: [Vec<u16>; 2],
        stores: [u16; 2],
    },
    Isolation {
        rows: usize,
        cols: usize,
        rule: &'static str,
        /// A character for each cell, first row first.
        cells: String,
        /// The cells of the two pieces; null before they are placed.
        pieces: [Option<String>; 2],
        /// How many cells each player has visited.
        visited: [usize; 2],
    },
}

/// A legal move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Legal {
    /// The move's text; null in `classic`, where a removed cell has to be added.
    #[serde(rename = "move")]
    pub(crate) mv: Option<String>,
    pub(crate) words: String,
    /// Kalah: the own pit.
    pub(crate) pit: Option<usize>,
    /// Isolation: the cell to go to.
    pub(crate) to: Option<String>,
    /// Whether the same player moves again.
    pub(crate) extra_turn: bool,
    /// How many seeds it captures.
    pub(crate) captures: u32,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameResult {
    /// 0 or 1; null is a draw.
    pub(crate) winner: Option<usize>,
    /// Player 0's margin.
    pub(crate) margin: i32,
    pub(crate) words: String,
}

/// The move that led to a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LastMove {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) player: usize,
    pub(crate) words: String,
    /// Whether the same player moves again.
    pub(crate) again: bool,
    pub(crate) captured: u32,
    pub(crate) steps: Vec<Step>,
}

/// One thing that happened in a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "t", rename_all = "lowercase")]
pub(crate) enum Step {
    Lift {
        player: usize,
        pit: usize,
        seeds: u32,
    },
    Sow {
        player: usize,
        /// null is the store.
        pit: Option<usize>,
        now: u32,
    },
    Capture {
        player: usize,
        seeds: u32,
        from: Vec<Taken>,
    },
    Sweep {
        player: usize,
        seeds: u32,
        from: Vec<Taken>,
    },
    Again {
        player: usize,
    },
    #[serde(rename = "step")]
    Go {
        player: usize,
        /// null if the piece is placed.
        from: Option<String>,
        to: String,
    },
    Block {
        cell: String,
    },
    Remove {
        cell: String,
    },
    Pass {
        player: usize,
    },
}

/// Seeds taken from a pit.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Taken {
    player: usize,
    pit: usize,
    seeds: u32,
}

fn all_taken(from: &[story::Taken]) -> Vec<Taken> {
    from.iter()
        .map(|taken| Taken {
            player: taken.player.index(),
            pit: taken.pit,
            seeds: taken.seeds,
        })
        .collect()
}

impl From<&story::Step> for Step {
    fn from(step: &story::Step) -> Self {
        let number = |player: &Player| player.index();
        match step {
            story::Step::Lift { player, pit, seeds } => Step::Lift {
                player: number(player),
                pit: *pit,
                seeds: *seeds,
            },
            story::Step::Sow { house, now } => Step::Sow {
                player: house.player.index(),
                pit: house.pit,
                now: *now,
            },
            story::Step::Capture { player, from } => Step::Capture {
                player: number(player),
                seeds: story::seeds_of(from),
                from: all_taken(from),
            },
            story::Step::Sweep { player, from } => Step::Sweep {
                player: number(player),
                seeds: story::seeds_of(from),
                from: all_taken(from),
            },
            story::Step::Again { player } => Step::Again {
                player: number(player),
            },
            story::Step::Go { player, from, to } => Step::Go {
                player: number(player),
                from: from.map(|cell| cell.to_string()),
                to: to.to_string(),
            },
            story::Step::Block { cell } => Step::Block {
                cell: cell.to_string(),
            },
            story::Step::Remove { cell } => Step::Remove {
                cell: cell.to_string(),
            },
            story::Step::Pass { player } => Step::Pass {
                player: number(player),
            },
        }
    }
}
