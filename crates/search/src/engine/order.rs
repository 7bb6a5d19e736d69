//! Which move to try first.

use crate::table::Place;
use crate::{PROMISING, Searchable};

/// A move on the list of a node.
#[derive(Debug)]
pub(super) struct Candidate<G: Searchable> {
    /// Its number in the game's own list of moves.
    pub(super) number: u16,
    pub(super) mv: G::Move,
    pub(super) child: G::Position,
    /// The child's place in the table, where it was worth working out.
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

/// Cutoffs that moves have caused elsewhere in the tree, by number in the list of moves.
#[derive(Clone, Debug)]
pub(super) struct History {
    counts: Vec<i32>,
}

impl History {
    pub(super) fn new() -> Self {
        History {
            counts: vec![0; 2 * NUMBERS],
        }
    }

    #[inline]
    fn slot(second_player: bool, number: u16) -> usize {
        (usize::from(number) & (NUMBERS - 1)) | (usize::from(second_player) * NUMBERS)
    }

    #[inline]
    pub(super) fn score(&self, second_player: bool, number: u16) -> i32 {
        self.counts[Self::slot(second_player, number)]
    }

    /// A move has caused a cutoff with `depth` plies to go.
    #[inline]
    pub(super) fn reward(&mut self, second_player: bool, number: u16, depth: i32) {
        let count = &mut self.counts[Self::slot(second_player, number)];
        *count += depth * depth;
        if *count > PROMISING / 4 {
            self.counts.iter_mut().for_each(|count| *count /= 2);
        }
    }
}

/// Numbers beyond this many share their counts.
const NUMBERS: usize = 2_048;

/// Brings the best of `candidates[from..]` to `from`.
#[inline]
pub(super) fn pick<G: Searchable>(candidates: &mut [Candidate<G>], from: usize) {
    let mut best = from;
    for i in from + 1..candidates.len() {
        if candidates[i].score > candidates[best].score {
            best = i;
        }
    }
    candidates.swap(from, best);
}
