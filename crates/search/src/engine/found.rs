//! Values of a search: what they are worth, whether they are proven, and what the moves of a node add up to.

use crate::table::{Bound, NO_MOVE};

/// Less than every value.
pub(super) const LOWEST: i32 = -1_000_000_000;

/// A value, and whether it holds for the whole rest of the game rather than to some depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) value: i32,
    pub(super) complete: bool,
}

impl Found {
    /// What is known before a search, and what one that had to give up returns.
    pub(super) const NOTHING: Found = Found {
        value: 0,
        complete: false,
    };

    /// A value, or a bound, that holds for the rest of the game.
    #[inline]
    pub(super) fn proven(value: i32) -> Self {
        Found {
            value,
            complete: true,
        }
    }

    /// The same as the other player sees it.
    #[inline]
    pub(super) fn negated(self) -> Self {
        Found {
            value: -self.value,
            ..self
        }
    }
}

/// What the moves of a node have brought so far.
pub(super) struct Tally {
    first_alpha: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) best: Found,
    pub(super) best_number: u16,
}

impl Tally {
    #[inline]
    pub(super) fn new(alpha: i32, beta: i32) -> Self {
        Tally {
            first_alpha: alpha,
            alpha,
            beta,
            best: Found {
                value: LOWEST,
                complete: true,
            },
            best_number: NO_MOVE,
        }
    }

    /// Adds a move's value and says whether it refutes the node.
    #[inline]
    pub(super) fn add(&mut self, found: Found, number: u16) -> bool {
        if found.value > self.best.value {
            self.best.value = found.value;
            self.best_number = number;
        }
        self.alpha = self.alpha.max(found.value);
        if self.alpha >= self.beta {
            // One move is enough to refute: only its own evidence counts.
            self.best.complete = found.complete;
            return true;
        }
        self.best.complete &= found.complete;
        false
    }

    /// Says whether moves were left out. Unless the node is refuted all the same, its value is then no proof.
    #[inline]
    pub(super) fn leave_out(&mut self, skipped: bool) {
        if skipped && !self.is_cut() {
            self.best.complete = false;
        }
    }

    #[inline]
    fn is_cut(&self) -> bool {
        self.alpha >= self.beta
    }

    #[inline]
    pub(super) fn bound(&self) -> Bound {
        if self.is_cut() {
            Bound::Lower
        } else if self.alpha > self.first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}
