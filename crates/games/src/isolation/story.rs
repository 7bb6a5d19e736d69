//! An Isolation move as a story: go, block or remove.

use crate::isolation::{Bits, Cell, Isolation, IsolationMove, IsolationPosition};
use crate::story::Step;

/// The story of a legal move.
pub(super) fn story<B: Bits>(
    game: &Isolation<B>,
    position: &IsolationPosition<B>,
    mv: IsolationMove,
) -> Vec<Step> {
    let player = position.player();
    let cols = game.isolation_spec().cols();
    let from = position
        .piece(player)
        .map(|at| Cell::new(at / cols, at % cols));
    let go = |to| Step::Go { player, from, to };
    match mv {
        IsolationMove::Pass => vec![Step::Pass { player }],
        IsolationMove::ToRemoving(to, cell) => vec![go(to), Step::Remove { cell }],
        IsolationMove::To(to) => {
            let left = from.map(|cell| Step::Block { cell });
            [go(to)].into_iter().chain(left).collect()
        }
    }
}
