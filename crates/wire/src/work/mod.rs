//! What a thinker is asked, and what is said about it. A server and a worker in a browser both think by these rules;
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
    /// Every move of a line judged.
    Review(Judge),
}

/// Of each there is at most one under way; a new one takes the place of the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A move in a game.
    Move,
    /// Analysis, review, hint.
    Thought,
}

/// How to treat something that is found on the way.
#[derive(Clone, Debug, Default)]
pub struct News {
    /// What is said.
    pub say: Option<Say>,
    /// Whether nothing more has to be found.
    pub enough: bool,
}

impl Work {
    /// Whose place it takes.
    pub fn place(&self) -> Place {
        match self {
            Work::Reply(_) => Place::Move,
            Work::Analyze(_) | Work::Hint(_) | Work::Review(_) => Place::Thought,
        }
    }

    /// What it is about.
    pub fn played(&self) -> &Played {
        match self {
            Work::Reply(work) => &work.played,
            Work::Analyze(work) => &work.played,
            Work::Hint(work) => &work.played,
            Work::Review(work) => &work.played,
        }
    }

    /// What is asked.
    pub fn question(&self) -> Question {
        match self {
            Work::Reply(work) => work.question(),
            Work::Analyze(work) => work.question(),
            Work::Hint(work) => work.question(),
            Work::Review(work) => work.question(),
        }
    }

    /// How to treat something that is found on the way.
    pub fn news(&mut self, id: u64, report: &AnyReport, spent: Spent) -> News {
        match self {
            Work::Analyze(work) => work.news(id, report, spent),
            Work::Hint(work) => work.news(report, spent),
            Work::Reply(_) | Work::Review(_) => News::default(),
        }
    }

    /// What is said of an answer, and why the work is over; `ended` is why it had to end, if it had to.
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
            // It has said everything on the way.
            Work::Review(_) => Ok((None, ended.unwrap_or(Reason::Finished))),
        }
    }
}

/// The same player with tables of `mib` MiB.
pub fn with_table(spec: &AgentSpec, mib: usize) -> AgentSpec {
    spec.with(OptionKey::Hash, mib)
}
