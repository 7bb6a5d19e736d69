//! What thinks about positions: a player, or an analysis of every move.

use crate::{AgentError, AnyReport, Player};
use kalahari_games::AnyPosition;
use kalahari_terms::{Failure, Limits, Stop};
use thiserror::Error;

/// What is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub position: AnyPosition,
    /// What may be spent on it. Limits of a move that a player's spec names take their place; the clock of a game binds everybody.
    pub limits: Limits,
    /// Whether the value of every legal move is wanted, not only the best one's.
    pub all_moves: bool,
}

impl Question {
    /// What to play, within these limits.
    pub const fn best(position: AnyPosition, limits: Limits) -> Self {
        Question {
            position,
            limits,
            all_moves: false,
        }
    }

    /// What every move is worth, within these limits.
    pub const fn all_moves(position: AnyPosition, limits: Limits) -> Self {
        Question {
            position,
            limits,
            all_moves: true,
        }
    }
}

/// Why there is no answer to a question.
#[derive(Debug, Error)]
pub enum NoAnswer {
    /// There is no such agent.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The agent has failed.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The agent broke down: a mistake in this program.
    #[error("the search failed; this is a bug in the program")]
    Panicked,
    /// No thread can be started.
    #[error("too many searches at once: try again later")]
    NoThread,
}

/// Thinks about the positions of one game, one after the other. It may use what it has learned from one for the next.
pub trait Mind: Send {
    /// Answers a question; `tell` hears what is found on the way.
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer>;

    /// The limits that hold for a question, the mind's own included.
    fn limits(&self, asked: Limits) -> Limits {
        asked
    }
}

impl Mind for Player {
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer> {
        let Question {
            position,
            limits,
            all_moves,
        } = question;
        Ok(self.think(position, *limits, stop, *all_moves, tell)?)
    }

    fn limits(&self, asked: Limits) -> Limits {
        Player::limits(self, asked)
    }
}
