//! Cells of a board, by row and column.

use crate::MoveTextError;
use crate::isolation::MAX_SIDE;
use crate::text::{Trouble, located, number};
use std::fmt;

/// A cell: column letter `a` to `p`, then the row number from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The cell of a row and a column, both counted from 0 and below 16.
    #[inline]
    pub const fn new(row: usize, col: usize) -> Self {
        assert!(row < MAX_SIDE && col < MAX_SIDE);
        Cell((row * MAX_SIDE + col) as u8)
    }

    /// The row, counted from 0.
    #[inline]
    pub const fn row(self) -> usize {
        self.0 as usize / MAX_SIDE
    }

    /// The column, counted from 0.
    #[inline]
    pub const fn col(self) -> usize {
        self.0 as usize % MAX_SIDE
    }

    /// The cell as a number: 16 times the row plus the column.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Reads `part`, a slice of the move `whole`.
    pub(crate) fn read(whole: &str, part: &str) -> Result<Cell, MoveTextError> {
        let wrong = |trouble| located!(MoveTextError, whole, trouble);
        let form = "a cell is a column letter, a to p, and a row number from 1, such as c4";
        let mut chars = part.chars();
        let col = match chars.next() {
            Some(letter @ 'a'..='p') => letter as usize - 'a' as usize,
            _ => return Err(wrong(Trouble::new(part, form))),
        };
        let row = number(chars.as_str(), "the row", MAX_SIDE as u32).map_err(wrong)?;
        match row {
            0 => Err(wrong(Trouble::new(
                chars.as_str(),
                "rows are numbered from 1",
            ))),
            row => Ok(Cell::new(row as usize - 1, col)),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.col() as u8) as char, self.row() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
