//! Where searches are begun, and what they share.

use crate::error::{ApiError, ApiResult};
use crate::socket::outbox::Outbox;
use crate::wire::socket::{Reason, Say};
use axum::http::StatusCode;
use kalahari_search::Stop;
use kalahari_study::turnstile::{Rank, Turnstile, Visitor};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What all searches share.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    turnstile: Arc<Turnstile>,
    active: Arc<AtomicUsize>,
    /// Players with large tables, kept for the next move of the same game.
    shelf: Arc<Shelf>,
}

/// A search that goes on. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: u64,
    stop: Stop,
    visitor: Visitor,
    reason: Arc<Mutex<Reason>>,
    deadline: Option<Instant>,
}

/// What a search has at hand.
pub(crate) struct Tools {
    pub(crate) id: u64,
    pub(crate) stop: Stop,
    pub(crate) visitor: Visitor,
    /// The MiB that its tables may have.
    pub(crate) hash: usize,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) begin: Instant,
    pub(crate) shelf: Arc<Shelf>,
    reason: Arc<Mutex<Reason>>,
}

/// The work of a search: it says what it finds and gives the reason why it ended, or what was wrong.
pub(crate) type Work = Box<dyn FnOnce(&Tools) -> ApiResult<Reason> + Send>;

impl Desk {
    /// Begins a search in a thread of its own.
    pub(crate) fn begin(
        &self,
        id: u64,
        rank: Rank,
        time: Option<Duration>,
        outbox: &Arc<Outbox>,
        work: Work,
    ) -> ApiResult<Job> {
        let visitor = Visitor::new(&self.turnstile, rank);
        let reason = Arc::new(Mutex::new(Reason::Finished));
        let stop = visitor.stop();
        let begin = Instant::now();
        let active = Active::new(&self.active);
        let tools = Tools {
            id,
            stop: stop.clone(),
            visitor: visitor.clone(),
            hash: table_size(active.number),
            outbox: Arc::clone(outbox),
            begin,
            shelf: Arc::clone(&self.shelf),
            reason: Arc::clone(&reason),
        };
        std::thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || {
                tools.run(work);
                drop(active);
            })
            .map_err(|_| {
                let message = "too many searches at once: try again later";
                ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
            })?;
        Ok(Job {
            id,
            stop,
            visitor,
            reason,
            deadline: time.and_then(|time| begin.checked_add(time)),
        })
    }
}

/// Large tables while few search, small ones when many do: a few hundred MiB at most in all.
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
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = reason;
        self.stop.request();
        self.visitor.call_out();
    }

    /// Stops the search if its time is up.
    pub(crate) fn look_at_clock(&self) {
        if !self.stop.is_requested() && self.deadline.is_some_and(|end| Instant::now() >= end) {
            self.stop(Reason::Limit);
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.stop.is_requested() {
            self.stop(Reason::Stopped);
        }
    }
}

impl Tools {
    /// Why the search was stopped.
    pub(crate) fn reason(&self) -> Reason {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn say(&self, frame: Say) {
        self.outbox.put(frame);
    }

    fn run(self, work: Work) {
        self.visitor.enter();
        let result = match self.stop.is_requested() {
            true => Ok(self.reason()),
            false => catch_unwind(AssertUnwindSafe(|| work(&self)))
                .unwrap_or_else(|_| Err(ApiError::internal("the search has failed"))),
        };
        self.visitor.leave();
        self.outbox.put(match result {
            Ok(reason) => Say::Done {
                id: self.id,
                reason,
            },
            Err(error) => Say::Error {
                id: Some(self.id),
                code: error.problem.code,
                message: error.problem.message,
                field: error.problem.field,
            },
        });
    }
}

/// A few things that were expensive to make, for whoever needs the same again.
#[derive(Default)]
pub(crate) struct Shelf {
    kept: Mutex<Vec<(String, Box<dyn Any + Send>)>>,
    /// How many are in use.
    lent: AtomicUsize,
}

/// The most things that exist at once, in use or kept.
const SHELF: usize = 2;

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shelf").finish_non_exhaustive()
    }
}

impl Shelf {
    /// Works with the thing of a name, which is made if there is none. `None` if there are too many in use.
    pub(crate) fn with<T: Any + Send, R, E>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<T, E>,
        work: impl FnOnce(&mut T) -> R,
    ) -> Option<Result<R, E>> {
        let lent = Lent::new(self)?;
        let mut thing = match lent.take(name) {
            Some(thing) => thing,
            None => match make() {
                Ok(thing) => Box::new(thing),
                Err(error) => return Some(Err(error)),
            },
        };
        let result = work(&mut thing);
        lent.give_back(name, thing);
        Some(Ok(result))
    }
}

/// One of the shelf's things in use.
struct Lent<'a>(&'a Shelf);

impl<'a> Lent<'a> {
    fn new(shelf: &'a Shelf) -> Option<Self> {
        let before = shelf.lent.fetch_add(1, Ordering::SeqCst);
        let lent = Lent(shelf);
        (before < SHELF).then_some(lent)
    }

    /// Takes a thing, and makes room for another one if it is not there.
    fn take<T: Any>(&self, name: &str) -> Option<Box<T>> {
        let mut kept = self.0.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept
            .iter()
            .position(|(key, thing)| key == name && thing.is::<T>());
        let found = found.and_then(|place| kept.remove(place).1.downcast().ok());
        if found.is_none() {
            let room = SHELF.saturating_sub(self.0.lent.load(Ordering::SeqCst));
            let excess = kept.len().saturating_sub(room);
            kept.drain(..excess);
        }
        found
    }

    fn give_back<T: Any + Send>(&self, name: &str, thing: Box<T>) {
        let mut kept = self.0.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((name.to_owned(), thing));
        let excess = kept.len().saturating_sub(SHELF);
        kept.drain(..excess);
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.0.lent.fetch_sub(1, Ordering::SeqCst);
    }
}
