//! A mind in its own thread, so that asking does not block the caller.
//!
//! `kalahari play`, the web page's socket and `kalahari ugi` all use it. On platforms without threads,
//! [`Slices`](crate::Slices) takes its place.

use crate::{AnyReport, Mind, NoAnswer, Question};
use kalahari_terms::Stop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// What a thinker reports.
#[derive(Debug)]
pub enum Thought {
    /// An intermediate result. More will follow.
    Partial(AnyReport),
    /// The answer, or why there is none. Nothing follows.
    Answer(Result<AnyReport, NoAnswer>),
}

/// Makes a thinker wait for its turn when many share a machine. Pauses within a search are handled by its
/// [`Stop`].
pub trait Turn: Send + Sync {
    /// Waits until the search may begin.
    fn enter(&self);

    /// Called when the search is over.
    fn leave(&self);
}

/// Receives a thinker's reports. It is called in the thinking thread.
pub type Listener = Box<dyn FnMut(Thought) + Send>;

/// Makes a mind. It is called in the thinking thread: for the first question, and for the first one after a failure.
pub type MakeMind = Box<dyn FnMut() -> Result<Box<dyn Mind>, NoAnswer> + Send>;

struct Job {
    question: Question,
    stop: Stop,
    turn: Option<Arc<dyn Turn>>,
    listener: Listener,
}

/// A mind in its own thread. Dropping it asks the search to end and does not wait; [`finish`](Thinker::finish) waits.
pub struct Thinker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    stop: Stop,
}

impl Thinker {
    /// A new thinker. If its mind cannot be made, the first question is answered with the error.
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

    /// Asks a question. An earlier search that is still running is asked to end, and its question is answered first. `stop` ends the
    /// search at any time, with the best answer so far.
    pub fn ask(&mut self, question: Question, stop: &Stop, listener: Listener) {
        self.ask_in_turn(question, stop, None, listener);
    }

    /// Like [`ask`](Thinker::ask), but the search waits for its turn first.
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

    /// Asks the current search to end; it still answers.
    pub fn stop(&self) {
        self.stop.request();
    }

    /// Asks the current search to end, and waits until its answer has been delivered.
    pub fn finish(mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The thread catches every panic, so this cannot fail.
            let _ = thread.join();
        }
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The work of the thread: answers questions until the thinker is dropped.
fn work(mut make: MakeMind, inbox: &Receiver<Job>) {
    let mut mind: Option<Box<dyn Mind>> = None;
    while let Ok(mut job) = inbox.recv() {
        if let Some(turn) = &job.turn {
            turn.enter();
        }
        let answer = catch_unwind(AssertUnwindSafe(|| {
            // After a failure, a new mind is made for the next question.
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
