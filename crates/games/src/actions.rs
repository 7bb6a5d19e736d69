//! Moves as numbers from 0 on, to index learners' outputs, masks and tables.
//!
//! | game | numbers |
//! |---|---|
//! | Kalah | the pit |
//! | `trail` | the cell (row by row), and one more for the pass |
//! | `queen`, `knight` | the cell |
//! | `classic` | the direction of the step (north-west, north, north-east, west, east, south-west, south, south-east) times the number of cells, plus the cell removed |

use crate::isolation::{Bits, Cell, Isolation, IsolationMove, IsolationRule};
use crate::kalah::{Board, Kalah, Pit, Side};
use crate::{AnyGame, AnyMove, AnyPosition, Game, Typed, with_game, with_position};

/// A game whose moves have numbers.
pub trait Actions: Game {
    /// How many numbers there are.
    fn actions(&self) -> usize;

    /// The number of a legal move, below [`actions`](Actions::actions). An illegal move may have no number.
    fn action(&self, position: &Self::Position, mv: Self::Move) -> Option<usize>;

    /// The move of a number. It need not be legal here; `None` if it is legal in no position.
    fn move_of(&self, position: &Self::Position, action: usize) -> Option<Self::Move>;

    /// The legal moves as bits, by their numbers. Numbers from 64 on have no bit.
    #[inline]
    fn legal_bits(&self, position: &Self::Position) -> u64 {
        let numbers = self.moves(position).map(|mv| self.action(position, mv));
        let numbers = numbers.flatten().filter(|&action| action < 64);
        numbers.fold(0, |bits, action| bits | 1 << action)
    }
}

impl<B: Board> Actions for Kalah<B> {
    fn actions(&self) -> usize {
        self.pits()
    }

    #[inline]
    fn action(&self, _: &B, pit: Pit) -> Option<usize> {
        Some(pit.index()).filter(|&pit| pit < self.pits())
    }

    #[inline]
    fn move_of(&self, _: &B, action: usize) -> Option<Pit> {
        (action < self.pits()).then_some(Pit(action as u8))
    }

    /// All pits at once, where they are bytes of a word.
    #[inline]
    fn legal_bits(&self, position: &B) -> u64 {
        /// All bits of every byte but the highest.
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        /// Takes bit 8i to bit 56 + i.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        if self.is_over(position) {
            return 0;
        }
        let bytes = Some(self.pits()).filter(|&pits| pits <= 8);
        match bytes.and_then(|pits| position.pit_bytes(Side::Mover, pits)) {
            Some(word) => {
                let filled = (((word & LOW) + LOW) | word) & !LOW;
                (filled >> 7).wrapping_mul(GATHER) >> 56
            }
            None => (0..self.pits()).fold(0, |bits, pit| {
                bits | u64::from(position.pit(Side::Mover, pit) > 0) << pit
            }),
        }
    }
}

