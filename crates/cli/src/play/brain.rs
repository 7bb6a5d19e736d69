//! A thinker and what it says about the question it was asked last.

use kalahari_agents::{MakeMind, NoAnswer, Question, Thinker, Thought};
use kalahari_terms::Stop;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// A thinker in a separate thread. Dropping it stops its thinking.
pub(crate) struct Brain {
    /// `None` if no thread could be started.
    thinker: Option<Thinker>,
    /// Thoughts about the open question. Thoughts about earlier questions are lost.
    thoughts: Option<Receiver<Thought>>,
}

impl Brain {
    /// A thinker with this mind. If the mind is faulty, the answer to the first question says so.
    pub(crate) fn new(make: MakeMind) -> Brain {
        Brain {
            thinker: Thinker::new(make).ok(),
            thoughts: None,
        }
    }

    /// Asks a question and forgets any earlier one.
    pub(crate) fn ask(&mut self, question: Question) {
        let (tell, thoughts) = channel();
        match &mut self.thinker {
            Some(thinker) => {
                let listener = Box::new(move |thought| {
                    // This fails if another question has been asked: then nothing receives the thought.
                    let _ = tell.send(thought);
                });
                thinker.ask(question, &Stop::new(), listener);
            }
            None => {
                let _ = tell.send(Thought::Answer(Err(NoAnswer::NoThread)));
            }
        }
        self.thoughts = Some(thoughts);
    }

    /// Whether an answer is still to come.
    pub(crate) fn is_busy(&self) -> bool {
        self.thoughts.is_some()
    }

    /// Asks for the best answer found so far.
    pub(crate) fn hurry(&self) {
        if let Some(thinker) = &self.thinker {
            thinker.stop();
        }
    }

    /// Forgets the question.
    pub(crate) fn cancel(&mut self) {
        self.thoughts = None;
        self.hurry();
    }

    /// What has been thought since, if anything. Never waits.
    pub(crate) fn poll(&mut self) -> Option<Thought> {
        self.thought_within(Duration::ZERO)
    }

    /// Waits for what is thought next; `None` if it takes longer than `patience`, or nothing was asked.
    pub(crate) fn thought_within(&mut self, patience: Duration) -> Option<Thought> {
        let thought = match self.thoughts.as_ref()?.recv_timeout(patience) {
            Ok(thought) => thought,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Thought::Answer(Err(NoAnswer::Panicked)),
        };
        if let Thought::Answer(_) = thought {
            self.thoughts = None;
        }
        Some(thought)
    }
}
