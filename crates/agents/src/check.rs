//! What is wrong with a spec whatever game it is for, said before anybody plays.

use crate::build::build;
use crate::{AgentError, AgentProblem, AgentSpec};
use kalahari_games::AnyGame;
use kalahari_search::eval::EvalError;

/// A small game of every kind that has options of its own.
const GAMES: [&str; 5] = [
    "kalah:4x3",
    "isolation:5x5:trail",
    "isolation:5x5:classic",
    "isolation:5x5:queen",
    "isolation:5x5:knight",
];

impl AgentSpec {
    /// Says what is wrong with the options, if they are wrong in every game: a level that there is not, a word that is no number. What
    /// depends on the game, on files or on the machine is said when a [`Player`](crate::Player) is made, and other programs are
    /// not started.
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

/// Whether the options are wrong, and not what they need.
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
