//! Stopping and watching long work.

use kalahari_terms::Stop;
use std::fmt;

/// What accompanies long work: the request to stop it, and a listener for its progress.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// The request to stop.
    pub stop: &'a Stop,
    /// Called after every part of the work with its number of positions, from any thread.
    pub done: &'a (dyn Fn(u64) + Sync),
}

impl<'a> Watch<'a> {
    /// Without a listener.
    pub fn silent(stop: &'a Stop) -> Self {
        Watch {
            stop,
            done: &|_| (),
        }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("stop", self.stop).finish()
    }
}
