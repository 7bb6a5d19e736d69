//! What a proof may spend and how much it has spent.

use kalahari_terms::{Charge, Limits, Stop};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The running account of one proof, which all its threads share. For a search of one thread there is
/// [`Budget`](kalahari_terms::Budget).
#[derive(Debug)]
pub struct Effort {
    stop: Stop,
    /// The time for all of it, if it is limited.
    time: Option<Duration>,
    most_nodes: u64,
    threads: usize,
    nodes: AtomicU64,
}

/// Making tables may take one part in this many of the time.
const TIME_FOR_TABLES: u32 = 3;

/// How many nodes a thread may search between two looks at the stop request: well below a millisecond.
const LOOK_EVERY: u64 = 128;

impl Effort {
    /// The account of a proof that begins now, by one thread. A depth limit has no effect on a proof.
    pub fn new(limits: &Limits, stop: &Stop) -> Self {
        Effort {
            stop: match limits.move_time() {
                Some(time) => stop.within(time),
                None => stop.clone(),
            },
            time: limits.move_time(),
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            threads: 1,
            nodes: AtomicU64::new(0),
        }
    }

    /// The same for this many threads, at least one.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Effort {
            threads: threads.max(1),
            ..self
        }
    }

    /// The threads that may work.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// The nodes that are left.
    pub(crate) fn left(&self) -> u64 {
        self.most_nodes.saturating_sub(self.nodes())
    }

    /// The nodes searched so far, as far as threads have reported them.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The request that ends the proof; it is also made when the time is up.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The time for all of it, if it is limited.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The time that making tables may take, if it is limited: the rest is for the proof.
    pub(crate) fn time_for_tables(&self) -> Option<Duration> {
        self.time.map(|time| time / TIME_FOR_TABLES)
    }

    /// A part of the effort of at most `nodes` nodes; what it spends has to be added by [`take_back`](Effort::take_back).
    pub(crate) fn part(&self, nodes: u64) -> Effort {
        let left = self.left();
        Effort {
            stop: self.stop.clone(),
            time: self.time,
            most_nodes: nodes.min(left),
            threads: self.threads,
            nodes: AtomicU64::new(0),
        }
    }

    /// Adds what a part has spent, and says whether the whole is over.
    pub(crate) fn take_back(&self, part: &Effort) -> bool {
        let before = self.nodes.fetch_add(part.nodes(), Ordering::Relaxed);
        before + part.nodes() >= self.most_nodes || self.stop.is_requested()
    }

    /// Adds nodes. Returns how many more a thread may search before it calls this again; 0 if the proof is over.
    fn spend(&self, nodes: u64) -> u64 {
        let before = self.nodes.fetch_add(nodes, Ordering::Relaxed);
        match self.stop.look() {
            true => 0,
            false => LOOK_EVERY.min(self.most_nodes.saturating_sub(before + nodes)),
        }
    }

    /// The account of one thread.
    pub(crate) fn account(&self) -> Account<'_> {
        Account {
            effort: self,
            nodes: 0,
            told: 0,
            look_after: 0,
            spent: false,
        }
    }
}

impl From<&Stop> for Effort {
    /// Only the request ends the proof.
    fn from(stop: &Stop) -> Self {
        Effort::new(&Limits::NONE, stop)
    }
}

/// One thread's part of an [`Effort`].
#[derive(Debug)]
pub(crate) struct Account<'a> {
    effort: &'a Effort,
    nodes: u64,
    /// The nodes already reported to the effort.
    told: u64,
    /// The node count after which the effort is asked again.
    look_after: u64,
    spent: bool,
}

impl Account<'_> {
    /// Counts a node that is about to be searched and returns whether to give up instead. Once this is true, it stays true.
    #[inline]
    pub(crate) fn count_node(&mut self) -> bool {
        if self.nodes >= self.look_after && !self.spent {
            self.look();
        }
        self.nodes += u64::from(!self.spent);
        self.spent
    }

    /// Says that the current node is as much work as `nodes` more, so that the clock is checked in time.
    #[inline]
    pub(crate) fn is_work_of(&mut self, nodes: u64) {
        self.look_after = self.look_after.saturating_sub(nodes);
    }

    #[cold]
    fn look(&mut self) {
        let more = self.effort.spend(self.nodes - self.told);
        self.told = self.nodes;
        self.look_after = self.nodes + more;
        self.spent = more == 0;
    }

    /// The nodes that this thread has searched.
    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }
}

impl Charge for Account<'_> {
    #[inline]
    fn charge_node(&mut self) -> bool {
        self.count_node()
    }
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        let left = self.nodes - self.told;
        self.effort.nodes.fetch_add(left, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn nodes_are_counted_to_the_last_one() {
        for most in [0, 1, 127, 128, 129, 5000] {
            let effort = Effort::new(&Limits::nodes(most), &Stop::new());
            let mut account = effort.account();
            let searched = std::iter::repeat_with(|| account.count_node())
                .take_while(|give_up| !give_up)
                .count() as u64;
            assert_eq!((searched, account.nodes()), (most, most));
            drop(account);
            assert_eq!(effort.nodes(), most);
            assert!(effort.account().count_node());
        }
    }

    #[test]
    fn a_request_and_a_deadline_end_it() {
        let stop = Stop::new();
        let effort = Effort::from(&stop);
        assert!(!effort.account().count_node());
        stop.request();
        assert!(effort.account().count_node());
        let late = Effort::new(&Limits::time(Duration::ZERO), &Stop::new());
        assert!(late.account().count_node());
        assert_eq!(late.nodes(), 0);
    }
}
