//! A game judged move by move.

use crate::error::{ApiError, ApiResult};
use crate::socket::desk::Work;
use crate::wire::socket::{PlayerReview, Reason, Reviewed, Reviewing, Say, TurningPoint};
use crate::words;
use kalahari_games::Player;
use kalahari_search::Searchable;
use kalahari_study::{JudgedMove, Judgement, Line, LineVisitor, Measure, Played};
use std::time::Duration;

/// The review of a line, with about `time` for each move.
pub(crate) fn review(line: &Line, time: Duration) -> ApiResult<Work> {
    if line.moves.is_empty() {
        return Err(ApiError::bad("bad_request", "there are no moves to judge").at("line.moves"));
    }
    Ok(line.visit(Judge { time })?)
}

struct Judge {
    time: Duration,
}

impl LineVisitor for Judge {
    type Output = Work;

    fn visit<G: Searchable>(self, game: G, played: Played<G>) -> Work {
        Box::new(move |tools| {
            let review = kalahari_study::review(
                &game,
                &played,
                tools.hash,
                self.time,
                &tools.stop,
                &mut |judged| tools.say(Say::Reviewed(Box::new(reviewed(judged, tools.id)))),
            );
            let Some(review) = review.map_err(|error| ApiError::internal(error.to_string()))?
            else {
                return Ok(tools.reason());
            };
            let turning = review.turning_points.iter();
            let turning = turning.map(|&ply| turning_point(&review.moves[ply]));
            let players = Player::BOTH.map(|player| of_player(&review.moves, player));
            tools.say(Say::Review(Box::new(Reviewing {
                id: tools.id,
                plies: review.moves.len(),
                players: players.to_vec(),
                turning_points: turning.collect(),
                bars: review.prospects,
            })));
            Ok(Reason::Finished)
        })
    }
}

fn reviewed<M: std::fmt::Display>(judged: &JudgedMove<M>, id: u64) -> Reviewed {
    Reviewed {
        id,
        ply: judged.ply,
        player: judged.player.index(),
        mv: judged.played.to_string(),
        judgement: judged.judgement.name(),
        loss: words::amount(judged.loss),
        best: judged.best.to_string(),
        value: words::amount(judged.best_value.amount),
        value_played: words::amount(judged.played_value.amount),
        proven: judged.proven,
        unit: judged.measure.name(),
        bar: words::bar(judged.best_value, judged.player),
        words: judgement_words(judged),
    }
}

/// "Mistake: gives away 4 seeds. 2 wins by 3 seeds."
fn judgement_words<M: std::fmt::Display>(judged: &JudgedMove<M>) -> String {
    let proven = if judged.proven { "" } else { "about " };
    let lost = given_away(judged);
    let best = format!("{}: {}.", judged.best, words::of_move(judged.best_value));
    match judged.judgement {
        Judgement::Best => format!("Best. {}.", capital(&words::of_move(judged.played_value))),
        Judgement::Inaccuracy => format!("Inaccuracy: gives away {proven}{lost}. Better {best}"),
        Judgement::Mistake => format!("Mistake: gives away {proven}{lost}. Better {best}"),
        Judgement::Blunder => format!("Blunder: gives away {proven}{lost}. Better {best}"),
    }
}

fn given_away<M>(judged: &JudgedMove<M>) -> String {
    let number = words::amount(judged.loss);
    let plural = if number == 1.0 { "" } else { "s" };
    match judged.measure {
        Measure::Seeds => format!("{number} seed{plural}"),
        Measure::Cells => format!("{number} cell{plural}"),
        Measure::Points => format!("{number} point{plural}"),
        Measure::Result if judged.best_value.prospect() > 0.9 => "a win".to_owned(),
        Measure::Result => "good prospects".to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

fn turning_point<M: std::fmt::Display>(judged: &JudgedMove<M>) -> TurningPoint {
    TurningPoint {
        ply: judged.ply,
        words: format!(
            "Move {}: player {} plays {}, which gives away {}. {} was better: {}.",
            judged.ply + 1,
            judged.player,
            judged.played,
            given_away(judged),
            judged.best,
            words::of_move(judged.best_value)
        ),
    }
}

fn of_player<M>(moves: &[JudgedMove<M>], player: Player) -> PlayerReview {
    let own = || moves.iter().filter(|judged| judged.player == player);
    let count = |judgement| own().filter(|judged| judged.judgement == judgement).count();
    let loss: f64 = own().map(|judged| judged.loss).sum();
    PlayerReview {
        player: player.index(),
        best: count(Judgement::Best),
        inaccuracy: count(Judgement::Inaccuracy),
        mistake: count(Judgement::Mistake),
        blunder: count(Judgement::Blunder),
        loss: words::amount(loss),
        accuracy: count(Judgement::Best) as f64 / own().count().max(1) as f64,
    }
}
