//! An agent that thinks in a thread of its own, so that nobody waits for it but on purpose.

use super::analyst::values;
use super::rulebook::Rulebook;
use super::worth::Worth;
use kalahari_agents::{AgentSpec, Player};
use kalahari_search::{Limits, Report, SearchVisitor, Searchable, Stop, Unit};
use kalahari_study::Analysis;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

/// What an agent has found, in text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    /// The best move; `None` only when the game is over.
    pub(crate) best: Option<String>,
    /// The value as the agent gave it, for records.
    pub(crate) value: (f64, Unit),
    /// What the position is worth to the player to move.
    pub(crate) worth: Worth,
    /// What each move is worth, if that was asked and something is known.
    pub(crate) moves: Vec<(String, Worth)>,
    /// The line of best play.
    pub(crate) line: Vec<String>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// How long it took.
    pub(crate) elapsed: Duration,
}

/// What comes out of a thinker.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Thought {
    /// Something, and there will be more.
    Partial(Finding),
    /// The answer.
    Done(Finding),
    /// There will be no answer to this, and why. The agent may be asked again.
    Failed(String),
}

/// What is wanted of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Question {
    /// A move, within the agent's own limits.
    Move,
    /// The best move, thinking at most so long.
    Best(Duration),
    /// The engine's value of every move by itself, each proven or not, thinking at most so long.
    Values(Duration),
}

struct Job {
    id: u64,
    position: String,
    question: Question,
    stop: Stop,
}

/// The question that is open.
struct Open {
    id: u64,
    stop: Stop,
    /// When its asker has had enough, if the agent does not keep the time itself.
    until: Option<Instant>,
}

impl Open {
    /// Stops the agent when the time is over.
    fn look_at_clock(&self) {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            self.stop.request();
        }
    }
}

/// An agent in a thread of its own. Dropping it stops its thinking.
pub(crate) struct Thinker {
    jobs: Sender<Job>,
    thoughts: Receiver<(u64, Thought)>,
    open: Option<Open>,
    last_id: u64,
}

impl Thinker {
    /// An agent for a game; what is wrong with its name comes out of the first question.
    pub(crate) fn new(spec: AgentSpec, rules: Rulebook, seed: u64) -> Thinker {
        let (jobs, inbox) = channel();
        let (outbox, thoughts) = channel();
        std::thread::spawn(move || {
            rules.visit(Work {
                spec,
                seed,
                inbox,
                outbox,
            });
        });
        Thinker {
            jobs,
            thoughts,
            open: None,
            last_id: 0,
        }
    }

    /// Asks about a position and forgets any earlier question.
    pub(crate) fn ask(&mut self, position: &str, question: Question) {
        self.cancel();
        self.last_id += 1;
        let stop = Stop::new();
        let job = Job {
            id: self.last_id,
            position: position.to_owned(),
            question,
            stop: stop.clone(),
        };
        // A thread that is gone is noticed when its answer is waited for.
        let _ = self.jobs.send(job);
        let until = match question {
            Question::Values(time) => Instant::now().checked_add(time),
            Question::Move | Question::Best(_) => None,
        };
        self.open = Some(Open {
            id: self.last_id,
            stop,
            until,
        });
    }

    /// Whether an answer is outstanding.
    pub(crate) fn is_busy(&self) -> bool {
        self.open.is_some()
    }

    /// Asks for the answer now, such as it is.
    pub(crate) fn hurry(&self) {
        if let Some(open) = &self.open {
            open.stop.request();
        }
    }

    /// Forgets the question.
    pub(crate) fn cancel(&mut self) {
        if let Some(open) = self.open.take() {
            open.stop.request();
        }
    }

