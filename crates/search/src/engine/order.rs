//! Which move to try first.

use crate::Searchable;
use crate::table::Place;

/// A move on the list of a node.
#[derive(Debug)]
pub(super) struct Candidate<G: Searchable> {
    /// Its number in the game's own list of moves.
    pub(super) number: u16,
    pub(super) mv: G::Move,
    pub(super) child: G::Position,
    /// The child's place in the table, if it was worth computing.
    pub(super) place: Option<Place>,
    /// The same player moves again.
    pub(super) again: bool,
    pub(super) score: i32,
}

impl<G: Searchable> Clone for Candidate<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Searchable> Copy for Candidate<G> {}

/// Brings the best of `candidates[from..]` to `from`.
#[inline]
pub(super) fn pick<G: Searchable>(candidates: &mut [Candidate<G>], from: usize) {
    let mut best = from;
    for i in from + 1..candidates.len() {
        if candidates[i].score > candidates[best].score {
            best = i;
        }
    }
    if best != from {
        candidates.swap(from, best);
    }
}
