//! Scores as clients get them: numbers with their units.

use kalahari_games::{GameKind, Player};
use kalahari_study::Loss;
use kalahari_terms::{Score, Worth};
use serde::Serialize;
use utoipa::ToSchema;

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Kalah: seeds of the final margin.
    Seeds,
    /// `trail` Isolation: cells of the final margin.
    Cells,
    /// Who wins: 1, 0 or -1.
    Result,
    /// An evaluation, which says little about the margin.
    Points,
    /// A share of wins, from 0 to 1.
    WinShare,
}

impl Unit {
    /// The unit of a final margin.
    const fn of_margin(game: GameKind) -> Self {
        match game {
            GameKind::Kalah => Unit::Seeds,
            GameKind::Isolation => Unit::Cells,
        }
    }
}

/// A score as a client gets it, for the player to move. This is the only place where scores become numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Figure {
    /// How much, without needless digits: `3`, `3.5`.
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
    /// Whether it is exact.
    pub proven: bool,
}

impl Figure {
    /// A score, for the player who sees it.
    pub fn new(score: Score, game: GameKind) -> Self {
        let unit = match score.worth() {
            Worth::Margin(_) => Unit::of_margin(game),
            Worth::Result(_) => Unit::Result,
            Worth::Seeds(_) => Unit::Seeds,
            Worth::Cells(_) | Worth::Points(_) => Unit::Points,
            Worth::Share(_) => Unit::WinShare,
        };
        Figure {
            value: match unit {
                Unit::WinShare => (score.amount() * 1e3).round() / 1e3,
                _ => rounded(score.amount()),
            },
            unit,
            proven: score.is_proven(),
        }
    }

    /// What a move gave away.
    pub fn of_loss(loss: Loss, proven: bool, game: GameKind) -> Self {
        Figure {
            value: rounded(loss.amount()),
            unit: match loss {
                Loss::Margin(_) => Unit::of_margin(game),
                Loss::Points(_) => Unit::Points,
                Loss::Result(_) => Unit::Result,
            },
            proven,
        }
    }
}

/// A number without needless digits: `3`, `3.5`.
pub(crate) fn rounded(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * 10.0).round() / 10.0 + 0.0
}

/// Player 0's prospects, from -1 to 1.
pub(crate) fn bar(score: Score) -> f64 {
    score.seen_by(Player::First).prospect() + 0.0
}

/// A mark on the axis of bars.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct AxisMark {
    /// An estimated lead, in seeds, cells or points.
    pub lead: f64,
    /// Its bar.
    pub bar: f64,
}

/// The marks of an axis of bars above its middle; below it they are the same.
pub(crate) fn axis() -> Vec<AxisMark> {
    let mark = |lead| AxisMark {
        lead,
        bar: bar(Score::estimate(Player::First, Worth::Seeds(lead))),
    };
    [4.0, 10.0].map(mark).to_vec()
}
