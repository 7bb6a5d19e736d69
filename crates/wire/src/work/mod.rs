//! What a thinker is asked, and which frames answer it. A server and a worker in a browser both think by these rules;
//! they differ only in how they wait, share and stop.

mod analyze;
mod order;
mod reply;
mod review;

pub use analyze::{Analyze, GiveHint};
pub use order::{Most, Order, Task};
pub use reply::{Answer, PROOF, proving_time};
pub use review::{Judge, Reviewer};

use crate::WireResult;
use crate::found::Spent;
use crate::frames::{Reason, Say};
use kalahari_agents::{AgentSpec, AnyReport, OptionKey, Question};
use kalahari_study::Played;

/// Something to think about.
#[derive(Clone, Debug)]
pub enum Work {
    /// An opponent's move.
    Reply(Answer),
    /// The value of every move.
    Analyze(Analyze),
    /// A good move.
    Hint(GiveHint),
    /// A judgement of every move of a line.
    Review(Judge),
}

/// A place for work. At most one piece of work has each place; a new one replaces the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A move in a game.
    Move,
    /// Analysis, review, hint.
    Thought,
}

/// How to treat an intermediate result.
#[derive(Clone, Debug, Default)]
pub struct News {
    /// The frame to send, if any.
    pub say: Option<Say>,
    /// Whether the search can stop now.
    pub enough: bool,
}

impl Work {
    /// The place that it takes.
    pub fn place(&self) -> Place {
        match self {
            Work::Reply(_) => Place::Move,
            Work::Analyze(_) | Work::Hint(_) | Work::Review(_) => Place::Thought,
        }
    }

    /// The line that it is about.
    pub fn played(&self) -> &Played {
        match self {
            Work::Reply(work) => &work.played,
            Work::Analyze(work) => &work.played,
            Work::Hint(work) => &work.played,
            Work::Review(work) => &work.played,
        }
    }

    /// The question to the thinker.
    pub fn question(&self) -> Question {
        match self {
            Work::Reply(work) => work.question(),
            Work::Analyze(work) => work.question(),
            Work::Hint(work) => work.question(),
            Work::Review(work) => work.question(),
        }
    }

    /// How to treat an intermediate result.
    pub fn news(&mut self, id: u64, report: &AnyReport, spent: Spent) -> News {
        match self {
            Work::Analyze(work) => work.news(id, report, spent),
            Work::Hint(work) => work.news(report, spent),
            Work::Reply(_) | Work::Review(_) => News::default(),
        }
    }

    /// The frame for an answer, if any, and why the work is over; `ended` is why it was ended early, if it was.
    pub fn answer(
        &mut self,
        id: u64,
        report: &AnyReport,
        spent: Spent,
        ended: Option<Reason>,
    ) -> WireResult<(Option<Say>, Reason)> {
        match self {
            Work::Reply(work) => work.answer(id, report, spent, ended),
            Work::Analyze(work) => Ok(work.answer(id, report, spent, ended)),
            Work::Hint(work) => Ok(work.answer(id, report, ended)),
            // All its frames have been sent already.
            Work::Review(_) => Ok((None, ended.unwrap_or(Reason::Finished))),
        }
    }
}

/// The same player with tables of `mib` MiB.
pub fn with_table(spec: &AgentSpec, mib: usize) -> AgentSpec {
    spec.with(OptionKey::Hash, mib)
}
