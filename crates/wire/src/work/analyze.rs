//! Analysis of a position, and hints.

use super::News;
use crate::found::{self, Spent};
use crate::frames::{Reason, Say};
use crate::{WireResult, show};
use kalahari_agents::{AnyReport, Question};
use kalahari_study::{Line, Played};
use kalahari_terms::Limits;
use std::time::Duration;

/// How long a hint is thought about, not counting the time it waits.
const HINT: Duration = Duration::from_millis(300);

/// The analysis of a line's last position.
#[derive(Clone, Debug)]
pub struct Analyze {
    pub(super) played: Played,
    depth: Option<u32>,
}

impl Analyze {
    /// The analysis of a line's last position, to a depth if that is limited.
    pub fn new(line: &Line, depth: Option<u32>) -> WireResult<Self> {
        let played = line.play()?;
        Ok(Analyze { played, depth })
    }

    pub(super) fn question(&self) -> Question {
        let limits = self.depth.map_or(Limits::NONE, Limits::depth);
        Question::all_moves(self.played.last(), limits)
    }

    pub(super) fn news(&self, id: u64, report: &AnyReport, spent: Spent) -> News {
        let info = found::info(id, &self.played, report, spent);
        News {
            say: Some(Say::Info(Box::new(info))),
            enough: false,
        }
    }

    pub(super) fn answer(
        &self,
        id: u64,
        report: &AnyReport,
        spent: Spent,
        ended: Option<Reason>,
    ) -> (Option<Say>, Reason) {
        let say = match found::has_looked(report) {
            true => self.news(id, report, spent).say,
            false => None,
        };
        let scores = report.moves.iter().map(|(_, score)| score);
        let settled = scores.chain([&report.score]).all(|score| score.is_proven());
        let deep = self.depth.is_some_and(|most| report.depth >= most);
        let reason = match ended {
            _ if settled => Reason::Finished,
            Some(reason) => reason,
            None if deep => Reason::Limit,
            None => Reason::Finished,
        };
        (say, reason)
    }
}

/// A good move in a line's last position.
#[derive(Clone, Debug)]
pub struct GiveHint {
    pub(super) played: Played,
    /// The last depth that was finished.
    depth: u32,
}

impl GiveHint {
    /// A good move in a line's last position.
    pub fn new(line: &Line) -> WireResult<Self> {
        let played = line.play()?;
        show::going_on(&played)?;
        Ok(GiveHint { played, depth: 0 })
    }

    pub(super) fn question(&self) -> Question {
        Question::all_moves(self.played.last(), Limits::NONE)
    }

    pub(super) fn news(&mut self, report: &AnyReport, spent: Spent) -> News {
        // The next depth would take several times as long as all before it.
        let enough = report.depth > self.depth && spent.ran * 3 >= HINT;
        self.depth = report.depth;
        News { say: None, enough }
    }

    pub(super) fn answer(
        &self,
        id: u64,
        report: &AnyReport,
        ended: Option<Reason>,
    ) -> (Option<Say>, Reason) {
        let hint = match ended {
            None | Some(Reason::Limit) => found::hint(id, &self.played, report),
            Some(_) => None,
        };
        let say = hint.map(|hint| Say::Hint(Box::new(hint)));
        (say, ended.unwrap_or(Reason::Finished))
    }
}
