//! How the transposition table keeps positions, and what can be read out of it again.
//!
//! Turns and reflections of a position share one entry, kept as that of the folded position. The best move of an entry is a
//! place in the list of *that* position's moves; it is translated on its way in and out.

use super::search::Searcher;
use crate::Searchable;
use crate::eval::Evaluation;
use crate::table::NO_MOVE;

impl<G: Searchable, E: Evaluation<G>> Searcher<'_, G, E> {
    /// The code under which a position stands in the table.
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

    /// The position under which the table keeps one, if that is another, and the symmetry that leads to it.
    #[inline]
    fn fold(&self, position: &G::Position) -> Option<(G::Position, usize)> {
        match self.scale.is_symmetric {
            true => self.game.fold(position),
            false => None,
        }
    }

    /// The place of a move in the list of the folded position's moves, which the table keeps.
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

    /// The place in the list of a position's moves of one that the table keeps.
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

    /// The line of best play that the table knows, beginning with `first`.
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
