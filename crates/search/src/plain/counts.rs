//! Node counts with and without pruning, as one of the courses counted them.
//!
//! Every call is a node, the root and leaves too. An extra turn costs 2 plies, any other move 1. Leaves
//! are finished games and nodes at the cutoff; their value is the difference of the stores.

use super::{PlainSearch, Pruning};
use crate::eval::Stores;
use kalahari_games::kalah::{Board, Kalah};
use kalahari_terms::{Budget, Limits, Stop};

/// The nodes of both searches and the value they agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeCounts {
    /// Nodes without pruning, unless that was left out.
    pub minimax: Option<u64>,
    /// Nodes with alpha-beta.
    pub alphabeta: u64,
    /// The store difference for the player to move.
    pub value: i32,
}

/// Counts the nodes of a position to a depth. `None` if `stop` was requested meanwhile.
pub fn count_nodes<B: Board>(
    game: &Kalah<B>,
    position: &B,
    depth: u32,
    with_minimax: bool,
    stop: &Stop,
) -> Option<NodeCounts> {
    let depth = i32::try_from(depth).unwrap_or(i32::MAX);
    let run = |pruning| {
        let budget = Budget::new(&Limits::NONE, stop);
        let mut search = PlainSearch::new(game, &Stores, pruning, 2, budget);
        let value = search.value(
            position,
            depth,
            super::search::LOWEST,
            -super::search::LOWEST,
            false,
        );
        (!search.budget.is_spent()).then_some((search.budget.nodes(), value))
    };
    let (alphabeta, value) = run(Pruning::AlphaBeta)?;
    let minimax = match with_minimax {
        true => Some(run(Pruning::None)?.0),
        false => None,
    };
    Some(NodeCounts {
        minimax,
        alphabeta,
        value,
    })
}
