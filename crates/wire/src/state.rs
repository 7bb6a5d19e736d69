//! A position as the page shows it.

use crate::Who;
use kalahari_games::story;
use serde::Serialize;
use utoipa::ToSchema;

/// A position of a line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct State {
    /// How many moves of the line led here.
    pub ply: usize,
    /// The position's text.
    pub position: String,
    /// Who is to move.
    pub to_move: Who,
    /// What is on the board.
    pub board: Board,
    /// The legal moves; none when the game is over.
    pub legal: Vec<Legal>,
    /// In `classic` only: the cells that may be removed after a step.
    pub removable: Option<Vec<String>>,
    /// Whether the game is over.
    pub over: bool,
    /// How it ended, if it is over.
    pub result: Option<GameResult>,
    /// The move that led here.
    pub last: Option<LastMove>,
}

/// What is on the board.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Board {
    /// Pits and stores.
    Kalah {
        /// The pits of player 0 and of player 1, each in its owner's sowing order.
        #[schema(min_items = 2, max_items = 2)]
        pits: [Vec<u16>; 2],
        /// The stores of player 0 and of player 1.
        #[schema(min_items = 2, max_items = 2)]
        stores: [u16; 2],
    },
    /// Cells and two pieces.
    Isolation {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
        /// The rule's name.
        rule: &'static str,
        /// A character for each cell, first row first.
        cells: String,
        /// The cells of the two pieces; null before they are placed.
        #[schema(min_items = 2, max_items = 2)]
        pieces: [Option<String>; 2],
        /// How many cells each player has visited.
        #[schema(min_items = 2, max_items = 2)]
        visited: [usize; 2],
    },
}

/// A legal move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Legal {
    /// The move's text; null in `classic`, where a removed cell has to be added.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Kalah: the own pit.
    pub pit: Option<usize>,
    /// Isolation: the cell to go to.
    pub to: Option<String>,
    /// Whether the same player moves again.
    pub extra_turn: bool,
    /// How many seeds it captures.
    pub captures: u32,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameResult {
    /// null for a draw.
    pub winner: Option<Who>,
    /// Player 0's margin.
    pub margin: i32,
    /// Whether the margin is a number of seeds or cells; otherwise the loser had nowhere to go.
    pub counted: bool,
}

/// The move that led to a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LastMove {
    /// The move's text.
    #[serde(rename = "move")]
    pub mv: String,
    /// Who made it.
    pub player: Who,
    /// Whether the same player moves again.
    pub again: bool,
    /// How many seeds it captured.
    pub captured: u32,
    /// What happened, in order.
    pub steps: Vec<Step>,
}

/// One thing that happened in a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum Step {
    /// The mover takes all seeds of a pit.
    Lift {
        /// The mover.
        player: Who,
        /// The own pit.
        pit: usize,
        /// How many seeds it held.
        seeds: u32,
    },
    /// One seed falls into a house.
    Sow {
        /// Whose house it is.
        player: Who,
        /// null is the store.
        pit: Option<usize>,
        /// What the house holds after that.
        now: u32,
    },
    /// The mover banks these pits.
    Capture {
        /// The mover.
        player: Who,
        /// All of them.
        seeds: u32,
        /// The own pit first, then the opposite one.
        from: Vec<Taken>,
    },
    /// The game is over, and this player banks what is left.
    Sweep {
        /// Who banks.
        player: Who,
        /// All of them.
        seeds: u32,
        /// The pits that held seeds.
        from: Vec<Taken>,
    },
    /// The same player moves again.
    Again {
        /// The mover.
        player: Who,
    },
    /// A piece goes to a cell.
    #[serde(rename = "step")]
    Go {
        /// The mover.
        player: Who,
        /// null if the piece is placed.
        from: Option<String>,
        /// Where it stands after that.
        to: String,
    },
    /// The cell just left is blocked forever.
    Block {
        /// The cell.
        cell: String,
    },
    /// A free cell is removed.
    Remove {
        /// The cell.
        cell: String,
    },
    /// The mover has nowhere to go.
    Pass {
        /// The mover.
        player: Who,
    },
}

/// Seeds taken from a pit.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Taken {
    /// Whose pit it is.
    pub player: Who,
    /// The pit.
    pub pit: usize,
    /// How many.
    pub seeds: u32,
}

fn all_taken(from: &[story::Taken]) -> Vec<Taken> {
    let taken = |taken: &story::Taken| Taken {
        player: taken.player.into(),
        pit: taken.pit,
        seeds: taken.seeds,
    };
    from.iter().map(taken).collect()
}

impl From<&story::Step> for Step {
    fn from(step: &story::Step) -> Self {
        match step {
            story::Step::Lift { player, pit, seeds } => Step::Lift {
                player: (*player).into(),
                pit: *pit,
                seeds: *seeds,
            },
            story::Step::Sow { house, now } => Step::Sow {
                player: house.player.into(),
                pit: house.pit,
                now: *now,
            },
            story::Step::Capture { player, from } => Step::Capture {
                player: (*player).into(),
                seeds: story::seeds_of(from),
                from: all_taken(from),
            },
            story::Step::Sweep { player, from } => Step::Sweep {
                player: (*player).into(),
                seeds: story::seeds_of(from),
                from: all_taken(from),
            },
            story::Step::Again { player } => Step::Again {
                player: (*player).into(),
            },
            story::Step::Go { player, from, to } => Step::Go {
                player: (*player).into(),
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
                player: (*player).into(),
            },
        }
    }
}
