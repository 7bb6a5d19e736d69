//! What a position looks worth before any playout.

use crate::Glance;
use crate::eval::{Evaluation, Scale};
use kalahari_games::Player;

/// An evaluation, or a glance where there is none.
pub(super) struct Heuristic<'a, G, E> {
    pub(super) game: &'a G,
    eval: Option<(&'a E, Scale)>,
}

impl<'a, G: Glance, E: Evaluation<G>> Heuristic<'a, G, E> {
    pub(super) fn new(game: &'a G, eval: Option<&'a E>) -> Self {
        let eval = eval.map(|eval| (eval, eval.scale()));
        Heuristic { game, eval }
    }

    /// How well the mover stands, from 0 to 1, after a move of `last`, if there was one.
    #[inline]
    pub(super) fn share(&self, position: &G::Position, last: Option<Player>) -> f64 {
        match self.eval {
            None => self.game.share(position),
            Some((eval, scale)) => {
                let again = last == Some(self.game.to_move(position));
                scale.share(eval.evaluate(self.game, position, again))
            }
        }
    }
}
