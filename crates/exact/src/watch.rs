//! Long work and who watches it.

use kalahari_terms::Stop;
use std::fmt;

/// What accompanies long work: the request to stop it, and who hears how far it has come.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// The request to stop.
    pub stop: &'a Stop,
    /// Told of every part of the work how many positions it had. Any thread may tell.
    pub done: &'a (dyn Fn(u64) + Sync),
}

impl<'a> Watch<'a> {
    /// Nobody hears how far the work has come.
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
