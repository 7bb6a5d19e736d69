//! Hints and values: the engine looking over the player's shoulder.

use crate::play::rulebook::{Rulebook, Situation};
use crate::play::thinker::{Finding, Question, Thinker, Thought};
use crate::play::{ANALYST, HINT_TIME};
use std::time::Duration;

/// How long a position is analysed.
const ANALYSIS_TIME: Duration = Duration::from_secs(30);

/// The engine as an adviser. It is made when it is first asked.
pub(crate) struct Adviser {
    rules: Rulebook,
    thinker: Option<Thinker>,
    /// Whether values are shown all the time.
    pub(crate) analysis: bool,
    /// What has been found about the position shown.
    pub(crate) finding: Option<Finding>,
    hint_wanted: bool,
    /// The move that was hinted at.
    pub(crate) hint: Option<String>,
}

impl Adviser {
    pub(crate) fn new(rules: Rulebook) -> Adviser {
        Adviser {
            rules,
            thinker: None,
            analysis: false,
            finding: None,
            hint_wanted: false,
            hint: None,
        }
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.thinker.as_ref().is_some_and(Thinker::is_busy)
    }

    /// What each move is worth, if values are shown and known.
    pub(crate) fn values(&self) -> Option<&Finding> {
        self.finding.as_ref().filter(|_| self.analysis)
    }

    /// Forgets what belonged to another position than the one now shown.
    pub(crate) fn look_at(&mut self, shown: &Situation) {
        self.finding = None;
        self.hint = None;
        self.hint_wanted = false;
        if let Some(thinker) = &mut self.thinker {
            thinker.cancel();
        }
        if self.analysis {
            self.ask(shown, Question::Values(ANALYSIS_TIME));
        }
    }

    /// Turns values on or off.
    pub(crate) fn switch(&mut self, shown: &Situation) {
        self.analysis = !self.analysis;
        self.look_at(shown);
    }

    /// Wants a hint; gives it if it is known, or says that it will come.
    pub(crate) fn want_hint(&mut self, shown: &Situation) -> Option<String> {
        if shown.outcome.is_some() {
            return None;
        }
        self.hint_wanted = true;
        if !self.analysis {
            self.ask(shown, Question::Best(HINT_TIME));
        }
        self.give_hint()
            .or(Some("Looking for a hint...".to_owned()))
    }

    fn ask(&mut self, shown: &Situation, question: Question) {
        if shown.outcome.is_none() {
            let make = || Thinker::new(ANALYST.clone(), self.rules, 0);
            let thinker = self.thinker.get_or_insert_with(make);
            thinker.ask(&shown.text, question);
        }
    }

    /// Takes what has been found in the meantime; gives what is to be said about it.
    pub(crate) fn hear(&mut self) -> Option<String> {
        let mut said = None;
        while let Some(thought) = self.thinker.as_mut().and_then(Thinker::poll) {
            match thought {
                Thought::Partial(finding) | Thought::Done(finding) => self.finding = Some(finding),
                Thought::Failed(why) => {
                    self.hint_wanted = false;
                    said = Some(format!("No advice: {why}"));
                }
            }
        }
        said.or_else(|| self.give_hint())
    }

    /// The hint that somebody waits for, if it is known.
    fn give_hint(&mut self) -> Option<String> {
        let finding = self.finding.as_ref().filter(|_| self.hint_wanted)?;
        let best = finding.best.clone()?;
        let hint = format!("Hint: {best}, {}.", finding.worth.words());
        self.hint = Some(best);
        self.hint_wanted = false;
        Some(hint)
    }
}
