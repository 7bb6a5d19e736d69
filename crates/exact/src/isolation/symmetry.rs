//! Turns and reflections of the board.

use kalahari_games::isolation::{Bits, IsolationSpec};
use std::cmp::Ordering;

/// What matters of a position to its future: free cells, the mover's cell, the opponent's cell.
///
/// A piece that is not placed yet is [`NOWHERE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Essence<B> {
    pub(crate) free: B,
    pub(crate) at: u16,
    pub(crate) other_at: u16,
}

/// The cell of a piece that is not placed yet.
pub(crate) const NOWHERE: u16 = u16::MAX;

/// The ways to lay a board upon itself, each as the new index of every cell.
#[derive(Clone, Debug)]
pub(crate) struct Symmetries(Vec<Vec<u16>>);

impl Symmetries {
    pub(crate) fn new(spec: IsolationSpec) -> Self {
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

    /// The least of all images: one for the whole family.
    pub(crate) fn canonical<B: Bits>(&self, position: Essence<B>) -> Essence<B> {
        let mut least: Option<Essence<B>> = None;
        for map in &self.0 {
            let cell = |at: u16| map.get(usize::from(at)).copied().unwrap_or(NOWHERE);
            let (at, other_at) = (cell(position.at), cell(position.other_at));
            let order = least.map_or(Ordering::Less, |least| {
                (at, other_at).cmp(&(least.at, least.other_at))
            });
            if order == Ordering::Greater {
                continue;
            }
            let image = |free: B, index: usize| free | B::one(map[index].into());
            let free = position.free.ones().fold(B::EMPTY, image);
            let less =
                order == Ordering::Less || least.is_some_and(|least| below(free, least.free));
            if less {
                least = Some(Essence { free, at, other_at });
            }
        }
        least.unwrap_or(position)
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
            symmetries.canonical(Essence { free, at, other_at })
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
