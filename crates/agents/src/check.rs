//! Finds mistakes in a spec that do not depend on the game, before any game begins.

use crate::build::build;
use crate::{AgentError, AgentProblem, AgentSpec};
use kalahari_games::AnyGame;
use kalahari_search::eval::EvalError;

/// A small game of every kind whose agents have options of their own.
const GAMES: [&str; 5] = [
    "kalah:4x3",
    "isolation:5x5:trail",
    "isolation:5x5:classic",
    "isolation:5x5:queen",
    "isolation:5x5:knight",
];

impl AgentSpec {
    /// Fails if the options are wrong in every game: a level that does not exist, or text where a number is expected. Problems
    /// that depend on the game, on files or on the machine are reported when a [`Player`](crate::Player) is made. External
    /// programs are not started.
    pub fn check(&self) -> Result<(), AgentError> {
        if self.kind().is_foreign() {
            return Ok(());
        }
        let mut first = None;
        for game in GAMES {
            let Ok(game) = game.parse().map(AnyGame::new) else {
                continue;
            };
            match build(self, &game, 1) {
                Err(error) if is_of_options(&error.problem) => first = first.or(Some(error)),
                _ => return Ok(()),
            }
        }
        first.map_or(Ok(()), Err)
    }
}

/// Whether the options themselves are wrong, as opposed to a file or a resource that they need.
fn is_of_options(problem: &AgentProblem) -> bool {
    matches!(
        problem,
        AgentProblem::Twice(_)
            | AgentProblem::UnknownOption { .. }
            | AgentProblem::NoOption(_)
            | AgentProblem::Unreadable { .. }
            | AgentProblem::OutOfRange { .. }
            | AgentProblem::NoSwitch { .. }
            | AgentProblem::NoLevel
            | AgentProblem::Time(_)
            | AgentProblem::Parameter(_)
            | AgentProblem::Eval(EvalError::Unknown { .. } | EvalError::Parameter(_))
    )
}
