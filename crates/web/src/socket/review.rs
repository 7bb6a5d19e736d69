//! A game judged move by move.

use crate::error::{ApiError, ApiResult};
use crate::socket::desk::{Tools, Work};
use crate::socket::players;
use crate::wire::socket::{PlayerReview, Reason, Reviewed, Reviewing, Say, TurningPoint};
use crate::words::{self, Shown, Unit};
use kalahari_agents::{AnyReport, MakeMind, Mind, NoAnswer, Question};
use kalahari_games::{Game, GameKind, Player};
use kalahari_study::{
    Analysis, Effort, Figures, JudgedMove, Judgement, Line, Played, Review, review as judge,
};
use kalahari_terms::{Limits, Stop};
use std::sync::Arc;
use std::time::Duration;

/// The review of a line behind its opening, with about `time` for each move.
pub(crate) fn review(line: &Line, opening: usize, time: Duration) -> ApiResult<Box<dyn Work>> {
    if line.moves.is_empty() {
        return Err(ApiError::bad("bad_request", "there are no moves to judge").at("line.moves"));
    }
    let played = line.play()?;
    Ok(Box::new(Judge {
        played,
        opening,
        time,
    }))
}

struct Judge {
    played: Played,
    opening: usize,
    time: Duration,
}

impl Work for Judge {
    fn question(&self) -> Question {
        Question::all_moves(self.played.positions[0], Limits::NONE)
    }

    fn mind(&self, tools: &Arc<Tools>) -> MakeMind {
        let (played, tools) = (self.played.clone(), tools.clone());
        let (opening, time) = (self.opening, self.time);
        Box::new(move || -> Result<Box<dyn Mind>, NoAnswer> {
            Ok(Box::new(Reviewer {
                analysis: players::analysis(&played.game, tools.hash)?,
                played: played.clone(),
                opening,
                time,
                tools: tools.clone(),
            }))
        })
    }

    fn answer(&mut self, _: &AnyReport, tools: &Tools) -> ApiResult<Reason> {
        Ok(tools.ended().unwrap_or(Reason::Finished))
    }
}

/// Comes to the beginning of a line from its end, and says on the way what it thinks of the moves.
struct Reviewer {
    analysis: Analysis,
    played: Played,
    opening: usize,
    time: Duration,
    tools: Arc<Tools>,
}

impl Mind for Reviewer {
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer> {
        let tools = &self.tools;
        let game = self.played.game.spec().kind();
        let mut news = |judged: &JudgedMove| {
            tools.say(Say::Reviewed(Box::new(reviewed(judged, game, tools.id))));
        };
        let effort = Effort::Time(self.time);
        let (analysis, played) = (&mut self.analysis, &self.played);
        let review = judge(analysis, played, self.opening, effort, stop, &mut news)?;
        if let Some(review) = review {
            let plies = self.played.moves.len();
            tools.say(Say::Review(Box::new(summary(
                review, plies, game, tools.id,
            ))));
        }
        // What is known by now of the beginning.
        let limits = Limits::depth(0);
        let question = Question {
            limits,
            ..*question
        };
        self.analysis.answer(&question, stop, tell)
    }
}

fn summary(review: Review, plies: usize, game: GameKind, id: u64) -> Reviewing {
    let turned = |judged: &&JudgedMove| review.turning_points.contains(&judged.ply);
    let turning = review.moves.iter().filter(turned);
    let turning = turning.map(|judged| turning_point(judged, game));
    let players = Player::BOTH.map(|player| of_player(&review.moves, player));
    Reviewing {
        id,
        plies,
        players: players.to_vec(),
        turning_points: turning.collect(),
        bars: review.prospects,
    }
}

fn reviewed(judged: &JudgedMove, game: GameKind, id: u64) -> Reviewed {
    let loss = Shown::of_loss(judged.loss, judged.is_proven(), game);
    Reviewed {
        id,
        ply: judged.ply,
        player: judged.player.index(),
        mv: judged.played.to_string(),
        judgement: judged.judgement.name(),
        loss: loss.value,
        best: judged.best.to_string(),
        value: Shown::new(judged.best_score, game).value,
        value_played: Shown::new(judged.played_score, game).value,
        proven: loss.proven,
        unit: loss.unit.name(),
        bar: words::bar(judged.best_score),
        words: judgement_words(judged, game),
    }
}

/// "Mistake: gives away 4 seeds. Better 2: wins by 3 seeds."
fn judgement_words(judged: &JudgedMove, game: GameKind) -> String {
    let about = if judged.is_proven() { "" } else { "about " };
    let worth = |score| Shown::new(score, game).of_move();
    match judged.judgement {
        Judgement::Best => format!("Best. {}.", words::capital(&worth(judged.played_score))),
        judgement => format!(
            "{}: gives away {about}{}. Better {}: {}.",
            words::capital(judgement.name()),
            given_away(judged, game),
            judged.best,
            worth(judged.best_score)
        ),
    }
}

fn given_away(judged: &JudgedMove, game: GameKind) -> String {
    let loss = Shown::of_loss(judged.loss, judged.is_proven(), game);
    match loss.unit {
        Unit::Result if judged.best_score.prospect() > 0.9 => "a win".to_owned(),
        Unit::Result => "good prospects".to_owned(),
        _ => loss.counted(),
    }
}

fn turning_point(judged: &JudgedMove, game: GameKind) -> TurningPoint {
    TurningPoint {
        ply: judged.ply,
        words: format!(
            "Move {}: player {} plays {}, which gives away {}. {} was better: {}.",
            judged.ply + 1,
            judged.player,
            judged.played,
            given_away(judged, game),
            judged.best,
            Shown::new(judged.best_score, game).of_move()
        ),
    }
}

fn of_player(moves: &[JudgedMove], player: Player) -> PlayerReview {
    let own = || moves.iter().filter(|judged| judged.player == player);
    let count = |judgement| own().filter(|judged| judged.judgement == judgement).count();
    let loss: f64 = own().map(|judged| judged.loss.amount()).sum();
    PlayerReview {
        player: player.index(),
        best: count(Judgement::Best),
        inaccuracy: count(Judgement::Inaccuracy),
        mistake: count(Judgement::Mistake),
        blunder: count(Judgement::Blunder),
        loss: words::rounded(loss),
        accuracy: Figures::of(own()).accuracy().unwrap_or(1.0),
    }
}
