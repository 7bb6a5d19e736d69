//! A line: a game, where it begins, and the moves so far, as texts that have not been checked.

use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec};
use kalahari_games::{IllegalMove, MoveTextError, PositionError};
use thiserror::Error;

/// A game as it travels: as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The game.
    pub game: GameSpec,
    /// The position before the first move; `None` is the game's own start. In Kalah it may hold any number of seeds.
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
    /// A text is not a move at all.
    #[error("{problem} (move number {} of the list)", index + 1)]
    Move {
        /// The move's place in the list, from 0.
        index: usize,
        /// What is wrong with it.
        problem: MoveTextError,
    },
    /// A move may not be played.
    #[error("{problem} (move number {} of the list)", index + 1)]
    Illegal {
        /// The move's place in the list, from 0.
        index: usize,
        /// What is wrong with it.
        problem: IllegalMove,
    },
}

/// A line that has been played through.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game, which fits the line's seeds.
    pub game: AnyGame,
    /// The positions: the one before the first move, and one after every move.
    pub positions: Vec<AnyPosition>,
    /// The moves, one fewer.
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

    /// Plays another move, or says why it may not be played.
    pub fn play(&mut self, mv: AnyMove) -> Result<(), IllegalMove> {
        self.positions.push(self.game.play(&self.last(), mv)?);
        self.moves.push(mv);
        Ok(())
    }
}

impl Line {
    /// Plays the line through, in the game that fits its seeds.
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
