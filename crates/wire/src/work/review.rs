//! A game judged move by move.

use crate::frames::Say;
use crate::{Problem, WireResult, found};
use kalahari_agents::{AnyReport, Mind, NoAnswer, Question};
use kalahari_games::Game;
use kalahari_study::{Analysis, Effort, JudgedMove, Line, Played, review};
use kalahari_terms::{Limits, Stop};
use std::time::Duration;

/// The review of a line after its opening.
#[derive(Clone, Debug)]
pub struct Judge {
    pub(super) played: Played,
    opening: usize,
    time: Duration,
}

impl Judge {
    /// The review of a line after its opening, with about `time` for each move.
    pub fn new(line: &Line, opening: usize, time: Duration) -> WireResult<Self> {
        if line.moves.is_empty() {
            return Err(Problem::new("bad_request", "there are no moves to judge").at("line.moves"));
        }
        let played = line.play()?;
        Ok(Judge {
            played,
            opening,
            time,
        })
    }

    pub(super) fn question(&self) -> Question {
        Question::all_moves(self.played.positions[0], Limits::NONE)
    }
}

/// Judges the moves of a line from the last one to the first, and sends each judgement at once.
pub struct Reviewer {
    id: u64,
    analysis: Analysis,
    judge: Judge,
    say: Box<dyn FnMut(Say) + Send>,
}

impl Reviewer {
    /// Judges by an analysis of the game; `say` gets the frames for the client.
    pub fn new(
        id: u64,
        judge: Judge,
        analysis: Analysis,
        say: impl FnMut(Say) + Send + 'static,
    ) -> Self {
        Reviewer {
            id,
            analysis,
            judge,
            say: Box::new(say),
        }
    }
}

impl Mind for Reviewer {
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer> {
        let Reviewer {
            id,
            analysis,
            judge,
            say,
        } = self;
        let played = &judge.played;
        let game = played.game.spec().kind();
        let mut news = |judged: &JudgedMove| {
            say(Say::Reviewed(Box::new(found::reviewed(*id, judged, game))));
        };
        let effort = Effort::Time(judge.time);
        let review = review(analysis, played, judge.opening, effort, stop, &mut news)?;
        if let Some(review) = review {
            let plies = played.moves.len();
            say(Say::Review(Box::new(found::reviewing(*id, review, plies))));
        }
        // What is known by now about the first position.
        let question = Question {
            limits: Limits::depth(0),
            ..*question
        };
        analysis.answer(&question, stop, tell)
    }
}
