//! Choosing a move on the board: the place the keys are at, and what may be chosen there.

use kalahari_games::isolation::{Cell, CellState, IsolationMove};
use kalahari_games::kalah::Pit;
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameKind, Player, View};

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
    Move(AnyMove),
    /// Half a move: a cell to remove is wanted.
    Step,
    /// Nothing that is allowed.
    Nothing,
}

/// Whether there is nothing but to pass.
pub(crate) fn must_pass(game: &AnyGame, position: &AnyPosition) -> bool {
    game.is_legal(position, PASS)
}

const PASS: AnyMove = AnyMove::Isolation(IsolationMove::Pass);

/// The move that sows an own pit.
pub(crate) fn sowing(pit: usize) -> AnyMove {
    AnyMove::Kalah(Pit(pit as u8))
}

impl Choice {
    /// A fresh choice in a position: at the first pit that may be sown, or the mover's piece.
    pub(crate) fn new(game: &AnyGame, position: &AnyPosition) -> Choice {
        let mut choice = Choice::default();
        choice.begin(game, position);
        choice
    }

    /// Begins a new choice: at the same pit if it may be sown, otherwise at the first one that may; or at the mover's piece,
    /// or in the middle of the board if it has none yet.
    pub(crate) fn begin(&mut self, game: &AnyGame, position: &AnyPosition) {
        self.step = None;
        match game.view(position) {
            View::Kalah(setup) => {
                self.pit = self.pit.min(setup.pits() - 1);
                if !game.is_legal(position, sowing(self.pit))
                    && let Some(AnyMove::Kalah(first)) = game.moves(position).next()
                {
                    self.pit = first.index();
                }
            }
            View::Isolation(setup) => {
                let (rows, cols) = (setup.rows.len(), setup.rows[0].len());
                let piece = CellState::Piece(setup.player);
                let home = (0..rows * cols)
                    .map(|at| (at / cols, at % cols))
                    .find(|&(row, col)| setup.rows[row][col] == piece);
                self.cell = home.unwrap_or((rows / 2, cols / 2));
            }
        }
    }

    /// The cell that has to be chosen next for a move, if it begins with the step already chosen.
    pub(crate) fn next_cell(&self, mv: AnyMove) -> Option<Cell> {
        match (mv, self.step) {
            (AnyMove::Isolation(IsolationMove::To(to)), None) => Some(to),
            (AnyMove::Isolation(IsolationMove::ToRemoving(to, _)), None) => Some(to),
            (AnyMove::Isolation(IsolationMove::ToRemoving(to, removed)), Some(step)) => {
                (to == step).then_some(removed)
            }
            _ => None,
        }
    }

