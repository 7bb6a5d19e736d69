//! A piece alone on a board: which cells it can get to, and how far it can walk, found by trying every walk.

use kalahari_games::isolation::{IsolationRule, IsolationSpec};
use std::collections::HashMap;

/// A board with one piece: which cells are free, row by row, and where the piece stands.
#[derive(Clone, Debug)]
pub struct LonelyWalk {
    /// The board and how the piece moves.
    pub spec: IsolationSpec,
    /// The free cells.
    pub free: Vec<bool>,
    /// The piece's cell.
    pub at: usize,
}

impl LonelyWalk {
    /// The cells that can be moved to.
    fn steps(&self) -> Vec<usize> {
        let (rows, cols) = (self.spec.rows() as isize, self.spec.cols() as isize);
        let (row, col) = (self.at as isize / cols, self.at as isize % cols);
        let mut steps = Vec::new();
        for down in -2_isize..=2 {
            for right in -2_isize..=2 {
                let far = down * down + right * right;
                let (allowed, longest) = match self.spec.rule() {
                    IsolationRule::Trail => (far == 1, 1),
                    IsolationRule::Classic => (far == 1 || far == 2, 1),
                    IsolationRule::Queen => (far == 1 || far == 2, rows.max(cols)),
                    IsolationRule::Knight => (far == 5, 1),
                };
                for steps_made in 1..=longest {
                    let (row, col) = (row + steps_made * down, col + steps_made * right);
                    let on_board = (0..rows).contains(&row) && (0..cols).contains(&col);
                    let cell = (row * cols + col) as usize;
                    if !allowed || !on_board || !self.free[cell] {
                        break;
                    }
                    steps.push(cell);
                }
            }
        }
        steps
    }

    /// The cells the piece can get to by any number of moves.
    pub fn region(&self) -> Vec<bool> {
        let mut seen = vec![false; self.free.len()];
        let mut to_look_at = vec![self.at];
        while let Some(at) = to_look_at.pop() {
            let there = LonelyWalk { at, ..self.clone() };
            for step in there.steps() {
                if !std::mem::replace(&mut seen[step], true) {
                    to_look_at.push(step);
                }
            }
        }
        seen
    }

    /// The most moves the piece can make, each onto a free cell that it then uses up.
    pub fn longest(&mut self) -> u32 {
        let region = self.region();
        let cells = region.iter().filter(|&&reached| reached).count() as u32;
        let mut seen = HashMap::new();
        self.longest_of(cells, &mut seen)
    }

    /// As [`longest`](Self::longest); a walk of `most` moves cannot be beaten. `seen` holds the results so far, by the piece's
    /// cell and the free cells.
    fn longest_of(&mut self, most: u32, seen: &mut Seen) -> u32 {
        let home = self.at;
        let key = (home, packed(&self.free));
        if let Some(&known) = seen.get(&key) {
            return known;
        }
        let mut best = 0;
        for step in self.steps() {
            self.at = step;
            self.free[step] = false;
            best = best.max(1 + self.longest_of(most - 1, seen));
            self.free[step] = true;
            if best == most {
                break;
            }
        }
        self.at = home;
        seen.insert(key, best);
        best
    }
}

/// The length of the longest walk, by the piece's cell and the free cells.
type Seen = HashMap<(usize, [u64; 4]), u32>;

/// The free cells as bits; no board has more than 256 cells.
fn packed(free: &[bool]) -> [u64; 4] {
    let mut words = [0; 4];
    for cell in (0..free.len()).filter(|&cell| free[cell]) {
        words[cell / 64] |= 1 << (cell % 64);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every walk, tried one by one.
    fn tried(walk: &LonelyWalk) -> u32 {
        let steps = walk.steps().into_iter().map(|step| {
            let mut there = walk.clone();
            there.at = step;
            there.free[step] = false;
            1 + tried(&there)
        });
        steps.max().unwrap_or(0)
    }

    #[test]
    fn what_is_remembered_changes_nothing() {
        let rules = [
            IsolationRule::Trail,
            IsolationRule::Queen,
            IsolationRule::Knight,
        ];
        for rule in rules {
            let spec = IsolationSpec::new(4, 4, rule).expect("a size");
            // Boards of at most nine free cells, spread over all patterns.
            for pattern in (0_u32..1 << 16).step_by(97) {
                let free: Vec<bool> = (0..16).map(|cell| pattern >> cell & 1 == 1).collect();
                let few = pattern.count_ones() <= 9;
                let Some(at) = free.iter().position(|free| !free).filter(|_| few) else {
                    continue;
                };
                let mut walk = LonelyWalk { spec, free, at };
                assert_eq!(tried(&walk), walk.longest(), "{walk:?}");
            }
        }
    }
}
