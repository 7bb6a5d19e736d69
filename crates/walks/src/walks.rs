//! The longest walk of a piece that nobody disturbs.

use crate::blocks::Blocks;
use crate::memo::Memo;
use kalahari_games::isolation::{Bits, Isolation, IsolationRule};
use kalahari_terms::Charge;

/// Proven bounds of the length of a longest walk, in moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// There is a walk of this length.
    pub lower: u32,
    /// There is none longer than this.
    pub upper: u32,
}

impl Span {
    /// Whether the length is known.
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// How far apart the bounds are.
    pub fn gap(self) -> u32 {
        self.upper - self.lower
    }
}

/// Finds longest walks on the boards of one game, remembering what it has proven.
#[derive(Debug)]
pub struct Walks<B: Bits> {
    game: Isolation<B>,
    blocks: Blocks<B>,
    memo: Memo<B>,
}

/// The search was told to give up.
struct GaveUp;

/// One search under way.
struct Search<'a, B: Bits, C> {
    walks: &'a mut Walks<B>,
    charge: &'a mut C,
    /// Moves made on the walk under way, and on the longest walk tried.
    made: u32,
    longest: u32,
}

impl<B: Bits> Walks<B> {
    /// Walks on a game's board by its steps, slides or jumps.
    pub fn new(game: &Isolation<B>) -> Self {
        let spec = game.isolation_spec();
        let white = |cell: &usize| (cell / spec.cols() + cell % spec.cols()).is_multiple_of(2);
        let cells = (0..spec.cells()).filter(white);
        let white = cells.fold(B::EMPTY, |set, cell| set | B::one(cell));
        let changes_colour = match spec.rule() {
            IsolationRule::Trail | IsolationRule::Knight => true,
            IsolationRule::Classic | IsolationRule::Queen => false,
        };
        Walks {
            game: game.clone(),
            blocks: Blocks::new(changes_colour.then_some(white)),
            memo: Memo::new(),
        }
    }

    /// The free cells a piece can get to.
    pub fn region(&self, at: usize, free: B) -> B {
        let mut seen = B::EMPTY;
        let mut edge = self.game.spread(B::one(at), free);
        while !edge.is_empty() {
            seen = seen | edge;
            edge = self.game.spread(edge, free & !seen);
        }
        seen
    }

    /// Bounds of the longest walk over a [`region`](Self::region), without a search.
    pub fn quick(&mut self, at: usize, region: B) -> Span {
        if region.is_empty() {
            return Span { lower: 0, upper: 0 };
        }
        if let Some(span) = self.memo.get(at, region) {
            return span;
        }
        let span = Span {
            lower: self.greedy(at, region),
            upper: self.glance(at, region),
        };
        self.memo.put(at, region, span);
        span
    }

    /// An upper bound of the longest walk over a region: its cells, as far as their colours allow.
    #[inline]
    pub fn glance(&self, at: usize, region: B) -> u32 {
        self.blocks.by_colours(at, region)
    }

    /// A sharper upper bound than [`glance`](Self::glance), by blocks.
    pub fn bound(&mut self, at: usize, region: B) -> u32 {
        self.blocks.bound(&self.game, at, region)
    }

    /// The length of a walk that always goes to the cell with the fewest onward moves.
    fn greedy(&self, mut at: usize, mut region: B) -> u32 {
        let mut made = 0;
        loop {
            let steps = self.game.steps_from(at, region);
            let ways = |&cell: &usize| match self.game.steps_from(cell, region).count() {
                0 => u32::MAX,
                count => count,
            };
            let Some(next) = steps.ones().min_by_key(ways) else {
                return made;
            };
            region = region & !B::one(next);
            at = next;
            made += 1;
        }
    }

    /// Narrows the bounds of the longest walk over a region: by blocks if they are sharper, or else by a search
    /// that decides whether there is a walk as long as the upper bound.
    /// Every position is charged; when the account says to give up, `Err` has the bounds proven by then.
    pub fn narrow(
        &mut self,
        at: usize,
        region: B,
        span: Span,
        charge: &mut impl Charge,
    ) -> Result<Span, Span> {
        if span.is_exact() {
            return Ok(span);
        }
        let upper = self.blocks.bound(&self.game, at, region);
        if upper < span.upper {
            let narrowed = Span { upper, ..span };
            self.memo.put(at, region, narrowed);
            return Ok(narrowed);
        }
        let mut search = Search {
            walks: self,
            charge,
            made: 0,
            longest: span.lower,
        };
        let there_is = search.is_there(at, region, span.upper);
        let lower = search.longest;
        let narrowed = match there_is {
            Ok(true) => Span {
                lower: span.upper,
                ..span
            },
            Ok(false) => Span {
                lower,
                upper: span.upper - 1,
            },
            Err(GaveUp) => Span { lower, ..span },
        };
        self.memo.put(at, region, narrowed);
        match there_is {
            Ok(_) => Ok(narrowed),
            Err(GaveUp) => Err(narrowed),
        }
    }

    /// The longest walk from a cell over free cells, or bounds of it if the account said to give up before it was found.
    pub fn longest(&mut self, at: usize, free: B, charge: &mut impl Charge) -> Span {
        let region = self.region(at, free);
        let mut span = self.quick(at, region);
        while !span.is_exact() {
            match self.narrow(at, region, span, charge) {
                Ok(narrowed) => span = narrowed,
                Err(narrowed) => return narrowed,
            }
        }
        span
    }
}

impl<B: Bits, C: Charge> Search<'_, B, C> {
    /// Whether there is a walk of `wanted` moves over these cells.
    fn is_there(&mut self, at: usize, free: B, wanted: u32) -> Result<bool, GaveUp> {
        let walks = &mut *self.walks;
        let steps = walks.game.steps_from(at, free);
        if wanted == 0 {
            return Ok(true);
        }
        if steps.is_empty() {
            return Ok(false);
        }
        self.longest = self.longest.max(self.made + 1);
        if wanted == 1 {
            return Ok(true);
        }
        if walks.glance(at, free) < wanted {
            return Ok(false);
        }
        let region = walks.region(at, free);
        if walks.glance(at, region) < wanted {
            return Ok(false);
        }
        let known = walks.memo.get(at, region);
        let mut span = match known {
            Some(span) => span,
            None => Span {
                lower: 1,
                upper: walks.blocks.bound(&walks.game, at, region),
            },
        };
        if span.lower >= wanted {
            return Ok(true);
        }
        if span.upper < wanted {
            return Ok(false);
        }
        if self.charge.charge_node() {
            return Err(GaveUp);
        }
        let found = self.any_step(steps, region, wanted)?;
        match found {
            true => span.lower = wanted,
            false => span.upper = wanted - 1,
        }
        self.walks.memo.put(at, region, span);
        Ok(found)
    }

    /// Whether one of the steps begins a walk of `wanted` moves. Cells with the fewest onward moves are tried first: they
    /// are soon cut off.
    fn any_step(&mut self, steps: B, region: B, wanted: u32) -> Result<bool, GaveUp> {
        let mut left = steps;
        while !left.is_empty() {
            let game = &self.walks.game;
            let ways = |&cell: &usize| game.steps_from(cell, region).count();
            let Some(next) = left.ones().min_by_key(ways) else {
                break;
            };
            left = left & !B::one(next);
            self.made += 1;
            let found = self.is_there(next, region & !B::one(next), wanted - 1);
            self.made -= 1;
            if found? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
