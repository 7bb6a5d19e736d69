//! Isolation positions as text, not yet checked against a game.

use crate::isolation::MAX_SIDE;
use crate::text::{Trouble, located, serde_as_text};
use crate::{Player, PositionError};
use std::fmt;
use std::str::FromStr;

/// What is on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellState {
    /// `.`: nothing.
    Free,
    /// `1` or `2`: a player's piece.
    Piece(Player),
    /// `x` or `o`: left behind by a player.
    Left(Player),
    /// `#`: blocked, but left by no player.
    Blocked,
}

impl CellState {
    const ALL: [CellState; 6] = [
        CellState::Free,
        CellState::Piece(Player::First),
        CellState::Piece(Player::Second),
        CellState::Left(Player::First),
        CellState::Left(Player::Second),
        CellState::Blocked,
    ];

    /// Its character in the text of a position (`book/src/players/rules.md`).
    pub const fn symbol(self) -> char {
        match self {
            CellState::Free => '.',
            CellState::Piece(Player::First) => '1',
            CellState::Piece(Player::Second) => '2',
            CellState::Left(Player::First) => 'x',
            CellState::Left(Player::Second) => 'o',
            CellState::Blocked => '#',
        }
    }
}

/// The rows from the first on and the player to move: what an Isolation position says, not yet
/// checked against a game. Text form: `1x./.o#/..2 0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IsolationSetup {
    /// Rows of equal length.
    pub rows: Vec<Vec<CellState>>,
    /// Who is to move.
    pub player: Player,
}

impl fmt::Display for IsolationSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, row) in self.rows.iter().enumerate() {
            if i > 0 {
                f.write_str("/")?;
            }
            for cell in row {
                write!(f, "{}", cell.symbol())?;
            }
        }
        write!(f, " {}", self.player)
    }
}

impl FromStr for IsolationSetup {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        read(text).map_err(|trouble| located!(PositionError, text, trouble))
    }
}

fn read(text: &str) -> Result<IsolationSetup, Trouble<'_>> {
    let trimmed = text.trim();
    let Some((board, player)) = trimmed.split_once(char::is_whitespace) else {
        return Err(Trouble::at_end(
            trimmed,
            "the player to move, 0 or 1, must follow the rows after a space",
        ));
    };
    let player = player.trim_start();
    let mover = match player {
        "0" => Player::First,
        "1" => Player::Second,
        _ => return Err(Trouble::new(player, "the player to move must be 0 or 1")),
    };
    let mut rows: Vec<Vec<CellState>> = Vec::new();
    for text in board.split('/') {
        if rows.len() == MAX_SIDE {
            return Err(Trouble::new(text, format!("more than {MAX_SIDE} rows")));
        }
        let row = read_row(text)?;
        if let Some(first) = rows.first()
            && first.len() != row.len()
        {
            let (length, expected) = (row.len(), first.len());
            let problem = format!("a row of {length} cells below a row of {expected}");
            return Err(Trouble::new(text, problem));
        }
        rows.push(row);
    }
    Ok(IsolationSetup {
        rows,
        player: mover,
    })
}

fn read_row(text: &str) -> Result<Vec<CellState>, Trouble<'_>> {
    if text.is_empty() {
        return Err(Trouble::new(text, "a row is empty"));
    }
    if let Some((at, _)) = text.char_indices().nth(MAX_SIDE) {
        let problem = format!("more than {MAX_SIDE} cells in a row");
        return Err(Trouble::new(&text[at..], problem));
    }
    text.char_indices()
        .map(|(at, symbol)| {
            let known = CellState::ALL.into_iter().find(|s| s.symbol() == symbol);
            known.ok_or_else(|| {
                let problem = "a cell is one of . 1 2 x o #";
                Trouble::new(&text[at..], problem)
            })
        })
        .collect()
}

serde_as_text!(IsolationSetup);
