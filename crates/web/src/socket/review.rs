//! A game judged move by move.

use crate::error::ApiResult;
use crate::socket::desk::{Tools, Work};
use crate::socket::players;
use kalahari_agents::{AnyReport, MakeMind, Mind, NoAnswer, Question};
use kalahari_games::Game;
use kalahari_study::{Analysis, Effort, JudgedMove, Line, Played, review as judge};
use kalahari_terms::{Limits, Stop};
use kalahari_wire::frames::{Reason, Say};
use kalahari_wire::{Problem, WireResult, found};
use std::sync::Arc;
use std::time::Duration;

/// The review of a line behind its opening, with about `time` for each move.
pub(crate) fn review(line: &Line, opening: usize, time: Duration) -> WireResult<Box<dyn Work>> {
    if line.moves.is_empty() {
        return Err(Problem::new("bad_request", "there are no moves to judge").at("line.moves"));
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
            tools.say(Say::Reviewed(Box::new(found::reviewed(
                tools.id, judged, game,
            ))));
        };
        let effort = Effort::Time(self.time);
        let (analysis, played) = (&mut self.analysis, &self.played);
        let review = judge(analysis, played, self.opening, effort, stop, &mut news)?;
        if let Some(review) = review {
            let plies = self.played.moves.len();
            tools.say(Say::Review(Box::new(found::reviewing(
                tools.id, review, plies,
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
