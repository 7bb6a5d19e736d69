//! Cuts by shallower searches (ProbCut): if the value of a search a few plies shallower is far outside the window, the deep
//! one is assumed to be outside, too.
//!
//! How far apart the two usually are is a property of the evaluation ([`Scale::stray`](crate::eval::Scale::stray)). A cut is
//! a guess and not a proof, so no value above it is complete: proofs need another source, or these cuts switched off.

use super::found::Found;
use super::search::Searcher;
use crate::Searchable;
use crate::eval::Evaluation;
use crate::table::{Bound, Entry, NO_MOVE, Place};

/// With fewer plies to go, searching is cheaper than guessing.
const LEAST_DEPTH: i32 = 6;
/// This many plies shallower; even, so that the same player has the last move.
const LESS_DEEP: i32 = 4;

impl<G: Searchable, E: Evaluation<G>> Searcher<'_, G, E> {
    /// The value of a position within a null window, if a shallower search makes it all but certain. `banked` is the part of
    /// the value that the table leaves out.
    #[inline]
    pub(super) fn by_shallower(
        &mut self,
        position: &G::Position,
        place: Place,
        depth: i32,
        (alpha, beta): (i32, i32),
        again: bool,
        banked: i32,
    ) -> Option<Found> {
        let stray = self.scale.stray;
        if !self.techniques.probcut || stray == 0 || depth < LEAST_DEPTH || beta - alpha > 1 {
            return None;
        }
        // Only positions that look decided are worth the attempt.
        let glance = self.eval.evaluate(self.game, position, again);
        let (goal, bound) = if glance >= beta + stray / 2 {
            (beta + stray, Bound::Lower)
        } else if glance <= alpha - stray / 2 {
            (alpha - stray, Bound::Upper)
        } else {
            return None;
        };
        let (low, high) = match bound {
            Bound::Upper => (goal, goal + 1),
            Bound::Lower | Bound::Exact => (goal - 1, goal),
        };
        let found = self.value(position, Some(place), depth - LESS_DEEP, low, high, again);
        if self.budget.is_spent() {
            return Some(Found::NOTHING);
        }
        let is_cut = match bound {
            Bound::Upper => found.value <= low,
            Bound::Lower | Bound::Exact => found.value >= high,
        };
        if !is_cut || found.complete {
            return is_cut.then_some(found);
        }
        let value = match bound {
            Bound::Upper => alpha,
            Bound::Lower | Bound::Exact => beta,
        };
        let entry = Entry {
            value: value - banked,
            depth: depth as u8,
            bound,
            complete: false,
            best: self.table.get(place).map_or(NO_MOVE, |entry| entry.best),
        };
        self.table.put(place, entry, self.age);
        Some(Found {
            value,
            complete: false,
        })
    }
}
