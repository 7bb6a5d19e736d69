//! Cuts by shallower searches (ProbCut): where a search a few plies shallower lies far outside the window, the deep one is
//! taken to lie outside, too.
//!
//! How far the two usually lie apart is a property of the evaluation ([`Scale::stray`](crate::eval::Scale::stray)). A cut is
//! a guess and no proof, so nothing above it is complete: whoever wants proofs needs somebody else for them, or leaves
//! these cuts out.

use super::found::Found;
use super::search::Searcher;
use crate::Searchable;
use crate::eval::Evaluation;
use crate::table::{Bound, Entry, NO_MOVE, Place};

/// With fewer plies to go, searching is cheaper than guessing.
const LEAST_DEPTH: i32 = 6;
/// So many plies shallower; even, so that the same player has the last move.
const LESS_DEEP: i32 = 4;

impl<G: Searchable, E: Evaluation<G>> Searcher<'_, G, E> {
    /// The value of a position within an empty window, if a shallower search makes it all but certain. `banked` is what the
    /// table leaves out of values.
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
        // Only what looks decided is worth the try.
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
