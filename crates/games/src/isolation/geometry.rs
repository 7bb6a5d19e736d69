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

use crate::isolation::{Bits, Cell, IsolationRule, IsolationSpec};

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
    /// The cells one step or jump away; for a slider, a king's step.
    steps: Vec<B>,
    /// The cells on each ray of each cell; empty unless the piece slides.
    rays: Vec<[B; 8]>,
    /// The directions toward higher indices, then those toward lower ones.
    raising: Vec<Shift<B>>,
    lowering: Vec<Shift<B>>,
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
            let shift = |&(down, right): &(isize, isize)| {
                let by = down * cols as isize + right;
                let inside = |cell: &Cell| {
                    let col = cell.col().checked_add_signed(right);
                    col.is_some_and(|col| col < cols)
                };
                let from = cells.iter().enumerate().filter(|(_, cell)| inside(cell));
                let from = set(&mut from.map(|(index, _)| index));
                let by_size = by.unsigned_abs() as u32;
                // A direction that leaves the board from every cell may also leave the room of the bits.
                let useful = !from.is_empty() && (by_size as usize) < B::CAPACITY.min(128);
                ((by > 0) == raises && useful).then_some(Shift { from, by: by_size })
            };
            directions.iter().filter_map(shift).collect()
        };
        let (raising, lowering) = (shifts(true), shifts(false));
        let mut indices = Box::new([OFF_BOARD; 256]);
        for (index, cell) in cells.iter().enumerate() {
            indices[usize::from(cell.code())] = index as u16;
        }
        Geometry {
            indices,
            board: set(&mut (0..cells.len())),
            cells,
            steps,
            rays,
            raising,
            lowering,
            slides: spec.rule() == IsolationRule::Queen,
        }
    }

    /// All cells of the board.
    pub(crate) fn board(&self) -> B {
        self.board
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
        let mut reached = B::EMPTY;
        for shift in &self.raising {
            reached =
                reached | self.shifting(from, free, |set| (set & shift.from).raised(shift.by));
        }
        for shift in &self.lowering {
            let lower = |set: B| (set & shift.from).lowered(shift.by);
            reached = reached | self.shifting(from, free, lower);
        }
        reached & free
    }

    /// One direction of [`spreading`](Self::spreading): a shift, and for sliders one after another.
    #[inline(always)]
    fn shifting(&self, from: B, free: B, shift: impl Fn(B) -> B) -> B {
        let mut reached = shift(from);
        if self.slides {
            let mut edge = reached & free;
            while !edge.is_empty() {
                reached = reached | edge;
                edge = shift(edge) & free;
            }
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
