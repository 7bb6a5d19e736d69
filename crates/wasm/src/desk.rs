//! The work in progress: at most one opponent's move and one other thought.

use crate::request::Heard;
use crate::room::Outside;
use kalahari_agents::{
    AgentKind, AgentSpec, AnyReport, Mind, NoAnswer, Player, Question, Slice, Slices,
};
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_study::Analysis;
use kalahari_terms::{Limits, Stop};
use kalahari_wire::Problem;
use kalahari_wire::found::Spent;
use kalahari_wire::frames::{Ask, Reason, Say};
use kalahari_wire::opponents::OwnAgents;
use kalahari_wire::work::{
    Most, News, Order, Place, Reviewer, Task, Work, proving_time, with_table,
};
use std::fmt;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;
use std::time::Duration;

/// How long a slice of an analysis takes: a stop takes effect after it.
const SLICE: Duration = Duration::from_millis(60);
/// The MiB of a table unless told otherwise.
const MEMORY: usize = 16;

/// Where thinking is done.
pub(crate) struct Desk {
    /// The parent of all requests to stop; it has the clock.
    stop: Stop,
    outside: Arc<dyn Outside>,
    reply: Option<Job>,
    thought: Option<Job>,
    /// The analysis of the last thought: it knows the positions around it.
    analysis: Option<(Kept, Analysis)>,
    /// The player of the last move.
    player: Option<(AgentSpec, Kept, Player)>,
    /// The MiB of a table.
    memory: usize,
}

/// A rule set, and the kind of board, which depends on the seeds that are on it.
type Kept = (GameSpec, Discriminant<AnyGame>);

struct Job {
    task: Task,
    /// When it was asked for, by the clock.
    begun: Duration,
    /// An analysis, once it has begun.
    slices: Option<Slices>,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

impl Desk {
    pub(crate) fn new(stop: Stop, outside: Arc<dyn Outside>) -> Self {
        Desk {
            stop,
            outside,
            reply: None,
            thought: None,
            analysis: None,
            player: None,
            memory: MEMORY,
        }
    }

    /// Sets the MiB of tables made from now on.
    pub(crate) fn set_memory(&mut self, mib: usize) {
        self.memory = mib.clamp(1, 256);
        (self.analysis, self.player) = (None, None);
    }

    /// Begins or stops what is asked for; true if there is something to do.
    pub(crate) fn ask(&mut self, ask: Ask) -> bool {
        let id = ask.id;
        match Order::read(ask, &OwnAgents::default(), &Most::ALONE) {
            Ok(Order::Stop(target)) => {
                for slot in [&mut self.reply, &mut self.thought] {
                    let stopped = |job: &mut Job| target.is_none_or(|id| id == job.task.id);
                    if let Some(job) = slot.take_if(stopped) {
                        say(&*self.outside, Say::done(job.task.id, Reason::Stopped));
                    }
                }
            }
            Ok(Order::Think(task)) => {
                let slot = match task.work.place() {
                    Place::Move => &mut self.reply,
                    Place::Thought => &mut self.thought,
                };
                let job = Job {
                    begun: self.stop.now(),
                    slices: None,
                    task: *task,
                };
                if let Some(old) = slot.replace(job) {
                    say(&*self.outside, Say::done(old.task.id, Reason::Replaced));
                }
            }
            Err(problem) => say(&*self.outside, Say::refusal(Some(id), problem)),
        }
        self.has_work(false)
    }

    /// Thinks for a while; true if there is more to do.
    pub(crate) fn step(&mut self, resting: bool) -> bool {
        if let Some(job) = self.reply.take() {
            self.answer_at_once(job);
        } else if let Some(job) = self.thought.take_if(|job| !(resting && job.can_rest())) {
            match job.can_rest() {
                true => self.thought = self.analyse(job),
                false => self.answer_at_once(job),
            }
        }
        self.has_work(resting)
    }

    fn has_work(&self, resting: bool) -> bool {
        let thinking = |job: &Job| !(resting && job.can_rest());
        self.reply.is_some() || self.thought.as_ref().is_some_and(thinking)
    }

    /// A slice of an analysis; the job, if there is more to do.
    fn analyse(&mut self, mut job: Job) -> Option<Job> {
        let id = job.task.id;
        let mut analysis = match self.analysis_of(&job.task.work.played().game) {
            Ok(analysis) => analysis,
            Err(error) => return self.fail(id, error),
        };
        let question = job.task.work.question();
        // An analysis to a fixed depth must not depend on the speed of the machine: it is one slice, and only its end is timed.
        let (stop, time) = match (question.limits.depth.is_some(), job.task.time) {
            (true, Some(time)) => (self.stop.within(time), Limits::NONE),
            (_, time) => (self.stop.child(), time.map_or(Limits::NONE, Limits::time)),
        };
        let limits = question.limits.and(time);
        let begin = || Slices::new(Question { limits, ..question }, SLICE);
        let mut slices = job.slices.take().unwrap_or_else(begin);
        let outside = Arc::clone(&self.outside);
        let begun = job.begun;
        let spent = |report: &AnyReport| Spent {
            since: stop.now().saturating_sub(begun),
            ran: report.elapsed,
        };
        let work = &mut job.task.work;
        let mut tell = |report: &AnyReport| {
            let news = work.news(id, report, spent(report));
            news.say.into_iter().for_each(|frame| say(&*outside, frame));
        };
        let slice = slices.step(&mut analysis, &stop, &mut tell);
        self.analysis = Some((kept(&job.task.work.played().game), analysis));
        match slice {
            Err(error) => self.fail(id, error),
            Ok(Slice::More(report)) => {
                // A slice that was too short to look at every move has nothing to say yet.
                if kalahari_wire::found::has_looked(&report) {
                    let news = job.task.work.news(id, &report, spent(&report));
                    news.say
                        .into_iter()
                        .for_each(|frame| say(&*self.outside, frame));
                }
                job.slices = Some(slices);
                Some(job)
            }
            Ok(Slice::Done(report)) => {
                let whole = job.task.time;
                let late =
                    whole.is_some_and(|whole| report.elapsed >= whole) || stop.is_requested();
                let ended = late.then_some(Reason::Limit);
                self.end(&mut job, &report, ended);
                None
            }
        }
    }