/// The steps of a king: rows and columns, in the order of their numbers.
const STEPS: [(isize, isize); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

impl<B: Bits> Isolation<B> {
    fn index(&self, cell: Cell) -> Option<usize> {
        let spec = self.isolation_spec();
        let inside = cell.row() < spec.rows() && cell.col() < spec.cols();
        inside.then(|| cell.row() * spec.cols() + cell.col())
    }

    fn cell_of(&self, index: usize) -> Cell {
        let cols = self.isolation_spec().cols();
        Cell::new(index / cols, index % cols)
    }
}

impl<B: Bits> Actions for Isolation<B> {
    fn actions(&self) -> usize {
        let spec = self.isolation_spec();
        match spec.rule() {
            IsolationRule::Trail => spec.cells() + 1,
            IsolationRule::Queen | IsolationRule::Knight => spec.cells(),
            IsolationRule::Classic => STEPS.len() * spec.cells(),
        }
    }

    fn action(&self, position: &Self::Position, mv: IsolationMove) -> Option<usize> {
        let spec = self.isolation_spec();
        match (spec.rule(), mv) {
            (IsolationRule::Trail, IsolationMove::Pass) => Some(spec.cells()),
            (IsolationRule::Classic, IsolationMove::ToRemoving(to, removed)) => {
                let from = self.cell_of(position.piece(position.player())?);
                let way = (
                    to.row() as isize - from.row() as isize,
                    to.col() as isize - from.col() as isize,
                );
                let direction = STEPS.iter().position(|step| *step == way)?;
                Some(direction * spec.cells() + self.index(removed)?)
            }
            (IsolationRule::Classic, _) => None,
            (_, IsolationMove::To(to)) => self.index(to),
            _ => None,
        }
    }

    fn move_of(&self, position: &Self::Position, action: usize) -> Option<IsolationMove> {
        let spec = self.isolation_spec();
        let cells = spec.cells();
        match spec.rule() {
            IsolationRule::Trail if action == cells => Some(IsolationMove::Pass),
            IsolationRule::Classic => {
                let (rows, cols) = STEPS.get(action / cells)?;
                let from = self.cell_of(position.piece(position.player())?);
                let row = from.row().checked_add_signed(*rows)?;
                let col = from.col().checked_add_signed(*cols)?;
                let inside = row < spec.rows() && col < spec.cols();
                inside.then(|| {
                    let removed = self.cell_of(action % cells);
                    IsolationMove::ToRemoving(Cell::new(row, col), removed)
                })
            }
            _ => (action < cells).then(|| IsolationMove::To(self.cell_of(action))),
        }
    }
}

fn number<G: Typed + Actions>(game: &G, position: &G::Position, mv: AnyMove) -> Option<usize> {
    game.action(position, G::typed_move(mv)?)
}

fn numbered<G: Typed + Actions>(
    game: &G,
    position: &G::Position,
    action: usize,
) -> Option<AnyMove> {
    game.move_of(position, action).map(G::erase_move)
}

impl Actions for AnyGame {
    fn actions(&self) -> usize {
        with_game!(self, game => game.actions())
    }

    fn action(&self, position: &AnyPosition, mv: AnyMove) -> Option<usize> {
        with_position!(self, position, (game, position) => number(game, position, mv))
    }

    fn move_of(&self, position: &AnyPosition, action: usize) -> Option<AnyMove> {
        with_position!(self, position, (game, position) => numbered(game, position, action))
    }

    fn legal_bits(&self, position: &AnyPosition) -> u64 {
        with_position!(self, position, (game, position) => game.legal_bits(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_legal_moves_differ_and_lead_back() {
        for spec in [
            "kalah:6x4",
            "kalah:6x6:standard+majority",
            "kalah:7x18",
            "kalah:8x20",
            "kalah:12x20",
            "isolation:3x3:trail",
            "isolation:5x4:classic",
            "isolation:4x5:queen",
            "isolation:9x11:knight",
            "isolation:16x16:classic",
        ] {
            let game = AnyGame::new(spec.parse().expect("a game"));
            let mut position = game.start();
            for ply in 0.. {
                let legal: Vec<AnyMove> = game.moves(&position).collect();
                if legal.is_empty() {
                    assert_eq!(game.legal_bits(&position), 0, "{spec}");
                    break;
                }
                let number = |&mv| game.action(&position, mv).expect("a number");
                let numbers: Vec<usize> = legal.iter().map(number).collect();
                let mut sorted = numbers.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len(), legal.len(), "{spec}");
                assert!(sorted.iter().all(|&number| number < game.actions()));
                for (&mv, &number) in legal.iter().zip(&numbers) {
                    assert_eq!(game.move_of(&position, number), Some(mv), "{spec}");
                }
                assert_eq!(game.move_of(&position, usize::MAX / 2), None);
                let few = numbers.iter().filter(|&&number| number < 64);
                let bits = few.fold(0, |bits, number| bits | 1_u64 << number);
                assert_eq!(game.legal_bits(&position), bits, "{spec}");
                // For every number one may ask whether its move is legal.
                for number in 0..game.actions() {
                    if let Some(mv) = game.move_of(&position, number) {
                        let listed = numbers.contains(&number);
                        assert_eq!(game.is_legal(&position, mv), listed, "{spec} {mv}");
                    }
                }
                position = game.play_unchecked(&position, legal[(ply * 7) % legal.len()]);
            }
        }
    }
}
