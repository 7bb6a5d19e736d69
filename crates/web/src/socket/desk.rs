//! Where searches are begun, and what they share.

use crate::error::{ApiError, ApiResult};
use crate::socket::minds;
use crate::socket::outbox::Outbox;
use crate::socket::shelf::{Client, Shelf};
use kalahari_agents::{MakeMind, NoAnswer, Thinker, Thought};
use kalahari_protocol::Pass;
use kalahari_study::turnstile::{Rank, Turnstile, Visitor};
use kalahari_terms::{Failure, Stop};
use kalahari_wire::found::Spent;
use kalahari_wire::frames::{Reason, Say};
use kalahari_wire::work::{News, Place, Task, Work};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What all searches share.
#[derive(Default)]
pub(crate) struct Desk {
    turnstile: Arc<Turnstile>,
    active: Arc<AtomicUsize>,
    /// Whether there has been a search since memory was given back.
    untidy: AtomicBool,
    /// Players with large tables, kept for the next move of the same game.
    shelf: Arc<Shelf>,
}

/// What a search can use.
pub(crate) struct Tools {
    pub(crate) id: u64,
    /// Ends the search, which has then found what it looked for.
    pub(crate) enough: Stop,
    pub(crate) visitor: Visitor,
    /// The MiB that its tables may have.
    pub(crate) hash: usize,
    pub(crate) begin: Instant,
    pub(crate) shelf: Arc<Shelf>,
    /// Who asks.
    pub(crate) client: Client,
    outbox: Arc<Outbox>,
    /// The client's request to end.
    asked: Stop,
    /// Requested when the client asks, and when the time is up.
    timed: Stop,
    /// Why the client asked.
    reason: Mutex<Reason>,
    is_done: AtomicBool,
}

/// A search in progress. Dropping it stops it.
pub(crate) struct Job {
    pub(crate) id: u64,
    tools: Arc<Tools>,
    /// Its thread, which ends with it.
    _thinker: Thinker,
}

/// A client who may search.
pub(crate) struct Guest {
    shelf: Arc<Shelf>,
    client: Client,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.shelf.leave(self.client);
    }
}

impl Desk {
    /// Returns the memory that searches have freed since the last time to the system. It takes a moment.
    pub(crate) fn tidy(&self) {
        let searching = self.active.load(Ordering::Relaxed) > 0;
        if self.untidy.swap(searching, Ordering::Relaxed) {
            kalahari_storage::give_back();
        }
    }

    /// Registers a client.
    pub(crate) fn enter(&self) -> Guest {
        Guest {
            client: self.shelf.enter(),
            shelf: Arc::clone(&self.shelf),
        }
    }

    /// Begins a search; `counted` is kept until it has ended.
    pub(crate) fn begin(
        &self,
        task: Task,
        asker: (&Guest, &Arc<Outbox>),
        counted: Option<Pass>,
    ) -> ApiResult<Job> {
        let Task { id, time, mut work } = task;
        let rank = match work.place() {
            Place::Move => Rank::Move,
            Place::Thought => Rank::Thought,
        };
        let visitor = match time {
            Some(time) => Visitor::waiting_within(&self.turnstile, rank, time),
            None => Visitor::new(&self.turnstile, rank),
        };
        let asked = visitor.stop();
        let timed = match time {
            Some(time) => asked.within(time),
            None => asked.child(),
        };
        let active = Active::new(&self.active);
        self.untidy.store(true, Ordering::Relaxed);
        let tools = Arc::new(Tools {
            id,
            enough: timed.child(),
            visitor: visitor.clone(),
            hash: table_size(active.number),
            begin: Instant::now(),
            shelf: Arc::clone(&self.shelf),
            client: asker.0.client,
            outbox: Arc::clone(asker.1),
            asked,
            timed,
            reason: Mutex::new(Reason::Stopped),
            is_done: AtomicBool::new(false),
        });
        let mut thinker = Thinker::new(unless_over(&tools.enough, minds::mind(&work, &tools)))?;
        let question = work.question();
        let listening = Arc::clone(&tools);
        let listener = Box::new(move |thought| {
            // A search is active until its listener is dropped.
            let _ = (&active, &counted);
            listening.hear(&mut work, thought);
        });
        let turn = Some(Arc::new(visitor) as Arc<_>);
        thinker.ask_in_turn(question, &tools.enough, turn, listener);
        Ok(Job {
            id,
            tools,
            _thinker: thinker,
        })
    }
}

/// Makes a mind, unless the search was over before its turn came.
fn unless_over(stop: &Stop, mut make: MakeMind) -> MakeMind {
    let stop = stop.clone();
    Box::new(move || match stop.look() {
        true => Err(Failure::TimedOut("its turn never came".to_owned()).into()),
        false => make(),
    })
}

/// Large tables while there are few searches, small ones when there are many: a few hundred MiB at most in all.
fn table_size(active: usize) -> usize {
    match active {
        0..=4 => 16,
        5..=16 => 4,
        _ => 1,
    }
}

/// Counts a search as long as it lives.
struct Active {
    count: Arc<AtomicUsize>,
    number: usize,
}

impl Active {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        let number = count.fetch_add(1, Ordering::Relaxed) + 1;
        let count = Arc::clone(count);
        Active { count, number }
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Job {
    /// Stops the search, which then says that it is done for this reason.
    pub(crate) fn stop(&self, reason: Reason) {
        let tools = &self.tools;
        *tools.reason.lock().unwrap_or_else(PoisonError::into_inner) = reason;
        tools.asked.request();
        tools.visitor.call_out();
    }

    /// Whether all frames have been sent.
    pub(crate) fn is_done(&self) -> bool {
        self.tools.is_done.load(Ordering::Relaxed)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.tools.asked.is_requested() {
            self.stop(Reason::Stopped);
        }
    }
}

impl Tools {
    /// Why the search was ended early, if it was: the client asked, or the time is up.
    pub(crate) fn ended(&self) -> Option<Reason> {
        match (self.asked.is_requested(), self.timed.is_requested()) {
            (true, _) => Some(*self.reason.lock().unwrap_or_else(PoisonError::into_inner)),
            (false, true) => Some(Reason::Limit),
            (false, false) => None,
        }
    }

    /// The time it has taken so far.
    pub(crate) fn spent(&self) -> Spent {
        Spent {
            since: self.begin.elapsed(),
            ran: self.visitor.ran(),
        }
    }

    pub(crate) fn say(&self, frame: Say) {
        self.outbox.put(frame);
    }

    /// Receives a thought, in the thinking thread.
    fn hear(&self, work: &mut Work, thought: Thought) {
        let answer = match thought {
            Thought::Partial(report) => {
                let News { say, enough } = work.news(self.id, &report, self.spent());
                say.into_iter().for_each(|frame| self.say(frame));
                if enough {
                    self.enough.request();
                }
                return;
            }
            Thought::Answer(Ok(report)) => {
                let answer = || work.answer(self.id, &report, self.spent(), self.ended());
                catch_unwind(AssertUnwindSafe(answer))
                    .map_err(|_| ApiError::from(NoAnswer::Panicked))
                    .and_then(|answer| {
                        let (say, reason) = answer?;
                        say.into_iter().for_each(|frame| self.say(frame));
                        Ok(reason)
                    })
            }
            Thought::Answer(Err(error)) => self.ended().ok_or_else(|| ApiError::from(error)),
        };
        self.is_done.store(true, Ordering::Relaxed);
        self.say(match answer {
            Ok(reason) => Say::done(self.id, reason),
            Err(error) => Say::refusal(Some(self.id), error.problem),
        });
    }
}
