//! Sets of cells as machine words.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of up to [`CAPACITY`](Bits::CAPACITY) cells, one bit each.
pub trait Bits:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// How many cells there is room for.
    const CAPACITY: usize;
    /// No cells.
    const EMPTY: Self;

    /// The set of one cell. `index` is below the capacity.
    fn one(index: usize) -> Self;

    /// Whether the set has no cells.
    fn is_empty(self) -> bool;

    /// How many cells the set has.
    fn count(self) -> u32;

    /// The lowest cell of a set that is not empty.
    fn lowest(self) -> usize;

    /// The highest cell of a set that is not empty.
    fn highest(self) -> usize;

    /// The set without its lowest cell. The set is not empty.
    fn without_lowest(self) -> Self;

    /// Every cell's index raised by `by`, from 1 to 127 and below the capacity; cells that leave the room are dropped.
    fn raised(self, by: u32) -> Self;

    /// Every cell's index lowered by `by`, from 1 to 127 and below the capacity; cells that leave the room are dropped.
    fn lowered(self, by: u32) -> Self;

    /// The set as two numbers: cells 0 to 127 and the rest.
    fn halves(self) -> (u128, u128);

    /// Whether the set has a cell.
    #[inline]
    fn has(self, index: usize) -> bool {
        !(self & Self::one(index)).is_empty()
    }

    /// The cells of the set, lowest first.
    #[inline]
    fn ones(self) -> Ones<Self> {
        Ones(self)
    }
}

/// Goes through the cells of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Ones<B>(B);

impl<B: Bits> Iterator for Ones<B> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let index = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(index)
    }
}

macro_rules! word_bits {
    ($word:ty) => {
        impl Bits for $word {
            const CAPACITY: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;

            #[inline]
            fn one(index: usize) -> Self {
                1 << index
            }

            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn highest(self) -> usize {
                (Self::BITS - 1 - self.leading_zeros()) as usize
            }

            #[inline]
            fn without_lowest(self) -> Self {
                self & (self - 1)
            }

            #[inline]
            fn raised(self, by: u32) -> Self {
                self << by
            }

            #[inline]
            fn lowered(self, by: u32) -> Self {
                self >> by
            }

            #[inline]
            fn halves(self) -> (u128, u128) {
                (u128::from(self), 0)
            }
        }
    };
}

word_bits!(u64);
word_bits!(u128);

/// A set of up to 256 cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wide256 {
    low: u128,
    high: u128,
}

impl BitAnd for Wide256 {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Wide256 {
            low: self.low & other.low,
            high: self.high & other.high,
        }
    }
}

impl BitOr for Wide256 {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Wide256 {
            low: self.low | other.low,
            high: self.high | other.high,
        }
    }
}

impl BitXor for Wide256 {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Wide256 {
            low: self.low ^ other.low,
            high: self.high ^ other.high,
        }
    }
}

impl Not for Wide256 {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Wide256 {
            low: !self.low,
            high: !self.high,
        }
    }
}

impl Bits for Wide256 {
    const CAPACITY: usize = 256;
    const EMPTY: Self = Wide256 { low: 0, high: 0 };

    #[inline]
    fn one(index: usize) -> Self {
        match index.checked_sub(128) {
            None => Wide256 {
                low: 1 << index,
                high: 0,
            },
            Some(index) => Wide256 {
                low: 0,
                high: 1 << index,
            },
        }
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }

    #[inline]
    fn lowest(self) -> usize {
        if self.low != 0 {
            self.low.lowest()
        } else {
            128 + self.high.lowest()
        }
    }

    #[inline]
    fn highest(self) -> usize {
        if self.high != 0 {
            128 + self.high.highest()
        } else {
            self.low.highest()
        }
    }

    #[inline]
    fn without_lowest(mut self) -> Self {
        if self.low != 0 {
            self.low = self.low.without_lowest();
        } else {
            self.high = self.high.without_lowest();
        }
        self
    }

    #[inline]
    fn raised(self, by: u32) -> Self {
        Wide256 {
            low: self.low << by,
            high: (self.high << by) | (self.low >> (128 - by)),
        }
    }

    #[inline]
    fn lowered(self, by: u32) -> Self {
        Wide256 {
            low: (self.low >> by) | (self.high << (128 - by)),
            high: self.high >> by,
        }
    }

    #[inline]
    fn halves(self) -> (u128, u128) {
        (self.low, self.high)
    }
}
