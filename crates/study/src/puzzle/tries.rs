//! Attempts to solve a puzzle.

use super::{Puzzle, Step};
use thiserror::Error;

/// How a try went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The only winning move; there are more moves to find.
    Right,
    /// The only winning move of the last step.
    Solved,
    /// A legal move that does not win.
    Wrong,
}

/// A try that has been judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt<'a> {
    /// How it went.
    pub verdict: Verdict,
    /// The step that was tried.
    pub step: &'a Step,
    /// The index of the tried move in the step's moves.
    pub tried: usize,
    /// The opponent's replies.
    pub replies: Vec<String>,
}

/// Why a try is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TryError {
    /// No move was tried.
    #[error("no move was tried")]
    Nothing,
    /// The moves before the last one are not those of the puzzle.
    #[error("move number {} does not follow the puzzle: it should be {expected}", index + 1)]
    Strayed {
        /// The move's index, from 0.
        index: usize,
        /// The move that the puzzle expects.
        expected: String,
    },
    /// The tried move is not legal.
    #[error("move {mv} is not legal here")]
    Illegal {
        /// The move's index, from 0.
        index: usize,
        /// The move.
        mv: String,
    },
    /// The puzzle was already solved.
    #[error("the puzzle is already solved after {moves} moves")]
    Over {
        /// The number of moves of the solution.
        moves: usize,
    },
}

impl Puzzle {
    /// All moves of the solution, including the opponent's replies.
    pub fn solution(&self) -> Vec<String> {
        let moves = self.steps.iter().flat_map(|step| {
            let replies = step.replies.iter().cloned();
            std::iter::once(step.solution().mv.clone()).chain(replies)
        });
        moves.collect()
    }

    /// Judges the last of `moves`, which are all moves played from the puzzle's start, including replies.
    pub fn attempt(&self, moves: &[String]) -> Result<Attempt<'_>, TryError> {
        let mut index = 0;
        for (number, step) in (1..).zip(&self.steps) {
            let mv = moves.get(index).ok_or(TryError::Nothing)?;
            let tried = step.moves.iter().position(|known| known.mv == *mv);
            let last = index + 1 == moves.len();
            let tried = match tried {
                Some(tried) if last || tried == step.solution => tried,
                Some(_) => {
                    let expected = step.solution().mv.clone();
                    return Err(TryError::Strayed { index, expected });
                }
                None => {
                    let mv = mv.chars().take(20).collect();
                    return Err(TryError::Illegal { index, mv });
                }
            };
            if last {
                let (verdict, replies) = match tried == step.solution {
                    true if number == self.steps.len() => (Verdict::Solved, Vec::new()),
                    true => (Verdict::Right, step.replies.clone()),
                    false => {
                        let answer = step.moves[tried].answer.clone();
                        (Verdict::Wrong, answer.into_iter().collect())
                    }
                };
                return Ok(Attempt {
                    verdict,
                    step,
                    tried,
                    replies,
                });
            }
            for reply in &step.replies {
                index += 1;
                if moves.get(index).is_some_and(|mv| mv != reply) {
                    let expected = reply.clone();
                    return Err(TryError::Strayed { index, expected });
                }
            }
            index += 1;
        }
        Err(TryError::Over {
            moves: self.solution().len(),
        })
    }
}
