//! Proven bounds of a value.

/// What is proven about the value of a position: its final margin, or its result (+1, 0 or -1) where the rules count no
/// points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
}

impl Bounds {
    /// The bounds of a value that is known.
    pub const fn of(value: i32) -> Self {
        Bounds {
            lower: value,
            upper: value,
        }
    }

    /// The value, if it is known.
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// What both together say about the same value.
    #[must_use]
    pub fn and(self, other: Bounds) -> Self {
        Bounds {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }

    /// The same seen by the other player.
    #[must_use]
    pub fn turned(self) -> Self {
        Bounds {
            lower: -self.upper,
            upper: -self.lower,
        }
    }

    /// The same bounds raised by `more`.
    #[must_use]
    pub fn plus(self, more: i32) -> Self {
        Bounds {
            lower: self.lower + more,
            upper: self.upper + more,
        }
    }
}
