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
    /// The limits of the search. If a player's spec names limits for a move, those apply instead; the game clock always applies.
    pub limits: Limits,
    /// Whether the value of every legal move is wanted, not only that of the best move.
    pub all_moves: bool,
}

impl Question {
    /// Asks for the best move within these limits.
    pub const fn best(position: AnyPosition, limits: Limits) -> Self {
        Question {
            position,
            limits,
            all_moves: false,
        }
    }

    /// Asks for the value of every move within these limits.
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
    /// The search panicked, which is a bug in this program.
    #[error("the search failed; this is a bug in the program")]
    Panicked,
    /// No thread can be started.
    #[error("too many searches at once: try again later")]
    NoThread,
}

/// Thinks about the positions of one game, one after the other. What it learns from one position it may use for the next.
pub trait Mind: Send {
    /// Answers a question. `tell` is called with intermediate results.
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer>;

    /// The limits that apply to a question, including the mind's own.
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
