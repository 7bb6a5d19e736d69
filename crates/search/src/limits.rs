//! How long a player may think, and how it notices that the time is up.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a player may spend on one move. Limits that are `None` do not bind; a search with none at all
/// goes on until it is stopped or has solved the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The deepest search, in plies.
    pub depth: Option<u32>,
    /// The most nodes; for Monte Carlo tree search, playouts.
    pub nodes: Option<u64>,
    /// The most time for this move.
    pub time: Option<Duration>,
    /// A clock for the whole game.
    pub clock: Option<Clock>,
}

/// A game clock as the player to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left for the rest of the game.
    pub remaining: Duration,
    /// The time added after every move.
    pub increment: Duration,
}

impl Limits {
    /// These limits, and where they are silent, those of `other`.
    pub fn or(self, other: Limits) -> Limits {
        Limits {
            depth: self.depth.or(other.depth),
            nodes: self.nodes.or(other.nodes),
            time: self.time.or(other.time),
            clock: self.clock.or(other.clock),
        }
    }

    /// Whether nothing is limited.
    pub fn is_unlimited(&self) -> bool {
        *self == Limits::default()
    }

    /// The time for this move: the given one, or a share of the clock that leaves enough for the rest.
    pub fn move_time(&self) -> Option<Duration> {
        /// A game of Kalah or Isolation rarely needs more moves than this from any point on.
        const MOVES_TO_GO: u32 = 16;
        /// What starting and stopping may cost.
        const SAFETY: Duration = Duration::from_millis(5);
        let from_clock = self.clock.map(|clock| {
            let share = clock.remaining / MOVES_TO_GO + clock.increment * 3 / 4;
            share.min(clock.remaining.saturating_sub(SAFETY) * 4 / 5)
        });
        match (self.time, from_clock) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share),
        }
    }
}

/// A request to stop that any thread can make and every search honours within milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Signal>);

#[derive(Default)]
struct Signal {
    requested: AtomicBool,
    pause: Option<Box<dyn Fn() + Send + Sync>>,
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.requested.fmt(f)
    }
}

impl Stop {
    /// A request not yet made.
    pub fn new() -> Self {
        Stop::default()
    }

    /// A request not yet made, for a search that shares a processor with others: the searching thread calls
    /// `pause` every millisecond or more often, and `pause` may let it wait for its turn. Clocks go on meanwhile.
    pub fn with_pause(pause: impl Fn() + Send + Sync + 'static) -> Self {
        Stop(Arc::new(Signal {
            requested: AtomicBool::new(false),
            pause: Some(Box::new(pause)),
        }))
    }

    /// Makes the request.
    pub fn request(&self) {
        self.0.requested.store(true, Ordering::Relaxed);
    }

    /// Takes the request back.
    pub fn clear(&self) {
        self.0.requested.store(false, Ordering::Relaxed);
    }

    /// The request as a flag, true once it has been made.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.requested
    }

    /// Whether the request has been made.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.requested.load(Ordering::Relaxed)
    }

    /// Pauses, if the search has to share, and then says whether the request has been made.
    fn pause_and_look(&self) -> bool {
        if let Some(pause) = &self.0.pause {
            pause();
        }
        self.is_requested()
    }
}

/// The running account of one search: counts nodes and says when to give up.
#[derive(Debug)]
pub struct Budget {
    begin: Instant,
    deadline: Option<Instant>,
    max_nodes: u64,
    nodes: u64,
    /// The node count at which the clock and the stop request are looked at next.
    next_look: u64,
    spent: bool,
    /// Time that is not used now can be used later.
    saves_time: bool,
    stop: Stop,
}

/// How many nodes may pass between two looks at the clock: well below a millisecond.
const LOOK_EVERY: u64 = 512;

impl Budget {
    /// The account of a search that begins now.
    pub fn new(limits: &Limits, stop: &Stop) -> Self {
        let begin = Instant::now();
        Budget {
            begin,
            deadline: limits.move_time().and_then(|time| begin.checked_add(time)),
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            next_look: 0,
            spent: false,
            saves_time: limits.time.is_none(),
            stop: stop.clone(),
        }
    }

    /// Counts one node and says whether the search has to give up. Once it has, it always has.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.next_look {
            self.look();
        }
        self.spent
    }

    /// Says that the last node was as much work as `nodes` more, so that the clock is looked at in time.
    #[inline]
    pub fn was_work_of(&mut self, nodes: u64) {
        self.next_look = self.next_look.saturating_sub(nodes);
    }

    #[cold]
    fn look(&mut self) {
        self.next_look = (self.nodes + LOOK_EVERY).min(self.max_nodes);
        if self.nodes > self.max_nodes
            || self.stop.pause_and_look()
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        {
            self.nodes = self.nodes.min(self.max_nodes);
            self.next_look = 0;
            self.spent = true;
        }
    }

    /// Whether the search has had to give up.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Whether another, deeper iteration is worth its beginning. It will need several times as much as
    /// all before it, so on a game clock it is better to save the time than to be cut off.
    pub fn has_room_for_another(&self) -> bool {
        if self.spent || self.stop.is_requested() {
            return false;
        }
        self.deadline.is_none_or(|deadline| {
            let whole = deadline.saturating_duration_since(self.begin);
            self.elapsed() < whole.mul_f64(if self.saves_time { 0.6 } else { 1.0 })
        })
    }

    /// The nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Adds nodes that other threads have counted.
    pub fn add_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }
}
