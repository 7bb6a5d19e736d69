//! The phase of a game, by what is left to play for.

use kalahari_games::isolation::CellState;
use kalahari_games::{AnyGame, AnyPosition, Game, View};
use serde::Serialize;

/// A phase of a game, by the share of all seeds that are still in pits, or of all cells that are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// More than two thirds.
    Opening,
    /// More than one third.
    Middle,
    /// The rest.
    End,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::End];

    /// The name of the phase.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middle => "middle",
            Phase::End => "end",
        }
    }

    /// The phase of a position.
    pub fn of(game: &AnyGame, position: &AnyPosition) -> Self {
        let (left, all) = match game.view(position) {
            View::Kalah(setup) => {
                let pits = setup.pits();
                let stores = setup.houses[pits] + setup.houses[2 * pits + 1];
                let all = setup.total();
                (all - u32::from(stores), all)
            }
            View::Isolation(setup) => {
                let cells = || setup.rows.iter().flatten();
                let free = cells().filter(|cell| **cell == CellState::Free);
                (free.count() as u32, cells().count() as u32)
            }
        };
        match 3 * left {
            thirds if thirds > 2 * all => Phase::Opening,
            thirds if thirds > all => Phase::Middle,
            _ => Phase::End,
        }
    }
}
