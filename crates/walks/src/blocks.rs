//! An upper bound of walks: blocks, cut cells and two colours.
//!
//! Cells and moves form a graph. It decomposes into *blocks* (biconnected components) joined at *cut cells* (articulation
//! points): a walk that leaves a block through a cut cell can never come back, so of all blocks behind a cut cell it can
//! use only one. The bound is the best chain of blocks from the piece on, counting as many cells of each block as colours
//! allow.
//!
//! ```text
//!     . . . # .        1 may walk the block on the left or, through the cut cell, the one on the
//!     . 1 , . .        right (`,` is the cut cell), but not both.
//!     . . . # .
//! ```
//!
//! *Colours.* Steps of `trail` and jumps of `knight` change the colour of a chessboard. A walk from a white cell over `a`
//! black and `b` white cells has at most `2b + 1` steps if there are more black ones, otherwise `2a`; one that has to
//! end on a certain cell is bounded in a similar way.
//!
//! *Queens.* A slide crosses cells without visiting them, so the graph of king's steps would be the wrong one: there a cut
//! cell can be crossed and visited later. The graph taken here has an edge wherever a slide is possible *now*.
//! Walking only blocks more cells, so every later slide is one of these edges, and every walk is a path in this graph. Blocks and
//! cut cells of this graph therefore bound walks. A slide does not change colours in any fixed way, so only cells are counted.

use kalahari_games::isolation::{Bits, Isolation};

/// The cells of the largest board.
const CELLS: usize = 256;

/// Finds bounds; its buffers are used again for the next one.
#[derive(Debug)]
pub(crate) struct Blocks<B> {
    /// The cells of one colour; `None` where moves do not change colours.
    white: Option<B>,
    /// When each cell was discovered, and the earliest discovery reachable from it or from cells below it (Tarjan's low point).
    found: Box<[u16; CELLS]>,
    earliest: Box<[u16; CELLS]>,
    /// The bound of walks from each cell into the blocks behind it.
    onward: Box<[u16; CELLS]>,
    /// Cells found whose block is not closed yet.
    open: Vec<u16>,
}

/// One bound under way.
struct Search<'a, B: Bits> {
    blocks: &'a mut Blocks<B>,
    game: &'a Isolation<B>,
    region: B,
    /// The region's cells next to the piece.
    first: B,
    seen: B,
    count: u16,
}

impl<B: Bits> Blocks<B> {
    pub(crate) fn new(white: Option<B>) -> Self {
        Blocks {
            white,
            found: Box::new([0; CELLS]),
            earliest: Box::new([0; CELLS]),
            onward: Box::new([0; CELLS]),
            open: Vec::new(),
        }
    }

    /// A bound of walks from a cell over a region that ignores how the region is connected.
    #[inline]
    pub(crate) fn by_colours(&self, at: usize, region: B) -> u32 {
        match self.white {
            None => region.count(),
            Some(white) => {
                let whites = (region & white).count();
                let others = region.count() - whites;
                match white.has(at) {
                    true => Ends::Anywhere.most(others, whites),
                    false => Ends::Anywhere.most(whites, others),
                }
            }
        }
    }

    /// A bound of walks from a cell over the cells of a region that can be reached from it.
    pub(crate) fn bound(&mut self, game: &Isolation<B>, at: usize, region: B) -> u32 {
        self.open.clear();
        self.found[at] = 1;
        self.earliest[at] = 1;
        self.onward[at] = 0;
        let first = game.steps_from(at, region);
        let mut search = Search {
            blocks: self,
            game,
            region,
            first,
            seen: B::EMPTY,
            count: 1,
        };
        search.each_neighbour(at, first);
        self.onward[at].into()
    }

    /// The bound of walks from a cell into a block of these other cells and on through its cut cells.
    fn through(&self, from: usize, block: &[u16]) -> u32 {
        let Some(white) = self.white else {
            let onward = block.iter().map(|&cell| self.onward[usize::from(cell)]);
            return block.len() as u32 + u32::from(onward.max().unwrap_or(0));
        };
        let is_white = |cell: u16| white.has(cell.into());
        let whites = block.iter().filter(|&&cell| is_white(cell)).count() as u32;
        let others = block.len() as u32 - whites;
        let from_white = white.has(from);
        let (unlike, like) = if from_white {
            (others, whites)
        } else {
            (whites, others)
        };
        let onward = block.iter().filter_map(|&cell| {
            let onward = u32::from(self.onward[usize::from(cell)]);
            let ends = match is_white(cell) == from_white {
                true => Ends::Like,
                false => Ends::Unlike,
            };
            (onward > 0).then(|| ends.most(unlike, like) + onward)
        });
        onward.fold(Ends::Anywhere.most(unlike, like), u32::max)
    }
}

/// Where a walk over a block ends.
#[derive(Clone, Copy)]
enum Ends {
    Anywhere,
    /// On a certain cell of the colour of the first.
    Like,
    /// On a certain cell of the other colour.
    Unlike,
}

impl Ends {
    /// The most steps over this many cells of the other and of the same colour. Steps go to the two in turn.
    #[inline]
    fn most(self, unlike: u32, like: u32) -> u32 {
        match self {
            Ends::Anywhere if unlike > like => 2 * like + 1,
            Ends::Anywhere | Ends::Like => 2 * unlike.min(like),
            Ends::Unlike => 2 * unlike.saturating_sub(1).min(like) + 1,
        }
    }
}

impl<B: Bits> Search<'_, B> {
    /// Visits the cells that can be reached from a cell, and closes the blocks that join it.
    fn each_neighbour(&mut self, from: usize, neighbours: B) {
        for to in neighbours.ones() {
            if self.seen.has(to) {
                let earliest = self.blocks.earliest[from].min(self.blocks.found[to]);
                self.blocks.earliest[from] = earliest;
                continue;
            }
            let mark = self.blocks.open.len();
            self.enter(to);
            let blocks = &mut *self.blocks;
            blocks.earliest[from] = blocks.earliest[from].min(blocks.earliest[to]);
            if blocks.earliest[to] >= blocks.found[from] {
                let through = blocks.through(from, &blocks.open[mark..]);
                blocks.onward[from] = blocks.onward[from].max(through as u16);
                blocks.open.truncate(mark);
            }
        }
    }

    fn enter(&mut self, cell: usize) {
        self.seen = self.seen | B::one(cell);
        self.count += 1;
        let blocks = &mut *self.blocks;
        blocks.found[cell] = self.count;
        // The piece's own cell is not part of the region, but it counts as a neighbour of the cells beside it.
        blocks.earliest[cell] = if self.first.has(cell) { 1 } else { self.count };
        blocks.onward[cell] = 0;
        blocks.open.push(cell as u16);
        self.each_neighbour(cell, self.game.steps_from(cell, self.region));
    }
}
