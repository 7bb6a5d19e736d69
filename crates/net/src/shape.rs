//! How large a net is, and which positions it is for.

use kalahari_games::kalah::{Board, CaptureRule, KalahSpec, MAX_PITS, MAX_TOTAL, Side};
use std::fmt;

/// A pit's content is one of this many values; the last one stands for all larger contents.
pub const CONTENTS: usize = 32;

/// There are this many rows of output weights; the seeds in play choose the row.
pub const BUCKETS: usize = 20;

/// This many hidden units are computed at a time.
pub const LANES: usize = 32;

/// The most hidden units.
pub const MAX_HIDDEN: usize = 512;

/// What a seed is worth in the values of a net.
pub const POINT: i32 = 100;

/// The size of a net and the games it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pits: usize,
    rule: CaptureRule,
    seeds: u32,
    hidden: usize,
}

impl Shape {
    /// A net for boards of `pits` pits a side with up to `seeds` seeds in all, with `hidden` hidden units.
    /// `None` if there is no such board, or if there are no hidden units or too many.
    pub fn new(pits: usize, rule: CaptureRule, seeds: u32, hidden: usize) -> Option<Self> {
        let fits = (1..=MAX_PITS).contains(&pits)
            && (1..=MAX_TOTAL).contains(&seeds)
            && (1..=MAX_HIDDEN).contains(&hidden);
        fits.then_some(Shape {
            pits,
            rule,
            seeds,
            hidden,
        })
    }

    /// Pits a side.
    #[inline]
    pub const fn pits(self) -> usize {
        self.pits
    }

    /// The capture rule.
    pub const fn rule(self) -> CaptureRule {
        self.rule
    }

    /// The most seeds of a game it knows.
    pub const fn seeds(self) -> u32 {
        self.seeds
    }

    /// Hidden units.
    pub const fn hidden(self) -> usize {
        self.hidden
    }

    /// The pits of both sides.
    #[inline]
    pub const fn inputs(self) -> usize {
        2 * self.pits
    }

    /// Rows: one for each content of each pit.
    pub const fn rows(self) -> usize {
        self.inputs() * CONTENTS
    }

    /// Groups of [`LANES`] hidden units; the last one may have unused ones.
    pub const fn groups(self) -> usize {
        self.hidden.div_ceil(LANES)
    }

    /// Whether the net was made for positions of a game.
    pub fn fits(self, game: KalahSpec) -> bool {
        game.pits() == self.pits && game.rule() == self.rule && game.total() <= self.seeds
    }
}

/// The content of every pit as its place among [`CONTENTS`]: the mover's pits, then the opponent's. Whatever follows the
/// last pit does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places(pub [[u8; 16]; 2]);

impl Places {
    /// Of a board.
    #[inline]
    pub fn of<B: Board>(board: &B) -> Self {
        const MOST: u8 = CONTENTS as u8 - 1;
        Places([Side::Mover, Side::Opponent].map(|side| board.capped_pits(side, MOST)))
    }
}

/// The buckets of all numbers of seeds.
const BUCKET_OF: [u8; MAX_TOTAL as usize + 1] = {
    let mut buckets = [0; MAX_TOTAL as usize + 1];
    let mut seeds = 0;
    while seeds < buckets.len() {
        let root = seeds.isqrt();
        buckets[seeds] = if root < BUCKETS { root } else { BUCKETS - 1 } as u8;
        seeds += 1;
    }
    buckets
};

/// Which weights are used with this many seeds in play: the square root, rounded down, but at most the last bucket. So
/// buckets grow wider with more seeds.
#[inline]
pub fn bucket(seeds: u32) -> usize {
    let last = MAX_TOTAL as usize;
    usize::from(BUCKET_OF[(seeds as usize).min(last)]).min(BUCKETS - 1)
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape {
            pits, rule, seeds, ..
        } = self;
        write!(f, "{pits} pits, {rule}, up to {seeds} seeds")
    }
}
