//! Where a piece can go from each cell: tables made once per board.
//!
//! A board of R rows and C columns numbers its cells row by row, `index = row * C + column`.
//! Rays are kept per direction. The four that run toward higher indices come first: the nearest
//! blocker on them is the lowest bit, on the other four the highest.
//!
//! ```text
//!      7  6  5
//!       \ | /
//!     4 -- -- 0        0, 1, 2, 3: toward higher indices
//!       / | \
//!      1  2  3
//! ```

use crate::isolation::{Bits, Cell, IsolationRule, IsolationSpec, Symmetries};

const RAYS: [(isize, isize); 8] = [
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, -1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
];
const KING: &[(isize, isize)] = &RAYS;
const ORTHOGONAL: &[(isize, isize)] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
const KNIGHT: &[(isize, isize)] = &[
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// One direction for a whole set of cells at once.
#[derive(Clone, Copy, Debug)]
struct Shift<B> {
    /// The cells from which it does not leave the board sideways.
    from: B,
    /// How much it changes an index.
    by: u32,
}

/// The index of a cell that is not on the board.
const OFF_BOARD: u16 = u16::MAX;

/// The tables of one board and rule.
#[derive(Clone, Debug)]
pub(crate) struct Geometry<B> {
    cells: Vec<Cell>,
    /// The index of each cell by its [`Cell::code`]; [`OFF_BOARD`] for those that are not on it.
    indices: Box<[u16; 256]>,
    board: B,
    symmetries: Symmetries,
    /// The cells one step or jump away; for a slider, a king's step.
    steps: Vec<B>,
    /// The cells on each ray of each cell; empty unless the piece slides.
    rays: Vec<[B; 8]>,
    /// The directions toward higher indices, then those toward lower ones; beyond the first `directions` of each
    /// there are none.
    raising: [Shift<B>; 4],
    lowering: [Shift<B>; 4],
    directions: usize,
    slides: bool,
}

impl<B: Bits> Geometry<B> {
    pub(crate) fn new(spec: IsolationSpec) -> Self {
        let (rows, cols) = (spec.rows(), spec.cols());
        let cells: Vec<Cell> = (0..rows * cols)
            .map(|i| Cell::new(i / cols, i % cols))
            .collect();
        // The cell a number of steps away, if it is on the board.
        let away = |cell: Cell, (down, right): (isize, isize), steps: isize| {
            let row = cell.row().checked_add_signed(down * steps)?;
            let col = cell.col().checked_add_signed(right * steps)?;
            (row < rows && col < cols).then_some(row * cols + col)
        };
        let directions = match spec.rule() {
            IsolationRule::Trail => ORTHOGONAL,
            IsolationRule::Classic | IsolationRule::Queen => KING,
            IsolationRule::Knight => KNIGHT,
        };
        let set = |indices: &mut dyn Iterator<Item = usize>| {
            indices.fold(B::EMPTY, |set, index| set | B::one(index))
        };
        let steps = cells
            .iter()
            .map(|&cell| set(&mut directions.iter().filter_map(|&d| away(cell, d, 1))))
            .collect();
        let ray = |cell, d| set(&mut (1..).map_while(|n| away(cell, d, n)));
        let rays = match spec.rule() {
            IsolationRule::Queen => cells
                .iter()
                .map(|&cell| RAYS.map(|d| ray(cell, d)))
                .collect(),
            _ => Vec::new(),
        };
        let shifts = |raises: bool| {
            let mut list = [Shift {
                from: B::EMPTY,
                by: 1,
            }; 4];
            let raising = |&&(down, right): &&(isize, isize)| ((down, right) > (0, 0)) == raises;
            let there = directions.iter().filter(raising);
            for (shift, &(down, right)) in list.iter_mut().zip(there) {
                let by = (down * cols as isize + right).unsigned_abs();
                let inside = |cell: &Cell| {
                    let col = cell.col().checked_add_signed(right);
                    col.is_some_and(|col| col < cols)
                };
                // On a board that is too small for a jump, its shift may also be too large for the bits.
                if (1..B::CAPACITY.min(128)).contains(&by) {
                    let from = cells.iter().enumerate().filter(|(_, cell)| inside(cell));
                    shift.from = set(&mut from.map(|(index, _)| index));
                    shift.by = by as u32;
                }
            }
            list
        };
        let (raising, lowering) = (shifts(true), shifts(false));
        let mut indices = Box::new([OFF_BOARD; 256]);
        for (index, cell) in cells.iter().enumerate() {
            indices[usize::from(cell.code())] = index as u16;
        }
        Geometry {
            symmetries: Symmetries::new(spec),
            indices,
            board: set(&mut (0..cells.len())),
            cells,
            steps,
            rays,
            raising,
            lowering,
            directions: directions.len() / 2,
            slides: spec.rule() == IsolationRule::Queen,
        }
    }

    /// All cells of the board.
    pub(crate) fn board(&self) -> B {
        self.board
    }

    /// The turns and reflections of the board.
    #[inline]
    pub(crate) fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    /// The cell of an index.
    #[inline]
    pub(crate) fn cell(&self, index: usize) -> Cell {
        self.cells[index]
    }

    /// The index of a cell, if it is on the board.
    #[inline]
    pub(crate) fn index(&self, cell: Cell) -> Option<usize> {
        let index = self.indices[usize::from(cell.code())];
        (index != OFF_BOARD).then_some(usize::from(index))
    }

    /// The free cells that a piece goes to in one move.
    #[inline(always)]
    pub(crate) fn going(&self, from: usize, free: B) -> B {
        match self.slides {
            true => self.sliding(from, free),
            false => self.stepping(from, free),
        }
    }

    /// The free cells that pieces on any of these cells go to in one move, all at once by shifts.
    #[inline]
    pub(crate) fn spreading(&self, from: B, free: B) -> B {
        if self.slides {
            return self.sliding_far(from, free);
        }
        let pair = |n: usize| self.raised(n, from) | self.lowered(n, from);
        let mut reached = pair(0) | pair(1);
        if self.directions > 2 {
            reached = reached | pair(2) | pair(3);
        }
        reached & free
    }

    /// The cells a step away in one of the directions toward higher indices.
    #[inline(always)]
    fn raised(&self, direction: usize, from: B) -> B {
        let shift = &self.raising[direction];
        (from & shift.from).raised(shift.by)
    }

    /// The cells a step away in one of the directions toward lower indices.
    #[inline(always)]
    fn lowered(&self, direction: usize, from: B) -> B {
        let shift = &self.lowering[direction];
        (from & shift.from).lowered(shift.by)
    }

    /// [`spreading`](Self::spreading) of sliders: steps in a row.
    fn sliding_far(&self, from: B, free: B) -> B {
        let mut reached = B::EMPTY;
        let mut go = |step: &dyn Fn(B) -> B| {
            let mut edge = step(from) & free;
            while !edge.is_empty() {
                reached = reached | edge;
                edge = step(edge) & free;
            }
        };
        for direction in 0..self.directions {
            go(&|set| self.raised(direction, set));
            go(&|set| self.lowered(direction, set));
        }
        reached
    }

    /// The free cells one step or jump away.
    #[inline]
    pub(crate) fn stepping(&self, from: usize, free: B) -> B {
        self.steps[from] & free
    }

    /// The free cells a slider reaches over free cells.
    #[inline]
    pub(crate) fn sliding(&self, from: usize, free: B) -> B {
        let blocked = !free;
        let rays = &self.rays[from];
        let mut reached = B::EMPTY;
        for (direction, &ray) in rays.iter().enumerate() {
            let blockers = ray & blocked;
            reached = reached
                | if blockers.is_empty() {
                    ray
                } else {
                    let first = match direction < 4 {
                        true => blockers.lowest(),
                        false => blockers.highest(),
                    };
                    ray ^ self.rays[first][direction] ^ B::one(first)
                };
        }
        reached
    }
}
