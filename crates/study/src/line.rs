//! A line: a game, where it begins, and the moves so far, as texts that nobody has vouched for.

use kalahari_games::{Game, GameSpec, IllegalMove, MoveTextError, PositionError, Totals};
use kalahari_search::{SearchVisitor, Searchable};
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

/// Why a line is not one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// The start is not a position of the game.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A move is no move at all.
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
pub struct Played<G: Game> {
    /// The positions: the one before the first move, and one after every move.
    pub positions: Vec<G::Position>,
    /// The moves, one fewer.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Played<G> {
    /// The position after the last move.
    pub fn last(&self) -> G::Position {
        self.positions[self.positions.len() - 1]
    }
}

/// Work to be done with a line that has been played through.
pub trait LineVisitor {
    /// What the work gives.
    type Output;

    /// Does the work.
    fn visit<G: Searchable>(self, game: G, played: Played<G>) -> Self::Output;
}

impl Line {
    /// Plays the line through and hands it to `visitor`, with the game that fits its seeds.
    pub fn visit<V: LineVisitor>(&self, visitor: V) -> Result<V::Output, LineError> {
        struct Play<'a, V>(&'a Line, V);
        impl<V: LineVisitor> SearchVisitor for Play<'_, V> {
            type Output = Result<V::Output, LineError>;

            fn visit<G: Searchable>(self, game: G) -> Self::Output {
                let played = self.0.play(&game)?;
                Ok(self.1.visit(game, played))
            }
        }
        let totals = match &self.start {
            None => Totals::Exact,
            Some(text) => Totals::any_for(text),
        };
        kalahari_search::visit(self.game, totals, Play(self, visitor))
    }

    fn play<G: Searchable>(&self, game: &G) -> Result<Played<G>, LineError> {
        let mut position = match &self.start {
            None => game.start(),
            Some(text) => game.parse_position(text)?,
        };
        let mut positions = vec![position];
        let mut moves = Vec::new();
        for (index, text) in self.moves.iter().enumerate() {
            let mv = text
                .parse()
                .map_err(|problem| LineError::Move { index, problem })?;
            position = game
                .play(&position, mv)
                .map_err(|problem| LineError::Illegal { index, problem })?;
            positions.push(position);
            moves.push(mv);
        }
        Ok(Played { positions, moves })
    }
}
