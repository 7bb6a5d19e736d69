//! A client's frame, read.

use super::{Analyze, Answer, GiveHint, Judge, Work};
use crate::frames::{Ask, AskKind};
use crate::opponents::OwnAgents;
use crate::{Problem, WireResult};
use kalahari_study::Line;
use std::time::Duration;

/// How long an analysis thinks unless told otherwise.
const ANALYSIS: Duration = Duration::from_secs(60);
/// How long a review thinks about a move unless told otherwise.
const REVIEW: Duration = Duration::from_millis(200);
/// How long a hint may take, waiting included.
const HINT: Duration = Duration::from_secs(3);

/// The most that a client may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// The longest analysis of one position.
    pub analysis: Duration,
    /// The longest a review may think about one move.
    pub review_per_move: Duration,
}

impl Most {
    /// The limits where a page runs without a server: no other client shares its machine.
    pub const ALONE: Most = Most {
        analysis: Duration::from_secs(3_600),
        review_per_move: Duration::from_secs(2),
    };
}

/// What a client wants.
#[derive(Clone, Debug)]
pub enum Order {
    /// The end of what has this id, or of everything.
    Stop(Option<u64>),
    /// Something to think about.
    Think(Box<Task>),
}

/// Something to think about, and how long that may take.
#[derive(Clone, Debug)]
pub struct Task {
    /// Every answer carries it.
    pub id: u64,
    /// How long it may take, waiting included; `None` if the work needs no limit.
    pub time: Option<Duration>,
    /// What to think about.
    pub work: Work,
}

impl Order {
    /// Reads what a client asks for; `own` are opponents that only this place has.
    pub fn read(ask: Ask, own: &OwnAgents, most: &Most) -> WireResult<Order> {
        let limit = ask.limit.unwrap_or_default();
        let time = |default: Duration, most: Duration| {
            let asked = limit.time_ms.map(Duration::from_millis);
            asked.unwrap_or(default).min(most)
        };
        let (time, work) = match ask.kind {
            AskKind::Stop => return Ok(Order::Stop(ask.target)),
            // Nothing to think about: a server with rooms handles this frame before it comes here.
            AskKind::Watch => return Err(Problem::new("no_rooms", "there are no rooms here")),
            AskKind::Move => {
                let agent = ask.agent.as_deref().unwrap_or_default();
                let work = Answer::new(&line(&ask)?, agent, own).map_err(inside)?;
                (None, Work::Reply(work))
            }
            AskKind::Analyze => {
                if limit.depth == Some(0) {
                    let refusal = Problem::new("bad_limit", "a depth is at least 1");
                    return Err(refusal.at("limit.depth"));
                }
                let work = Analyze::new(&line(&ask)?, limit.depth).map_err(inside)?;
                (Some(time(ANALYSIS, most.analysis)), Work::Analyze(work))
            }
            AskKind::Hint => {
                let work = GiveHint::new(&line(&ask)?).map_err(inside)?;
                (Some(HINT), Work::Hint(work))
            }
            AskKind::Review => {
                let time = time(REVIEW, most.review_per_move);
                let work = Judge::new(&line(&ask)?, ask.opening, time).map_err(inside)?;
                (None, Work::Review(work))
            }
        };
        let id = ask.id;
        Ok(Order::Think(Box::new(Task { id, time, work })))
    }
}

fn line(ask: &Ask) -> WireResult<Line> {
    let line = ask.line.clone();
    let line = line.ok_or_else(|| Problem::new("bad_request", "a line is missing").at("line"))?;
    line.checked().map_err(|problem| problem.inside("line"))
}

/// A problem of a line, as one of the frame that holds it.
fn inside(problem: Problem) -> Problem {
    match problem.field.as_deref() {
        Some("start") => problem.inside("line"),
        Some(field) if field.starts_with("moves") => problem.inside("line"),
        _ => problem,
    }
}
