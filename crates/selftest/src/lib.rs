//! Known answers, made by independent programs or published by others, and the checks that compare this program
//! with them. The same checks run as tests and as `kalahari selftest`.
//!
//! ```
//! use kalahari_selftest::{Tools, Verdict, checks};
//!
//! let mut tools = Tools::new(1);
//! let first = checks().into_iter().next().expect("there are many");
//! let verdict = first.run(&mut tools, &kalahari_terms::Stop::new());
//! assert!(matches!(verdict, Verdict::Right));
//! ```

#![forbid(unsafe_code)]

mod answer;
mod difference;
mod known;
mod tools;

pub use difference::Difference;
pub use known::checks;
pub use tools::Tools;

use kalahari_exact::tablebase::TableSpec;
use kalahari_games::GameSpec;
use kalahari_games::kalah::{CaptureRule, Pit};
use serde::Deserialize;

/// A known answer that the program has to find.
#[derive(Clone, Debug)]
pub struct Check {
    part: Part,
    name: String,
    long: bool,
    question: Question,
}

/// What a check is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// How many sequences of moves there are.
    Rules,
    /// Values of positions and of all their moves.
    Positions,
    /// Values of whole games.
    Games,
    /// Tablebases, each position against its successors.
    Tablebases,
    /// The number of nodes that the engine takes for fixed work.
    Signature,
}

impl Part {
    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Rules => "rules",
            Part::Positions => "positions",
            Part::Games => "games",
            Part::Tablebases => "tablebases",
            Part::Signature => "signature",
        }
    }
}

/// What came of a check.
#[derive(Debug)]
pub enum Verdict {
    /// As it should be.
    Right,
    /// Not as it should be.
    Wrong(Difference),
    /// There was no time to finish.
    Stopped,
}

#[derive(Clone, Debug)]
enum Question {
    Perft {
        game: GameSpec,
        counts: Vec<u64>,
    },
    Positions {
        pits: usize,
        rule: CaptureRule,
        rows: Vec<ExactRow>,
    },
    /// The value of a game; in Kalah possibly after some moves in a row by the first player.
    Game {
        game: GameSpec,
        moves: Vec<Pit>,
        value: Value,
    },
    Tablebase {
        table: TableSpec,
        seeds: usize,
    },
    Signature {
        nodes: u64,
    },
}

/// What is known about a value, as the first player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Margin(i32),
    /// Only whether it is positive, zero or negative: 1, 0 or -1.
    Sign(i32),
}

/// A position whose value and moves are known.
#[derive(Clone, Debug, Deserialize)]
struct ExactRow {
    houses: Vec<u16>,
    player: usize,
    value: i32,
    moves: Vec<Option<i32>>,
}

impl Check {
    /// What the check is about.
    pub fn part(&self) -> Part {
        self.part
    }

    /// What is compared, in a few words.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it takes more than a few seconds.
    pub fn is_long(&self) -> bool {
        self.long
    }
}

/// The published figures as JSON, for callers that want to print them.
pub const PUBLISHED: &str = include_str!("../data/published.json");