    /// What has been thought since, if anything. Never waits.
    pub(crate) fn poll(&mut self) -> Option<Thought> {
        if let Some(open) = &self.open {
            open.look_at_clock();
        }
        loop {
            match self.thoughts.try_recv() {
                Ok(message) => {
                    if let Some(thought) = self.accept(message) {
                        return Some(thought);
                    }
                }
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    return self.is_busy().then(|| self.gone());
                }
            }
        }
    }

    /// Waits for the answer to the open question; `None` if it takes longer than `patience`.
    pub(crate) fn wait(&mut self, patience: Duration) -> Option<Thought> {
        let begin = Instant::now();
        loop {
            let open = self.open.as_ref().inspect(|open| open.look_at_clock());
            let time_up = open
                .filter(|open| !open.stop.is_requested())
                .and_then(|open| open.until);
            let left = patience.saturating_sub(begin.elapsed());
            let nap = time_up.map_or(left, |until| {
                left.min(until.saturating_duration_since(Instant::now()))
            });
            match self.thoughts.recv_timeout(nap) {
                Ok(message) => match self.accept(message) {
                    Some(Thought::Partial(_)) | None => {}
                    Some(thought) => return Some(thought),
                },
                Err(RecvTimeoutError::Timeout) if nap < left => {}
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => return Some(self.gone()),
            }
        }
    }

    fn gone(&mut self) -> Thought {
        self.open = None;
        Thought::Failed("the agent is gone".to_owned())
    }

    /// Passes on what belongs to the open question.
    fn accept(&mut self, (id, thought): (u64, Thought)) -> Option<Thought> {
        if self.open.as_ref().is_none_or(|open| open.id != id) {
            return None;
        }
        if !matches!(thought, Thought::Partial(_)) {
            self.open = None;
        }
        Some(thought)
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// The thread's work: questions in, thoughts out, until nobody asks any more.
struct Work {
    spec: AgentSpec,
    seed: u64,
    inbox: Receiver<Job>,
    outbox: Sender<(u64, Thought)>,
}

impl SearchVisitor for Work {
    type Output = ();

    fn visit<G: Searchable>(self, game: G) {
        let mut player: Option<Player<G>> = None;
        let mut analysis: Option<Analysis<G>> = None;
        while let Ok(job) = self.inbox.recv() {
            let answer = catch_unwind(AssertUnwindSafe(|| {
                let mut tell = |found| {
                    // If nobody listens the request to stop is under way.
                    let _ = self.outbox.send((job.id, Thought::Partial(found)));
                };
                if matches!(job.question, Question::Values(_)) {
                    let found = values(&game, &mut analysis, &job.position, &job.stop, &mut tell);
                    if let Some(found) = found? {
                        return Ok(found);
                    }
                }
                let made = match player.take() {
                    Some(player) => Ok(player),
                    None => Player::new(&self.spec, &game, self.seed).map_err(|e| e.to_string()),
                };
                let mut made = made?;
                let finding = think(&game, &mut made, &job, &mut tell)?;
                // An agent that failed is made anew for the next question.
                player = Some(made);
                Ok(finding)
            }));
            let thought = match answer {
                Ok(Ok(finding)) => Thought::Done(finding),
                Ok(Err(why)) => Thought::Failed(why),
                Err(_) => Thought::Failed("the agent panicked".to_owned()),
            };
            if self.outbox.send((job.id, thought)).is_err() {
                return;
            }
        }
    }
}

fn think<G: Searchable>(
    game: &G,
    player: &mut Player<G>,
    job: &Job,
    tell: &mut dyn FnMut(Finding),
) -> Result<Finding, String> {
    let position = game
        .parse_position(&job.position)
        .map_err(|e| e.to_string())?;
    let at_most = |time| Limits {
        time: Some(time),
        ..Limits::default()
    };
    let report = match job.question {
        Question::Move => player.choose(position, Limits::default(), &job.stop),
        Question::Best(time) => player.choose(position, at_most(time), &job.stop),
        // There was no looking at each move by itself: all of them in one search, then.
        Question::Values(time) => {
            let mut tell = |report: &Report<G::Move>| tell(finding::<G>(report));
            player.analyse(position, at_most(time), &job.stop, &mut tell)
        }
    };
    match player.failure() {
        Some(why) => Err(why),
        None => Ok(finding::<G>(&report)),
    }
}

fn finding<G: Searchable>(report: &Report<G::Move>) -> Finding {
    let Report { value, unit, .. } = *report;
    let moves = report.moves.iter();
    Finding {
        best: report.best.map(|mv| mv.to_string()),
        value: (value, unit),
        worth: Worth::of::<G>(value, unit),
        moves: moves
            .map(|(mv, value)| (mv.to_string(), Worth::of::<G>(*value, unit)))
            .collect(),
        line: report.line.iter().map(|mv| mv.to_string()).collect(),
        depth: report.depth,
        nodes: report.nodes,
        elapsed: report.elapsed,
    }
}