    /// The cells that may be chosen next.
    pub(crate) fn cells(&self, game: &AnyGame, position: &AnyPosition) -> Vec<Cell> {
        let mut cells: Vec<Cell> = game
            .moves(position)
            .filter_map(|mv| self.next_cell(mv))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Chooses an own pit.
    pub(crate) fn choose_pit(
        &mut self,
        pit: usize,
        game: &AnyGame,
        position: &AnyPosition,
    ) -> Chosen {
        match game.is_legal(position, sowing(pit)) {
            true => {
                self.pit = pit;
                Chosen::Move(sowing(pit))
            }
            false => Chosen::Nothing,
        }
    }

    /// Chooses a cell.
    pub(crate) fn choose_cell(
        &mut self,
        (row, col): (usize, usize),
        game: &AnyGame,
        position: &AnyPosition,
    ) -> Chosen {
        self.cell = (row, col);
        let cell = Cell::new(row, col);
        let whole = match self.step {
            Some(step) => IsolationMove::ToRemoving(step, cell),
            None => IsolationMove::To(cell),
        };
        if game.is_legal(position, AnyMove::Isolation(whole)) {
            return Chosen::Move(AnyMove::Isolation(whole));
        }
        if self.step.is_none() && self.cells(game, position).contains(&cell) {
            self.step = Some(cell);
            return Chosen::Step;
        }
        Chosen::Nothing
    }

    /// Chooses what the keys are at.
    pub(crate) fn confirm(&mut self, game: &AnyGame, position: &AnyPosition) -> Chosen {
        match game.spec().kind() {
            _ if must_pass(game, position) => Chosen::Move(PASS),
            GameKind::Kalah => self.choose_pit(self.pit, game, position),
            GameKind::Isolation => self.choose_cell(self.cell, game, position),
        }
    }

    /// Moves the keys' place by columns (to the right) and rows (down) of the screen. `bottom` is the player whose
    /// side lies at the bottom.
    pub(crate) fn shift(
        &mut self,
        (columns, rows): (isize, isize),
        game: &AnyGame,
        position: &AnyPosition,
        bottom: Player,
    ) {
        match game.view(position) {
            View::Kalah(setup) => {
                // The pits of the upper side run from right to left.
                let columns = match setup.player == bottom {
                    true => columns,
                    false => -columns,
                };
                let pits = setup.pits() as isize;
                // Empty pits are passed over.
                let next = (1..=pits)
                    .map(|far| (self.pit as isize + far * columns).rem_euclid(pits) as usize)
                    .find(|&pit| game.is_legal(position, sowing(pit)));
                if let (Some(pit), true) = (next, columns != 0) {
                    self.pit = pit;
                }
            }
            View::Isolation(setup) => {
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

    fn place(game: &str, position: Option<&str>) -> (AnyGame, AnyPosition) {
        AnyGame::at_or_start(game.parse().expect("a game"), position).expect("a position")
    }

    fn chosen(mv: &str) -> Chosen {
        Chosen::Move(mv.parse().expect("a move"))
    }

    #[test]
    fn empty_pits_are_passed_over() {
        let (game, here) = place("kalah:6x4", Some("0 4 0 0 2 0 6 4 4 4 4 4 4 12 0"));
        let mut choice = Choice::new(&game, &here);
        assert_eq!(choice.pit, 1);
        choice.shift((1, 0), &game, &here, Player::First);
        assert_eq!(choice.pit, 4);
        choice.shift((1, 0), &game, &here, Player::First);
        assert_eq!(choice.pit, 1);
        choice.shift((-1, 0), &game, &here, Player::First);
        assert_eq!(choice.pit, 4);
        assert_eq!(choice.choose_pit(0, &game, &here), Chosen::Nothing);
        assert_eq!(choice.choose_pit(11, &game, &here), Chosen::Nothing);
        assert_eq!(choice.confirm(&game, &here), chosen("4"));
    }

    #[test]
    fn classic_wants_a_step_and_a_removal() {
        let (game, here) = place("isolation:classic", None);
        let mut choice = Choice::new(&game, &here);
        assert_eq!(choice.cell, (0, 3));
        assert_eq!(choice.cells(&game, &here).len(), 5);
        assert_eq!(choice.choose_cell((5, 5), &game, &here), Chosen::Nothing);
        assert_eq!(choice.choose_cell((1, 3), &game, &here), Chosen::Step);
        // The cell just left may be removed, the one stepped on may not.
        assert_eq!(choice.cells(&game, &here).len(), 47);
        assert_eq!(choice.choose_cell((1, 3), &game, &here), Chosen::Nothing);
        assert_eq!(choice.choose_cell((0, 3), &game, &here), chosen("d2/d1"));
    }

    #[test]
    fn a_flipped_board_turns_the_arrows() {
        let (game, here) = place("isolation", None);
        let mut choice = Choice::new(&game, &here);
        choice.shift((1, 1), &game, &here, Player::First);
        assert_eq!(choice.cell, (1, 1));
        choice.shift((1, 1), &game, &here, Player::Second);
        choice.shift((1, 1), &game, &here, Player::Second);
        assert_eq!(choice.cell, (0, 0));
    }

    #[test]
    fn a_stuck_player_passes_by_enter() {
        let (game, here) = place("isolation:2x3", Some("1x./oo2 0"));
        assert!(must_pass(&game, &here));
        assert_eq!(
            Choice::new(&game, &here).confirm(&game, &here),
            chosen("pass")
        );
    }
}
