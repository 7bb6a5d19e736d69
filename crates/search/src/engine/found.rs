//! Values of a search: how they are combined over the moves of a node, and whether they are proven.

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
    /// The value before a search, and that of a search that had to give up.
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

/// The result of the moves of a node searched so far.
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

    /// Adds a move's value and says whether it is a beta cutoff.
    #[inline]
    pub(super) fn add(&mut self, found: Found, number: u16) -> bool {
        if found.value > self.best.value {
            self.best.value = found.value;
            self.best_number = number;
        }
        self.alpha = self.alpha.max(found.value);
        if self.alpha >= self.beta {
            // One move is enough for a cutoff, so only its own value has to be proven.
            self.best.complete = found.complete;
            return true;
        }
        self.best.complete &= found.complete;
        false
    }

    /// Says whether moves were left out. If so, the node's value is not proven, unless there was a cutoff.
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
