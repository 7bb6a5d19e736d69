//! Choosing a move on the board: the place the keys are at, and what may be chosen there.

use crate::play::rulebook::{Picture, Situation};
use kalahari_games::Player;
use kalahari_games::isolation::{Cell, CellState, IsolationMove};

/// The move being chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Choice {
    /// The own pit the keys are at.
    pub(crate) pit: usize,
    /// The cell the keys are at: row, column.
    pub(crate) cell: (usize, usize),
    /// The step already chosen in `classic`, where a cell to remove comes next.
    pub(crate) step: Option<Cell>,
}

/// What became of choosing a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// A whole move.
    Move(String),
    /// Half a move: a cell to remove is wanted.
    Step,
    /// Nothing that is allowed.
    Nothing,
}

impl Choice {
    /// A fresh choice in a position: at the first pit that may be sown, or the mover's piece.
    pub(crate) fn new(situation: &Situation) -> Choice {
        let mut choice = Choice::default();
        choice.begin(situation);
        choice
    }

    /// Begins anew where the keys are, or near the mover's own things.
    pub(crate) fn begin(&mut self, situation: &Situation) {
        self.step = None;
        match &situation.picture {
            Picture::Kalah(setup) => {
                self.pit = self.pit.min(setup.pits() - 1);
                if !situation.moves.contains(&self.pit.to_string()) {
                    let first = situation.moves.first().and_then(|mv| mv.parse().ok());
                    self.pit = first.unwrap_or(self.pit);
                }
            }
            Picture::Isolation(setup) => {
                let (rows, cols) = (setup.rows.len(), setup.rows[0].len());
                let piece = CellState::Piece(situation.mover);
                let home = (0..rows * cols)
                    .map(|at| (at / cols, at % cols))
                    .find(|&(row, col)| setup.rows[row][col] == piece);
                self.cell = home.unwrap_or((rows / 2, cols / 2));
            }
        }
    }

