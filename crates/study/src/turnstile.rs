//! Runs two searches at once, with a fair queue for all others.
//!
//! Every search has its own thread, but only searches that hold a place run. A search that has run for a
//! [`SLICE`] while others wait goes to the end of the queue, and continues when it gets a place again.

use kalahari_agents::Turn;
use kalahari_terms::Stop;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a search runs while others wait.
pub const SLICE: Duration = Duration::from_millis(50);
/// How long it runs the first time: long enough for a first result, even on a busy machine.
pub const FIRST_SLICE: Duration = Duration::from_millis(95);
/// How long an analysis, review or hint runs while a game waits for a move.
const SHORT_SLICE: Duration = Duration::from_millis(10);
/// How many searches run at once.
pub const PLACES: usize = 2;
/// After this many moves of games in a row, a waiting analysis, review or hint gets a place.
const MOVES_IN_A_ROW: u32 = 4;

/// How long a search without a deadline waits before it checks again.
const A_WHILE: Duration = Duration::from_secs(60);

/// The priority of a search: moves go ahead of thoughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// A move in a game.
    Move,
    /// An analysis, review or hint.
    Thought,
}

/// The places and the queues.
#[derive(Debug, Default)]
pub struct Turnstile {
    hall: Mutex<Hall>,
}

impl Turnstile {
    /// How many searches are running and how many are waiting.
    pub fn count(&self) -> (usize, usize) {
        let hall = lock(&self.hall);
        (hall.running, hall.moves.len() + hall.thoughts.len())
    }
}

#[derive(Debug, Default)]
struct Hall {
    running: usize,
    moves: VecDeque<Arc<Ticket>>,
    thoughts: VecDeque<Arc<Ticket>>,
    moves_in_a_row: u32,
}

impl Hall {
    fn queue(&mut self, rank: Rank) -> &mut VecDeque<Arc<Ticket>> {
        match rank {
            Rank::Move => &mut self.moves,
            Rank::Thought => &mut self.thoughts,
        }
    }

    /// Gives free places to the searches that have waited longest, moves first.
    fn fill_places(&mut self) {
        while self.running < PLACES {
            let thought_is_due = self.moves_in_a_row >= MOVES_IN_A_ROW && !self.thoughts.is_empty();
            let next = match thought_is_due {
                true => None,
                false => self.moves.pop_front(),
            };
            let next = match next {
                Some(ticket) => {
                    self.moves_in_a_row += 1;
                    ticket
                }
                None => {
                    self.moves_in_a_row = 0;
                    match self.thoughts.pop_front() {
                        Some(ticket) => ticket,
                        None => return,
                    }
                }
            };
            // A search that is leaving takes no place.
            if next.call() {
                self.running += 1;
            }
        }
    }
}

/// One search in the hall.
#[derive(Debug)]
struct Ticket {
    rank: Rank,
    /// How long it waits for a place; `None` for any length of time.
    until: Option<Instant>,
    status: Mutex<Status>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug)]