    /// Everything else: it ends soon, so it is done in one call.
    fn answer_at_once(&mut self, mut job: Job) {
        let id = job.task.id;
        let game = job.task.work.played().game.clone();
        let stop = match job.task.time {
            Some(time) => self.stop.within(time),
            None => self.stop.child(),
        };
        let enough = stop.child();
        let question = job.task.work.question();
        let answer = match job.task.work.clone() {
            Work::Reply(answer) => self.move_of(&answer.agent, &game, question, &enough),
            Work::Analyze(_) | Work::Hint(_) => self.analysis_of(&game).and_then(|mut analysis| {
                let (begin, work) = (self.stop.now(), &mut job.task.work);
                let mut tell = |report: &AnyReport| {
                    let ran = enough.now().saturating_sub(begin);
                    let News { enough: done, .. } =
                        work.news(id, report, Spent { since: ran, ran });
                    if done {
                        enough.request();
                    }
                };
                let report = analysis.answer(&question, &enough, &mut tell);
                self.analysis = Some((kept(&game), analysis));
                report
            }),
            Work::Review(judge) => self.analysis_of(&game).and_then(|analysis| {
                let outside = Arc::clone(&self.outside);
                let hear = move |frame| say(&*outside, frame);
                Reviewer::new(id, judge, analysis, hear).answer(&question, &enough, &mut |_| {})
            }),
        };
        match answer {
            Ok(report) => {
                let ended = stop.is_requested().then_some(Reason::Limit);
                self.end(&mut job, &report, ended);
            }
            Err(error) => {
                self.fail(id, error);
            }
        }
    }

    /// An opponent's answer. The player of the last move is used again if it fits.
    fn move_of(
        &mut self,
        agent: &AgentSpec,
        game: &AnyGame,
        question: Question,
        stop: &Stop,
    ) -> Result<AnyReport, NoAnswer> {
        let seed = self.stop.now().as_nanos() as u64;
        let (spec, question) = match agent.kind() {
            // A level plays a different game each time, so it is made anew.
            AgentKind::Level => {
                let mut player = Player::new(agent, game, seed)?;
                return player.answer(&question, stop, &mut |_| {});
            }
            AgentKind::Perfect => {
                let limits = proving_time(Duration::ZERO);
                let spec = with_table(agent, 2 * self.memory);
                (spec, Question { limits, ..question })
            }
            _ => (with_table(agent, self.memory), question),
        };
        let place = kept(game);
        let known = self.player.take();
        let known = known.filter(|(old, at, _)| *old == spec && *at == place);
        let mut player = match known {
            Some((.., player)) => player,
            None => Player::new(&spec, game, seed)?,
        };
        let report = player.answer(&question, stop, &mut |_| {})?;
        self.player = Some((spec, place, player));
        Ok(report)
    }

    /// The analysis of the last thought, or a new one.
    fn analysis_of(&mut self, game: &AnyGame) -> Result<Analysis, NoAnswer> {
        let place = kept(game);
        if let Some((_, analysis)) = self.analysis.take_if(|(at, _)| *at == place) {
            return Ok(analysis);
        }
        self.analysis = None;
        Ok(Analysis::new(game, self.memory)?)
    }

    fn end(&mut self, job: &mut Job, report: &AnyReport, ended: Option<Reason>) {
        let id = job.task.id;
        let spent = Spent {
            since: self.stop.now().saturating_sub(job.begun),
            ran: report.elapsed,
        };
        match job.task.work.answer(id, report, spent, ended) {
            Ok((frame, reason)) => {
                frame
                    .into_iter()
                    .for_each(|frame| say(&*self.outside, frame));
                say(&*self.outside, Say::done(id, reason));
            }
            Err(problem) => say(&*self.outside, Say::refusal(Some(id), problem)),
        }
    }

    fn fail(&self, id: u64, error: NoAnswer) -> Option<Job> {
        let problem = Problem::new("internal", error.to_string());
        say(&*self.outside, Say::refusal(Some(id), problem));
        None
    }
}

impl Job {
    /// Whether it may rest while the page is not visible.
    fn can_rest(&self) -> bool {
        matches!(self.task.work, Work::Analyze(_))
    }
}

fn kept(game: &AnyGame) -> Kept {
    (game.spec(), discriminant(game))
}

fn say(outside: &dyn Outside, frame: Say) {
    outside.hear(&Heard::Say(Box::new(frame)));
}
