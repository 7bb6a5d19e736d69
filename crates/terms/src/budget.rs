//! The running account of one search.

use crate::{Limits, Stop};
use std::time::Duration;

/// The running account of one search: counts nodes and says when to give up.
#[derive(Debug)]
pub struct Budget {
    begin: Duration,
    deadline: Option<Duration>,
    max_nodes: u64,
    nodes: u64,
    /// The node count at which the clock and the stop request are checked next.
    next_look: u64,
    /// The node count after which the search pauses.
    pause_at: u64,
    spent: bool,
    /// The search gives up only for a pause.
    is_paused: bool,
    /// Time that is not used now can be used later.
    saves_time: bool,
    stop: Stop,
}

/// How many nodes may pass between two looks at the clock: well below a millisecond.
const LOOK_EVERY: u64 = 512;

impl Budget {
    /// The account of a search that begins now.
    pub fn new(limits: &Limits, stop: &Stop) -> Self {
        let begin = stop.now();
        Budget {
            begin,
            deadline: limits.move_time().and_then(|time| begin.checked_add(time)),
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            next_look: 0,
            pause_at: u64::MAX,
            spent: false,
            is_paused: false,
            saves_time: limits.time.is_none(),
            stop: stop.clone(),
        }
    }

    /// Counts one node and returns whether the search has to give up. Once this is true, it stays true.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.next_look {
            self.look();
        }
        self.spent
    }

    /// Says that the last node took as much work as `nodes` more, so that the clock is checked in time.
    #[inline]
    pub fn was_work_of(&mut self, nodes: u64) {
        self.next_look = self.next_look.saturating_sub(nodes);
    }

    #[cold]
    fn look(&mut self) {
        let soon = self.nodes + LOOK_EVERY;
        self.next_look = soon.min(self.max_nodes).min(self.pause_at);
        if self.nodes > self.max_nodes
            || self.stop.look()
            || self
                .deadline
                .is_some_and(|deadline| self.stop.now() >= deadline)
        {
            self.nodes = self.nodes.min(self.max_nodes);
            self.next_look = 0;
            self.spent = true;
            self.is_paused = false;
        } else if self.nodes > self.pause_at {
            self.next_look = 0;
            self.spent = true;
            self.is_paused = true;
        }
    }

    /// Makes the search give up after this many more nodes, so that other work can be charged to its account; then it may
    /// [continue](Budget::go_on).
    pub fn pause_after(&mut self, nodes: u64) {
        self.pause_at = self.nodes.saturating_add(nodes);
        self.next_look = self.next_look.min(self.pause_at);
    }

    /// Ends a pause. Returns whether there was one: `false` if the search did not have to give up, or has to end.
    pub fn go_on(&mut self) -> bool {
        let was_paused = std::mem::take(&mut self.is_paused);
        if was_paused {
            self.spent = false;
            self.pause_at = u64::MAX;
            self.next_look = self.nodes;
        }
        was_paused
    }

    /// What is left of the nodes and of the time.
    pub fn left(&self) -> Limits {
        let nodes = self.max_nodes.checked_sub(self.nodes);
        Limits {
            nodes: (self.max_nodes < u64::MAX).then_some(nodes.unwrap_or(0)),
            time: self
                .deadline
                .map(|deadline| deadline.saturating_sub(self.stop.now())),
            ..Limits::NONE
        }
    }

    /// The request to stop.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Whether the search had to give up.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Whether another, deeper iteration is worth starting. It will take several times as long as all before it, so on
    /// a game clock it is better to save the time than to be cut off.
    pub fn has_room_for_another(&self) -> bool {
        if self.spent || self.stop.is_requested() {
            return false;
        }
        self.deadline.is_none_or(|deadline| {
            let whole = deadline.saturating_sub(self.begin);
            self.elapsed() < whole.mul_f64(if self.saves_time { 0.6 } else { 1.0 })
        })
    }

    /// The nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Adds nodes that were counted elsewhere.
    pub fn add_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.stop.now().saturating_sub(self.begin)
    }
}
