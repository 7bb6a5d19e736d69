//! The request to stop, and what else reaches a search from outside: pauses and the time.

use crate::Clock;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A request to stop that any thread can make and every search and solver honours within milliseconds.
///
/// Clones share one request. A [`child`](Stop::child) has a separate request that is also made when its parent's is.
#[derive(Clone)]
pub struct Stop(Arc<Signal>);

struct Signal {
    requested: AtomicBool,
    parent: Option<Stop>,
    /// The time at which the request is made automatically, by the clock.
    deadline: Option<Duration>,
    pause: Option<Box<dyn Fn() + Send + Sync>>,
    clock: Arc<dyn Clock>,
}

impl Stop {
    /// A request not yet made, with the machine's clock. In a browser, which has no clock that we can read, time stands
    /// still; pass one to [`with_clock`](Stop::with_clock) there.
    pub fn new() -> Self {
        #[cfg(not(target_family = "wasm"))]
        let clock = crate::SystemClock;
        #[cfg(target_family = "wasm")]
        let clock = crate::Standstill;
        Stop::with_clock(Arc::new(clock))
    }

    /// A request not yet made, for searches that read this clock.
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        Stop::made_of(clock, None, None, None)
    }

    /// A request not yet made, for a search that shares a processor with others: the searching thread calls
    /// `pause` every millisecond or more often, and `pause` may make it wait for its turn. Clocks keep running meanwhile.
    pub fn with_pause(pause: impl Fn() + Send + Sync + 'static) -> Self {
        let clock = Stop::new().0.clock.clone();
        Stop::made_of(clock, None, None, Some(Box::new(pause)))
    }

    /// A separate request that is also made when this one is.
    #[must_use]
    pub fn child(&self) -> Self {
        Stop::made_of(self.0.clock.clone(), Some(self.clone()), None, None)
    }

    /// A [`child`](Stop::child) whose request is made automatically after `time`.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let deadline = self.now().checked_add(time);
        Stop::made_of(self.0.clock.clone(), Some(self.clone()), deadline, None)
    }

    fn made_of(
        clock: Arc<dyn Clock>,
        parent: Option<Stop>,
        deadline: Option<Duration>,
        pause: Option<Box<dyn Fn() + Send + Sync>>,
    ) -> Self {
        Stop(Arc::new(Signal {
            requested: AtomicBool::new(false),
            parent,
            deadline,
            pause,
            clock,
        }))
    }

    /// Makes the request.
    pub fn request(&self) {
        self.0.requested.store(true, Ordering::Relaxed);
    }

    /// Whether the request has been made. Cheap; does not look at the clock.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.requested.load(Ordering::Relaxed)
            || self.0.parent.as_ref().is_some_and(Stop::is_requested)
    }

    /// Pauses if the search has to share, makes the request if its time has come, and says whether it has been made. A
    /// search calls this every few hundred nodes.
    pub fn look(&self) -> bool {
        if let Some(pause) = &self.0.pause {
            pause();
        }
        if self
            .0
            .deadline
            .is_some_and(|deadline| self.now() >= deadline)
        {
            self.request();
        }
        let parent = self.0.parent.as_ref().is_some_and(Stop::look);
        parent || self.is_requested()
    }

    /// The time, by the clock that searches under this request read.
    pub fn now(&self) -> Duration {
        self.0.clock.now()
    }
}

impl Default for Stop {
    fn default() -> Self {
        Stop::new()
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stop({})", self.is_requested())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standstill;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn a_child_hears_its_parent_and_not_the_other_way_round() {
        let parent = Stop::new();
        let (one, other) = (parent.child(), parent.child());
        one.request();
        assert!(one.is_requested() && !parent.is_requested() && !other.is_requested());
        parent.request();
        assert!(other.is_requested() && other.child().is_requested());
    }

    #[test]
    fn a_deadline_is_seen_by_a_look_and_by_everybody_after_it() {
        let stop = Stop::new();
        let now = stop.within(Duration::ZERO);
        assert!(!now.is_requested());
        assert!(now.clone().look());
        assert!(now.is_requested() && !stop.look());
        let never = Stop::with_clock(Arc::new(Standstill)).within(Duration::from_nanos(1));
        assert!(!never.look());
    }

    #[test]
    fn children_pause_with_their_parent() {
        let pauses = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&pauses);
        let stop = Stop::with_pause(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        assert!(!stop.child().within(Duration::MAX).look());
        assert_eq!(pauses.load(Ordering::Relaxed), 1);
    }
}