struct Status {
    /// When it got its place; `None` while it waits.
    running_since: Option<Instant>,
    /// Whether it is leaving and needs no place any more.
    leaving: bool,
    /// How long it has run in earlier turns.
    ran: Duration,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ticket {
    /// Gives the search a place; false if it is leaving.
    fn call(&self) -> bool {
        let mut status = lock(&self.status);
        if status.leaving {
            return false;
        }
        status.running_since = Some(Instant::now());
        self.changed.notify_all();
        true
    }

    /// Waits for a place. Gives up when its time is over, or when it is called out.
    fn wait(&self) {
        let mut status = lock(&self.status);
        while status.running_since.is_none() && !status.leaving {
            let left = match self.until {
                Some(until) => until.saturating_duration_since(Instant::now()),
                None => A_WHILE,
            };
            if left.is_zero() {
                status.leaving = true;
                return;
            }
            let waited = self.changed.wait_timeout(status, left);
            status = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Gives the place back. Whether there was one.
    fn leave_place(&self) -> bool {
        let mut status = lock(&self.status);
        let since = status.running_since.take();
        status.ran += since.map_or(Duration::ZERO, |since| since.elapsed());
        since.is_some()
    }
}

/// A search at the turnstile.
#[derive(Clone, Debug)]
pub struct Visitor {
    turnstile: Arc<Turnstile>,
    ticket: Arc<Ticket>,
}

impl Visitor {
    /// A search that has not entered yet.
    pub fn new(turnstile: &Arc<Turnstile>, rank: Rank) -> Self {
        Visitor::waiting_until(turnstile, rank, None)
    }

    /// A search that has not entered yet and waits no longer than `time` from now: after that it continues without a place
    /// and should end.
    pub fn waiting_within(turnstile: &Arc<Turnstile>, rank: Rank, time: Duration) -> Self {
        Visitor::waiting_until(turnstile, rank, Instant::now().checked_add(time))
    }

    fn waiting_until(turnstile: &Arc<Turnstile>, rank: Rank, until: Option<Instant>) -> Self {
        Visitor {
            turnstile: Arc::clone(turnstile),
            ticket: Arc::new(Ticket {
                rank,
                until,
                status: Mutex::new(Status {
                    running_since: None,
                    leaving: false,
                    ran: Duration::ZERO,
                }),
                changed: Condvar::new(),
            }),
        }
    }

    /// Gives the place to another search if it is that one's turn, and waits for a place again. Searches call this often.
    pub fn give_way(&self) {
        let status = *lock(&self.ticket.status);
        let Some(since) = status.running_since else {
            return;
        };
        let ran = since.elapsed();
        if ran < SHORT_SLICE {
            return;
        }
        {
            let mut hall = lock(&self.turnstile.hall);
            let slice = match status.ran.is_zero() {
                true => FIRST_SLICE,
                false => SLICE,
            };
            let others_wait = match self.ticket.rank {
                Rank::Thought if ran < slice => !hall.moves.is_empty(),
                Rank::Move if ran < slice => false,
                _ => !hall.moves.is_empty() || !hall.thoughts.is_empty(),
            };
            if !others_wait || status.leaving || !self.ticket.leave_place() {
                return;
            }
            hall.running -= 1;
            hall.queue(self.ticket.rank)
                .push_back(Arc::clone(&self.ticket));
            hall.fill_places();
        }
        self.ticket.wait();
    }

    /// Wakes a waiting search and makes it leave the queue, so that it notices a request to stop.
    pub fn call_out(&self) {
        let mut status = lock(&self.ticket.status);
        if status.running_since.is_none() {
            status.leaving = true;
            self.ticket.changed.notify_all();
        }
    }

    /// How long the search has run, without the time it waited.
    pub fn ran(&self) -> Duration {
        let status = lock(&self.ticket.status);
        let now = status.running_since;
        status.ran + now.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// A [`Stop`] for the search, which gives way to others whenever it is checked.
    pub fn stop(&self) -> Stop {
        let visitor = self.clone();
        Stop::with_pause(move || visitor.give_way())
    }
}

impl Turn for Visitor {
    /// Waits for the first place. It is called only once.
    fn enter(&self) {
        {
            let mut hall = lock(&self.turnstile.hall);
            hall.queue(self.ticket.rank)
                .push_back(Arc::clone(&self.ticket));
            hall.fill_places();
        }
        self.ticket.wait();
    }

    /// Gives the place up for good.
    fn leave(&self) {
        let mut hall = lock(&self.turnstile.hall);
        lock(&self.ticket.status).leaving = true;
        if self.ticket.leave_place() {
            hall.running -= 1;
        }
        hall.queue(self.ticket.rank)
            .retain(|ticket| !Arc::ptr_eq(ticket, &self.ticket));
        hall.fill_places();
    }
}