    /// The cells that may be chosen next.
    pub(crate) fn cells(&self, situation: &Situation) -> Vec<Cell> {
        let mut cells: Vec<Cell> = situation
            .moves
            .iter()
            .filter_map(|mv| match (mv.parse().ok()?, self.step) {
                (IsolationMove::To(to), None) | (IsolationMove::ToRemoving(to, _), None) => {
                    Some(to)
                }
                (IsolationMove::ToRemoving(to, removed), Some(step)) if to == step => Some(removed),
                _ => None,
            })
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Chooses an own pit.
    pub(crate) fn choose_pit(&mut self, pit: usize, situation: &Situation) -> Chosen {
        let mv = pit.to_string();
        match situation.moves.contains(&mv) {
            true => {
                self.pit = pit;
                Chosen::Move(mv)
            }
            false => Chosen::Nothing,
        }
    }

    /// Chooses a cell.
    pub(crate) fn choose_cell(&mut self, row: usize, col: usize, situation: &Situation) -> Chosen {
        self.cell = (row, col);
        let cell = Cell::new(row, col);
        if !self.cells(situation).contains(&cell) {
            return Chosen::Nothing;
        }
        let removes = situation.moves.iter().any(|mv| mv.contains('/'));
        match self.step {
            Some(step) => Chosen::Move(IsolationMove::ToRemoving(step, cell).to_string()),
            None if removes => {
                self.step = Some(cell);
                Chosen::Step
            }
            None => Chosen::Move(IsolationMove::To(cell).to_string()),
        }
    }

    /// Chooses what the keys are at.
    pub(crate) fn confirm(&mut self, situation: &Situation) -> Chosen {
        if situation.moves == ["pass"] {
            return Chosen::Move("pass".to_owned());
        }
        match situation.picture {
            Picture::Kalah(_) => self.choose_pit(self.pit, situation),
            Picture::Isolation(_) => self.choose_cell(self.cell.0, self.cell.1, situation),
        }
    }

    /// Moves the keys' place by columns (to the right) and rows (down) of the screen. `bottom` is the player whose
    /// side lies at the bottom.
    pub(crate) fn shift(
        &mut self,
        columns: isize,
        rows: isize,
        situation: &Situation,
        bottom: Player,
    ) {
        match &situation.picture {
            Picture::Kalah(setup) => {
                // The pits of the upper side run from right to left.
                let columns = match situation.mover == bottom {
                    true => columns,
                    false => -columns,
                };
                let pits = setup.pits() as isize;
                let filled = |pit: isize| situation.moves.contains(&pit.to_string());
                // Empty pits are passed over.
                let next = (1..=pits)
                    .map(|far| (self.pit as isize + far * columns).rem_euclid(pits))
                    .find(|&pit| filled(pit));
                if let (Some(pit), true) = (next, columns != 0) {
                    self.pit = pit as usize;
                }
            }
            Picture::Isolation(setup) => {
                let turn = if bottom == Player::First { 1 } else { -1 };
                let (last_row, last_col) = (setup.rows.len() - 1, setup.rows[0].len() - 1);
                let (row, col) = self.cell;
                self.cell = (
                    row.saturating_add_signed(turn * rows).min(last_row),
                    col.saturating_add_signed(turn * columns).min(last_col),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::rulebook::Rulebook;

    fn situation(game: &str, position: Option<&str>) -> Situation {
        let rules = Rulebook::new(game.parse().expect("a game"), position);
        rules.situation(position).expect("a position")
    }

    #[test]
    fn empty_pits_are_passed_over() {
        let here = situation("kalah:6x4", Some("0 4 0 0 2 0 6 4 4 4 4 4 4 12 0"));
        let mut choice = Choice::new(&here);
        assert_eq!(choice.pit, 1);
        choice.shift(1, 0, &here, Player::First);
        assert_eq!(choice.pit, 4);
        choice.shift(1, 0, &here, Player::First);
        assert_eq!(choice.pit, 1);
        choice.shift(-1, 0, &here, Player::First);
        assert_eq!(choice.pit, 4);
        assert_eq!(choice.choose_pit(0, &here), Chosen::Nothing);
        assert_eq!(choice.choose_pit(11, &here), Chosen::Nothing);
        assert_eq!(choice.confirm(&here), Chosen::Move("4".to_owned()));
    }

    #[test]
    fn classic_wants_a_step_and_a_removal() {
        let here = situation("isolation:classic", None);
        let mut choice = Choice::new(&here);
        assert_eq!(choice.cell, (0, 3));
        assert_eq!(choice.cells(&here).len(), 5);
        assert_eq!(choice.choose_cell(5, 5, &here), Chosen::Nothing);
        assert_eq!(choice.choose_cell(1, 3, &here), Chosen::Step);
        // The cell just left may be removed, the one stepped on may not.
        assert_eq!(choice.cells(&here).len(), 47);
        assert_eq!(choice.choose_cell(1, 3, &here), Chosen::Nothing);
        assert_eq!(
            choice.choose_cell(0, 3, &here),
            Chosen::Move("d2/d1".to_owned())
        );
    }

    #[test]
    fn a_flipped_board_turns_the_arrows() {
        let here = situation("isolation", None);
        let mut choice = Choice::new(&here);
        choice.shift(1, 1, &here, Player::First);
        assert_eq!(choice.cell, (1, 1));
        choice.shift(1, 1, &here, Player::Second);
        choice.shift(1, 1, &here, Player::Second);
        assert_eq!(choice.cell, (0, 0));
    }

    #[test]
    fn a_stuck_player_passes_by_enter() {
        let here = situation("isolation:2x3", Some("1x./oo2 0"));
        assert_eq!(here.moves, ["pass"]);
        assert_eq!(
            Choice::new(&here).confirm(&here),
            Chosen::Move("pass".to_owned())
        );
    }
}
