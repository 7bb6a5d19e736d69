//! A line: a game, its start and the moves so far, as text that has not been checked.

use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec};
use kalahari_games::{IllegalMove, MoveTextError, PositionError};
use thiserror::Error;

/// A game in text form, as it is sent between programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The game.
    pub game: GameSpec,
    /// The position before the first move; `None` for the game's own start. In Kalah it may hold any number of seeds.
    pub start: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// Why a line is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// The start is not a position of the game.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A text is not a move.
    #[error("{problem} (move number {} of the list)", index + 1)]
    Move {
        /// The move's index in the list, from 0.
        index: usize,
        /// What is wrong with it.
        problem: MoveTextError,
    },
    /// A move is illegal.
    #[error("{problem} (move number {} of the list)", index + 1)]
    Illegal {
        /// The move's index in the list, from 0.
        index: usize,
        /// What is wrong with it.
        problem: IllegalMove,
    },
}

/// A line that has been replayed.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game, with a board for the line's number of seeds.
    pub game: AnyGame,
    /// The positions: the one before the first move, and one after every move.
    pub positions: Vec<AnyPosition>,
    /// The moves; there is one fewer than there are positions.
    pub moves: Vec<AnyMove>,
}

impl Played {
    /// A line without moves.
    pub fn new(game: AnyGame, start: AnyPosition) -> Self {
        Played {
            game,
            positions: vec![start],
            moves: Vec::new(),
        }
    }

    /// The position after the last move.
    pub fn last(&self) -> AnyPosition {
        self.positions[self.positions.len() - 1]
    }

    /// Plays another move, if it is legal.
    pub fn play(&mut self, mv: AnyMove) -> Result<(), IllegalMove> {
        self.positions.push(self.game.play(&self.last(), mv)?);
        self.moves.push(mv);
        Ok(())
    }
}

impl Line {
    /// Replays the line, on a board for its number of seeds.
    pub fn play(&self) -> Result<Played, LineError> {
        let (game, start) = AnyGame::at_or_start(self.game, self.start.as_deref())?;
        let mut played = Played::new(game, start);
        for (index, text) in self.moves.iter().enumerate() {
            let mv = played.game.parse_move(text);
            let mv = mv.map_err(|problem| LineError::Move { index, problem })?;
            let done = played.play(mv);
            done.map_err(|problem| LineError::Illegal { index, problem })?;
        }
        Ok(played)
    }
}
