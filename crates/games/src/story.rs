//! The story of a move: what happens on the board, one thing after the other, for people to watch.
//!
//! [`Game::story`](crate::Game::story) tells it. Doing the steps one by one on the board before the move
//! gives the board after it.

use crate::Player;
use crate::isolation::Cell;
use std::fmt::{self, Display};

/// One thing that happens in a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The mover takes all seeds out of one of their pits.
    Lift {
        /// The mover.
        player: Player,
        /// The mover's pit, in sowing order.
        pit: usize,
        /// How many seeds it held.
        seeds: u32,
    },
    /// One seed falls into a house.
    Sow {
        /// Where it falls.
        house: House,
        /// What the house holds after that.
        now: u32,
    },
    /// The last seed captures: the mover banks what these pits hold.
    Capture {
        /// The mover.
        player: Player,
        /// The pits that held seeds: the mover's first, then the opposite one.
        from: Vec<Taken>,
    },
    /// A side is empty, so the game is over and the owner of the other one banks what is left there.
    Sweep {
        /// Who banks.
        player: Player,
        /// The pits that held seeds.
        from: Vec<Taken>,
    },
    /// The same player moves again. Left out when the game is over.
    Again {
        /// The mover.
        player: Player,
    },
    /// A piece goes to a cell.
    Go {
        /// The mover.
        player: Player,
        /// Where it stood; `None` if it is placed.
        from: Option<Cell>,
        /// Where it stands after that.
        to: Cell,
    },
    /// The cell just left is blocked forever.
    Block {
        /// The cell.
        cell: Cell,
    },
    /// A free cell is removed.
    Remove {
        /// The cell.
        cell: Cell,
    },
    /// The mover has nowhere to go.
    Pass {
        /// The mover.
        player: Player,
    },
}

/// A pit or a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct House {
    /// Whose it is.
    pub player: Player,
    /// The pit in its owner's sowing order; `None` is the store.
    pub pit: Option<usize>,
}

/// Seeds taken from a pit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Taken {
    /// Whose pit it is.
    pub player: Player,
    /// The pit in its owner's sowing order.
    pub pit: usize,
    /// How many seeds it held, at least one.
    pub seeds: u32,
}

/// All seeds of some pits.
pub fn seeds_of(from: &[Taken]) -> u32 {
    from.iter().map(|taken| taken.seeds).sum()
}

/// A story in words: a sentence or two, such as "Player 0 sows 4 seeds from pit 2. The last one falls into
/// the store: another turn."
pub fn in_words(story: &[Step]) -> String {
    story
        .iter()
        .filter_map(sentence)
        .collect::<Vec<_>>()
        .join(" ")
}

fn sentence(step: &Step) -> Option<String> {
    Some(match step {
        Step::Lift { player, pit, seeds } => {
            format!("Player {player} sows {} from pit {pit}.", Seeds(*seeds))
        }
        Step::Sow { .. } => return None,
        Step::Capture { player, from } => {
            format!("Player {player} captures {}.", Seeds(seeds_of(from)))
        }
        Step::Sweep { player, from } => format!(
            "The other side is empty: player {player} banks the last {}.",
            Seeds(seeds_of(from))
        ),
        Step::Again { .. } => "The last one falls into the store: another turn.".to_owned(),
        Step::Go {
            player,
            from: None,
            to,
        } => format!("Player {player} begins on {to}."),
        Step::Go {
            player,
            from: Some(from),
            to,
        } => format!("Player {player} goes from {from} to {to}."),
        Step::Block { .. } => return None,
        Step::Remove { cell } => format!("{cell} is removed."),
        Step::Pass { player } => format!("Player {player} is stuck and passes."),
    })
}

/// A number of seeds, in words.
struct Seeds(u32);

impl Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 seed"),
            seeds => write!(f, "{seeds} seeds"),
        }
    }
}
