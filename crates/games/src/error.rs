//! What can be wrong with text and moves. One type per kind of text, each saying what and where.

use crate::Player;
use thiserror::Error;

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad game '{text}' at character {at}: {problem}")]
pub struct SpecError {
    /// The text, shortened if it is very long.
    pub text: String,
    /// Where the trouble begins, counted in characters from 1.
    pub at: usize,
    /// What is wrong and what would be right.
    pub problem: String,
}

/// Why a text is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad position '{text}' at character {at}: {problem}")]
pub struct PositionError {
    /// The text, shortened if it is very long.
    pub text: String,
    /// Where the trouble begins, counted in characters from 1.
    pub at: usize,
    /// What is wrong and what would be right.
    pub problem: String,
}

/// Why a text is not a move of any position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad move '{text}' at character {at}: {problem}")]
pub struct MoveTextError {
    /// The text, shortened if it is very long.
    pub text: String,
    /// Where the trouble begins, counted in characters from 1.
    pub at: usize,
    /// What is wrong and what would be right.
    pub problem: String,
}

/// Why a move may not be played in a position. The position is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// The game is already over.
    #[error("move {mv} is illegal: the game is over")]
    GameOver {
        /// The move.
        mv: String,
    },
    /// The rules forbid it.
    #[error("move {mv} is illegal for player {player}: {why}")]
    Forbidden {
        /// The move.
        mv: String,
        /// Who wanted to play it.
        player: Player,
        /// What is wrong with it.
        why: String,
    },
}
