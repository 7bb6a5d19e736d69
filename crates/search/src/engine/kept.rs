//! How the transposition table keeps positions, and what can be read out of it again.
//!
//! Rotations and reflections of a position share one entry, that of a canonical ("folded") position. The best move of an
//! entry is an index into the move list of *that* position; it is translated when it is stored and when it is read.

use super::search::Searcher;
use crate::Searchable;
use crate::eval::Evaluation;
use crate::table::NO_MOVE;

impl<G: Searchable, E: Evaluation<G>> Searcher<'_, G, E> {
    /// The code under which a position is stored in the table.
    #[inline]
    pub(super) fn key(&self, position: &G::Position, again: bool) -> u128 {
        let code = match self.fold(position) {
            Some((folded, _)) => self.game.code(&folded),
            None => self.game.code(position),
        };
        if self.scale.uses_again {
            (code << 1) | u128::from(again)
        } else {
            code
        }
    }

    /// The folded position under which the table stores a position, and the symmetry that leads to it; `None` if the position
    /// is stored as it is.
    #[inline]
    fn fold(&self, position: &G::Position) -> Option<(G::Position, usize)> {
        match self.scale.is_symmetric {
            true => self.game.fold(position),
            false => None,
        }
    }

    /// Translates a move's index for the table: into the move list of the folded position.
    pub(super) fn number_kept(&self, position: &G::Position, number: u16) -> u16 {
        let game = self.game;
        let Some((folded, symmetry)) = self.fold(position) else {
            return number;
        };
        let mv = game.moves(position).nth(number.into());
        let mv = mv.map(|mv| game.folded_move(mv, symmetry));
        let place = game.moves(&folded).position(|other| Some(other) == mv);
        place.map_or(NO_MOVE, |place| place as u16)
    }

    /// Translates the index of a move in the table back: into the move list of this position.
    pub(super) fn number_here(&self, position: &G::Position, kept: u16) -> u16 {
        let game = self.game;
        let Some((folded, symmetry)) = self.fold(position) else {
            return kept;
        };
        let wanted = game.moves(&folded).nth(kept.into());
        let place = game
            .moves(position)
            .position(|mv| Some(game.folded_move(mv, symmetry)) == wanted);
        place.map_or(NO_MOVE, |place| place as u16)
    }

    /// The principal variation that the table knows, beginning with `first`.
    pub(super) fn line(
        &self,
        position: &G::Position,
        first: G::Move,
        longest: usize,
    ) -> Vec<G::Move> {
        let game = self.game;
        let mut line = vec![first];
        let mut mover = game.to_move(position);
        let mut position = game.play_unchecked(position, first);
        while line.len() < longest && !game.is_over(&position) {
            let again = game.to_move(&position) == mover;
            mover = game.to_move(&position);
            let place = self.table.place(self.key(&position, again));
            let best = self.table.get(place).map_or(NO_MOVE, |entry| entry.best);
            let best = self.number_here(&position, best);
            let Some(mv) = game.moves(&position).nth(usize::from(best)) else {
                break;
            };
            line.push(mv);
            position = game.play_unchecked(&position, mv);
        }
        line
    }
}
