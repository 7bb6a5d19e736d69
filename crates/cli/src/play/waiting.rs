//! Waiting for an agent that thinks long: lines on standard error say what it has found and how far a proof is.

use super::brain::Brain;
use super::score_text;
use kalahari_agents::{AnyReport, NoAnswer, Thought};
use std::time::{Duration, Instant};

/// How often there is a line. Screen readers read it out, so it comes seldom, on a terminal as well as in a pipe.
const A_LINE_EVERY: Duration = Duration::from_secs(4);

/// Progress that is heard while waiting for an answer.
pub(super) struct Waiting {
    begin: Instant,
    last: Option<AnyReport>,
}

impl Waiting {
    /// Waiting begins now.
    pub(super) fn new() -> Self {
        Waiting {
            begin: Instant::now(),
            last: None,
        }
    }

    /// The answer to the open question; `None` if it takes longer than `patience`.
    pub(super) fn answer_within(
        &mut self,
        brain: &mut Brain,
        patience: Duration,
    ) -> Option<Result<AnyReport, NoAnswer>> {
        let begin = Instant::now();
        loop {
            match brain.thought_within(patience.saturating_sub(begin.elapsed())) {
                Some(Thought::Answer(answer)) => return Some(answer),
                Some(Thought::Partial(report)) => self.last = Some(report),
                None if !brain.is_busy() => return Some(Err(NoAnswer::Panicked)),
                None => return None,
            }
        }
    }

    /// Waits for the answer to the open question, and tells how far it is.
    pub(super) fn answer(mut self, brain: &mut Brain, name: &str) -> Result<AnyReport, NoAnswer> {
        loop {
            match self.answer_within(brain, A_LINE_EVERY) {
                Some(answer) => return answer,
                None => eprintln!("{}", self.line(name)),
            }
        }
    }

    /// What is known by now.
    fn line(&self, name: &str) -> String {
        let seconds = self.begin.elapsed().as_secs();
        let mut line = format!("{name} is still thinking, {seconds} s");
        if let Some(report) = &self.last {
            let worth = score_text::words(report.score);
            line += &format!(": {worth}, depth {}", report.depth);
            if let Some(outlook) = report.outlook_words() {
                line += &format!("; {outlook}");
            }
        }
        line
    }
}
