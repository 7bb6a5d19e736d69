//! Hints and values: the engine looking over the player's shoulder.

use crate::play::brain::Brain;
use crate::play::{HINT_TIME, PitsFrom, adviser, score_text};
use kalahari_agents::{AnyReport, Question, Thought};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game};
use kalahari_terms::Limits;
use std::time::Duration;

/// How long a position is analysed.
const ANALYSIS_TIME: Duration = Duration::from_secs(30);

/// The engine as an adviser. It is made when it is first asked.
pub(crate) struct Adviser {
    game: AnyGame,
    pits_from: PitsFrom,
    brain: Option<Brain>,
    /// Whether values are shown all the time.
    pub(crate) analysis: bool,
    /// What has been found about the position shown.
    pub(crate) report: Option<AnyReport>,
    hint_wanted: bool,
    /// The move that was hinted at.
    pub(crate) hint: Option<AnyMove>,
}

impl Adviser {
    pub(crate) fn new(game: AnyGame, pits_from: PitsFrom) -> Adviser {
        Adviser {
            game,
            pits_from,
            brain: None,
            analysis: false,
            report: None,
            hint_wanted: false,
            hint: None,
        }
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.brain.as_ref().is_some_and(Brain::is_busy)
    }

    /// What each move is worth, if values are shown and known.
    pub(crate) fn values(&self) -> Option<&AnyReport> {
        self.report.as_ref().filter(|_| self.analysis)
    }

    /// Forgets what belonged to another position than the one now shown.
    pub(crate) fn look_at(&mut self, shown: &AnyPosition) {
        self.report = None;
        self.hint = None;
        self.hint_wanted = false;
        if let Some(brain) = &mut self.brain {
            brain.cancel();
        }
        if self.analysis {
            self.ask(Question::all_moves(*shown, Limits::time(ANALYSIS_TIME)));
        }
    }

    /// Turns values on or off.
    pub(crate) fn switch(&mut self, shown: &AnyPosition) {
        self.analysis = !self.analysis;
        self.look_at(shown);
    }

    /// Wants a hint; gives it if it is known, or says that it will come.
    pub(crate) fn want_hint(&mut self, shown: &AnyPosition) -> Option<String> {
        if self.game.is_over(shown) {
            return None;
        }
        self.hint_wanted = true;
        if !self.analysis {
            self.ask(Question::best(*shown, Limits::time(HINT_TIME)));
        }
        self.give_hint()
            .or(Some("Looking for a hint...".to_owned()))
    }

    fn ask(&mut self, question: Question) {
        if !self.game.is_over(&question.position) {
            let brain = self.brain.get_or_insert_with(|| adviser(&self.game));
            brain.ask(question);
        }
    }

    /// Takes what has been found in the meantime; returns a message about it, if any.
    pub(crate) fn hear(&mut self) -> Option<String> {
        let mut said = None;
        while let Some(thought) = self.brain.as_mut().and_then(Brain::poll) {
            match thought {
                Thought::Partial(report) | Thought::Answer(Ok(report)) => {
                    self.report = Some(report);
                }
                Thought::Answer(Err(why)) => {
                    self.hint_wanted = false;
                    said = Some(format!("No advice: {why}"));
                }
            }
        }
        said.or_else(|| self.give_hint())
    }

    /// The hint that the player waits for, if it is known.
    fn give_hint(&mut self) -> Option<String> {
        let report = self.report.as_ref().filter(|_| self.hint_wanted)?;
        let best = report.best?;
        let name = self.pits_from.name(best);
        let hint = format!("Hint: {name}, {}.", score_text::words(report.score));
        self.hint = Some(best);
        self.hint_wanted = false;
        Some(hint)
    }
}
