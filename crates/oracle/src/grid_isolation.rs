//! Isolation by the letter of `book/src/players/rules.md`, on a grid of characters.

use kalahari_games::isolation::{IsolationRule, IsolationSpec};
use kalahari_games::{Outcome, Player};

/// A cell by row and column.
type At = (usize, usize);

/// An Isolation position: the characters of `book/src/players/rules.md`, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridIsolation {
    spec: IsolationSpec,
    grid: [[u8; 16]; 16],
    pieces: [Option<At>; 2],
    player: usize,
}

/// A move on the grid; `to` is `None` for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridMove {
    /// Where the piece goes.
    pub to: Option<At>,
    /// The cell that is removed afterwards.
    pub removed: Option<At>,
}

/// Everything that the rest of a game depends on: the cells that are not free, where the pieces stand, and who moves.
pub(crate) type Footing = ([u16; 16], [Option<At>; 2], usize);

impl GridIsolation {
    /// The player to move.
    pub fn player(&self) -> Player {
        Player::BOTH[self.player]
    }

    /// Everything that the rest of the game depends on.
    pub(crate) fn footing(&self) -> Footing {
        let blocked = self.grid.map(|row| {
            let taken = (0..16).filter(|&col| row[col] != b'.');
            taken.fold(0, |cells: u16, col| cells | 1 << col)
        });
        (blocked, self.pieces, self.player)
    }

    /// In `trail`: how many more cells the mover has visited than the opponent. Elsewhere 0.
    pub(crate) fn lead(&self) -> i32 {
        if self.spec.rule() != IsolationRule::Trail {
            return 0;
        }
        let cells = || self.grid.iter().flatten();
        let visited = |marks: &[u8]| cells().filter(|c| marks.contains(c)).count() as i32;
        let lead = visited(b"1x") - visited(b"2o");
        if self.player == 0 { lead } else { -lead }
    }

    /// The start of a game.
    pub fn start(spec: IsolationSpec) -> Self {
        let mut start = GridIsolation {
            spec,
            grid: [[b'.'; 16]; 16],
            pieces: [None, None],
            player: 0,
        };
        let (bottom, right) = (spec.rows() - 1, spec.cols() - 1);
        let pieces = match spec.rule() {
            IsolationRule::Trail => [Some((0, 0)), Some((bottom, right))],
            IsolationRule::Classic => [Some((0, spec.cols() / 2)), Some((bottom, spec.cols() / 2))],
            IsolationRule::Queen | IsolationRule::Knight => [None, None],
        };
        for (player, piece) in pieces.into_iter().enumerate() {
            if let Some((row, col)) = piece {
                start.grid[row][col] = b'1' + player as u8;
            }
        }
        start.pieces = pieces;
        start
    }

    /// The text of the position.
    pub fn text(&self) -> String {
        let rows: Vec<String> = self.grid[..self.spec.rows()]
            .iter()
            .map(|row| String::from_utf8_lossy(&row[..self.spec.cols()]).into_owned())
            .collect();
        format!("{} {}", rows.join("/"), self.player)
    }

    /// Calls `found` for every cell the player's piece can go to.
    fn each_destination(&self, player: usize, mut found: impl FnMut(At)) {
        let Some((row, col)) = self.pieces[player] else {
            for row in 0..self.spec.rows() {
                for col in 0..self.spec.cols() {
                    if self.grid[row][col] == b'.' {
                        found((row, col));
                    }
                }
            }
            return;
        };
        for down in -2_isize..=2 {
            for right in -2_isize..=2 {
                let (most, least) = (down.abs().max(right.abs()), down.abs().min(right.abs()));
                let (allowed, reach) = match self.spec.rule() {
                    IsolationRule::Trail => (most == 1 && least == 0, 1),
                    IsolationRule::Classic => (most == 1, 1),
                    IsolationRule::Queen => (most == 1, 16),
                    IsolationRule::Knight => (most == 2 && least == 1, 1),
                };
                if !allowed {
                    continue;
                }
                for steps in 1..=reach {
                    let r = row as isize + steps * down;
                    let c = col as isize + steps * right;
                    let on_board = (0..self.spec.rows() as isize).contains(&r)
                        && (0..self.spec.cols() as isize).contains(&c);
                    if !on_board || self.grid[r as usize][c as usize] != b'.' {
                        break;
                    }
                    found((r as usize, c as usize));
                }
            }
        }
    }

    fn count_destinations(&self, player: usize) -> u64 {
        let mut count = 0;
        self.each_destination(player, |_| count += 1);
        count
    }

    fn must_pass(&self) -> bool {
        self.spec.rule() == IsolationRule::Trail
            && self.count_destinations(self.player) == 0
            && self.count_destinations(1 - self.player) > 0
    }

    /// All legal moves.
    pub fn moves(&self) -> Vec<GridMove> {
        let mut moves = Vec::new();
        let classic = self.spec.rule() == IsolationRule::Classic;
        self.each_destination(self.player, |to| {
            if !classic {
                let removed = None;
                return moves.push(GridMove {
                    to: Some(to),
                    removed,
                });
            }
            for row in 0..self.spec.rows() {
                for col in 0..self.spec.cols() {
                    let free = self.grid[row][col] == b'.';
                    let just_left = self.pieces[self.player] == Some((row, col));
                    if (row, col) != to && (free || just_left) {
                        moves.push(GridMove {
                            to: Some(to),
                            removed: Some((row, col)),
                        });
                    }
                }
            }
        });
        if moves.is_empty() && self.must_pass() {
            let (to, removed) = (None, None);
            moves.push(GridMove { to, removed });
        }
        moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: GridMove) {
        let player = self.player;
        self.player = 1 - player;
        let Some((row, col)) = mv.to else {
            return;
        };
        if let Some((row, col)) = self.pieces[player] {
            self.grid[row][col] = match (self.spec.rule(), player) {
                (IsolationRule::Classic, _) => b'.',
                (_, 0) => b'x',
                (_, _) => b'o',
            };
        }
        self.grid[row][col] = b'1' + player as u8;
        self.pieces[player] = mv.to;
        if let Some((row, col)) = mv.removed {
            self.grid[row][col] = b'#';
        }
    }

    /// How the game ended, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.count_destinations(self.player) > 0 || self.must_pass() {
            return None;
        }
        let margin = match self.spec.rule() {
            IsolationRule::Trail => self.lead(),
            _ => -1,
        };
        Some(Outcome::from_margin(self.player(), margin))
    }

    /// How many legal moves there are.
    pub fn count_moves(&self) -> u64 {
        let steps = self.count_destinations(self.player);
        match self.spec.rule() {
            IsolationRule::Classic => {
                let cells = self.grid[..self.spec.rows()].iter();
                let free = cells
                    .flat_map(|row| &row[..self.spec.cols()])
                    .filter(|&&c| c == b'.');
                steps * free.count() as u64
            }
            _ if steps == 0 => u64::from(self.must_pass()),
            _ => steps,
        }
    }

    /// The number of move sequences of exactly `depth` moves; the last move is counted, not played.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(),
            _ => self
                .moves()
                .into_iter()
                .map(|mv| {
                    let mut child = *self;
                    child.play(mv);
                    child.perft(depth - 1)
                })
                .sum(),
        }
    }
}
