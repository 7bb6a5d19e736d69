//! What a search found.

use crate::Searchable;
use std::time::Duration;

/// What a value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// The proven final margin.
    Margin,
    /// A proven win (+1), draw (0) or loss (-1).
    Result,
    /// An evaluation, in its own units.
    Eval,
    /// An estimated share of wins, 0 to 1.
    WinShare,
}

impl Unit {
    /// The unit of proven values of a game.
    pub fn of_proof<G: Searchable>(game: &G) -> Self {
        match game.has_margins() {
            true => Unit::Margin,
            false => Unit::Result,
        }
    }

    /// The unit's name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Margin => "margin",
            Unit::Result => "result",
            Unit::Eval => "eval",
            Unit::WinShare => "winshare",
        }
    }
}

/// What a search has found so far. Values are as the player to move at the root sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The best move; `None` only when the game is over or the player has failed.
    pub best: Option<M>,
    /// What the position is worth.
    pub value: f64,
    /// What values count.
    pub unit: Unit,
    /// The line of best play, beginning with `best`; at least that move.
    pub line: Vec<M>,
    /// The value of every legal move, where the search was asked for them; otherwise empty.
    pub moves: Vec<(M, f64)>,
    /// The last depth that was finished, in plies.
    pub depth: u32,
    /// Nodes searched or playouts made.
    pub nodes: u64,
    /// The time it took.
    pub elapsed: Duration,
    /// Whether `value` is the truth rather than an estimate.
    pub proven: bool,
}

impl<M> Report<M> {
    /// The report of a finished game: its result. `None` while the game goes on.
    pub fn of_finished<G: Searchable<Move = M>>(game: &G, position: &G::Position) -> Option<Self> {
        let outcome = game.outcome(position)?;
        Some(Report {
            best: None,
            value: f64::from(outcome.margin(game.to_move(position))),
            unit: Unit::of_proof(game),
            line: Vec::new(),
            moves: Vec::new(),
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            proven: true,
        })
    }

    /// Nodes a second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}
