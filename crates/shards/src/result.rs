//! Whether the result of a game follows from its moves.

use kalahari_arena::{Ending, GameRecord};
use kalahari_games::{Game, Outcome, Player};

/// What is wrong with a game, in words.
pub(crate) struct Wrong(pub(crate) String);

/// Plays the moves of a record, and compares its result with what the rules say, as far as they say anything: a result that both agents
/// have proven is believed.
pub(crate) fn check_result(record: &GameRecord) -> Result<(), Wrong> {
    let (game, positions) = record.replay().map_err(|error| Wrong(error.to_string()))?;
    let Some(last) = positions.last() else {
        return Ok(());
    };
    let said = (record.winner, record.margin);
    let wanted = match (game.outcome(last), record.ending) {
        (Some(outcome), Ending::Rules) => of(outcome),
        (Some(_), ending) => {
            let name = ending.name();
            return Err(Wrong(format!("over by the rules, but not by '{name}'")));
        }
        (None, Ending::Rules) => return Err(Wrong("it is not over".to_owned())),
        (None, Ending::Unfinished) => return Err(Wrong("it is not finished".to_owned())),
        (None, Ending::Majority) => {
            let (least, most) = game.reachable(last);
            if least <= 0 && most >= 0 {
                return Err(Wrong("either player could still win".to_owned()));
            }
            of(Outcome::from_margin(game.to_move(last), (least + most) / 2))
        }
        // Whoever was to move has lost.
        (None, Ending::Time | Ending::Illegal | Ending::Crash) => (Some(!game.to_move(last)), None),
        (None, Ending::Proven | Ending::Resigned) => said,
    };
    match said == wanted {
        true => Ok(()),
        false => Err(Wrong(format!(
            "the result {} does not follow from its moves",
            record.result_text()
        ))),
    }
}

/// The winner, and the first player's margin.
fn of(outcome: Outcome) -> (Option<Player>, Option<i32>) {
    let margin = outcome.margin(Player::First);
    (outcome.winner(), Some(margin))
}
