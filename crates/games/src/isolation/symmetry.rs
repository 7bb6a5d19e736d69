//! Turns and reflections of the board.

use crate::isolation::{Bits, IsolationSpec};
use std::cmp::Ordering;

/// What matters to the rest of a game: the free cells, the mover's cell and the opponent's cell.
///
/// A piece that is not placed yet is [`NOWHERE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Essence<B> {
    /// The free cells.
    pub free: B,
    /// The mover's cell.
    pub at: u16,
    /// The opponent's cell.
    pub other_at: u16,
}

/// The cell of a piece that is not placed yet.
pub const NOWHERE: u16 = u16::MAX;

/// The symmetries of a board, each as the new index of every cell. The first changes nothing.
#[derive(Clone, Debug)]
pub struct Symmetries(Vec<Vec<u16>>);

impl Symmetries {
    /// The symmetries of a board: eight if it is square, otherwise four.
    pub fn new(spec: IsolationSpec) -> Self {
        let (rows, cols) = (spec.rows(), spec.cols());
        let transposes: &[bool] = if rows == cols {
            &[false, true]
        } else {
            &[false]
        };
        let mut all = Vec::new();
        for &transpose in transposes {
            for (flip_rows, flip_cols) in
                [(false, false), (true, false), (false, true), (true, true)]
            {
                let image = |index: usize| {
                    let (row, col) = (index / cols, index % cols);
                    let row = if flip_rows { rows - 1 - row } else { row };
                    let col = if flip_cols { cols - 1 - col } else { col };
                    let (row, col) = if transpose { (col, row) } else { (row, col) };
                    (row * cols + col) as u16
                };
                all.push((0..rows * cols).map(image).collect());
            }
        }
        Symmetries(all)
    }

    /// The image of a cell under one of the symmetries; [`NOWHERE`] stays.
    #[inline]
    pub fn cell(&self, symmetry: usize, at: u16) -> u16 {
        let map = &self.0[symmetry];
        map.get(usize::from(at)).copied().unwrap_or(NOWHERE)
    }

    /// The image of a set of cells under one of the symmetries.
    #[inline]
    pub fn set<B: Bits>(&self, symmetry: usize, cells: B) -> B {
        let map = &self.0[symmetry];
        let image = |set: B, index: usize| set | B::one(map[index].into());
        cells.ones().fold(B::EMPTY, image)
    }

    /// The least of all images, one for the whole family, and the symmetry that leads to it.
    pub fn canonical<B: Bits>(&self, position: Essence<B>) -> (Essence<B>, usize) {
        let mut least = (position, 0);
        for symmetry in 1..self.0.len() {
            let at = self.cell(symmetry, position.at);
            let other_at = self.cell(symmetry, position.other_at);
            let order = (at, other_at).cmp(&(least.0.at, least.0.other_at));
            if order == Ordering::Greater {
                continue;
            }
            let free = self.set(symmetry, position.free);
            if order == Ordering::Less || below(free, least.0.free) {
                least = (Essence { free, at, other_at }, symmetry);
            }
        }
        least
    }
}

/// Whether one set comes before another in some fixed order.
fn below<B: Bits>(left: B, right: B) -> bool {
    let difference = left ^ right;
    !difference.is_empty() && right.has(difference.lowest())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_share_a_canonical_form() {
        let spec: IsolationSpec = "isolation:3x3".parse().expect("a game");
        let symmetries = Symmetries::new(spec);
        assert_eq!(symmetries.0.len(), 8);
        let corner = |free: u64, at: u16, other_at: u16| {
            let position = Essence { free, at, other_at };
            let (least, symmetry) = symmetries.canonical(position);
            assert_eq!(least.free, symmetries.set(symmetry, free));
            assert_eq!(least.at, symmetries.cell(symmetry, at));
            least
        };
        // A piece in a corner, one in the centre, one free cell beside the corner.
        let first = corner(1 << 1, 0, 4);
        for (free, at) in [(1 << 1, 2), (1 << 3, 0), (1 << 5, 8), (1 << 7, 6)] {
            assert_eq!(corner(free, at, 4), first);
        }
        assert_ne!(corner(1 << 2, 0, 4), first);
        assert_eq!(corner(511, NOWHERE, NOWHERE).free, 511);
    }
}
