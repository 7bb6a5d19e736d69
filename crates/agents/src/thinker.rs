//! A mind in a thread of its own, so that nobody waits for it but on purpose.
//!
//! `kalahari play`, the page's socket and `kalahari ugi` all think through here. Where there are no threads,
//! [`Slices`](crate::Slices) does the same bit by bit.

use crate::{AnyReport, Mind, NoAnswer, Question};
use kalahari_terms::Stop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// What comes out of a thinker.
#[derive(Debug)]
pub enum Thought {
    /// Something, and there will be more.
    Partial(AnyReport),
    /// The answer, or why there is none. Nothing follows.
    Answer(Result<AnyReport, NoAnswer>),
}

/// Lets a thinker wait for its turn where many share a machine. The pauses within a search are the business of its
/// [`Stop`].
pub trait Turn: Send + Sync {
    /// Waits until the search may begin.
    fn enter(&self);

    /// The search is over.
    fn leave(&self);
}

/// Hears what is thought, in the thinking thread.
pub type Listener = Box<dyn FnMut(Thought) + Send>;

/// Makes a mind. It is called in the thinking thread, when the first question comes and after every failure.
pub type MakeMind = Box<dyn FnMut() -> Result<Box<dyn Mind>, NoAnswer> + Send>;

struct Job {
    question: Question,
    stop: Stop,
    turn: Option<Arc<dyn Turn>>,
    listener: Listener,
}

/// A mind in a thread of its own. Dropping it asks the search to end and does not wait; [`finish`](Thinker::finish) waits.
pub struct Thinker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    stop: Stop,
}

impl Thinker {
    /// A thinker; what is wrong with its mind comes out of the first question.
    pub fn new(make: MakeMind) -> Result<Self, NoAnswer> {
        let (jobs, inbox) = channel();
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || work(make, &inbox))
            .map_err(|_| NoAnswer::NoThread)?;
        Ok(Thinker {
            jobs: Some(jobs),
            thread: Some(thread),
            stop: Stop::new(),
        })
    }

    /// Asks a question; an earlier one that is still open is asked to end, and is answered first. `stop` ends the search at
    /// any time, with the best answer so far.
    pub fn ask(&mut self, question: Question, stop: &Stop, listener: Listener) {
        self.ask_in_turn(question, stop, None, listener);
    }

    /// As [`ask`](Thinker::ask), waiting for a turn.
    pub fn ask_in_turn(
        &mut self,
        question: Question,
        stop: &Stop,
        turn: Option<Arc<dyn Turn>>,
        listener: Listener,
    ) {
        self.stop();
        self.stop = stop.child();
        let job = Job {
            question,
            stop: self.stop.clone(),
            turn,
            listener,
        };
        if let Some(jobs) = &self.jobs {
            // The thread ends only when this sender is gone.
            let _ = jobs.send(job);
        }
    }

    /// Asks the search under way to end; its answer comes all the same.
    pub fn stop(&self) {
        self.stop.request();
    }

    /// Asks the search under way to end, and waits until its answer has been heard.
    pub fn finish(mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // It catches every panic, so there is nothing to hear of.
            let _ = thread.join();
        }
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The thread's work: questions in, thoughts out, until nobody asks any more.
fn work(mut make: MakeMind, inbox: &Receiver<Job>) {
    let mut mind: Option<Box<dyn Mind>> = None;
    while let Ok(mut job) = inbox.recv() {
        if let Some(turn) = &job.turn {
            turn.enter();
        }
        let answer = catch_unwind(AssertUnwindSafe(|| {
            // Who fails is made anew for the next question.
            let mut thinking = match mind.take() {
                Some(mind) => mind,
                None => make()?,
            };
            let mut tell = |report: &AnyReport| (job.listener)(Thought::Partial(report.clone()));
            let answer = thinking.answer(&job.question, &job.stop, &mut tell)?;
            mind = Some(thinking);
            Ok(answer)
        }));
        if let Some(turn) = &job.turn {
            turn.leave();
        }
        (job.listener)(Thought::Answer(answer.unwrap_or(Err(NoAnswer::Panicked))));
    }
}
