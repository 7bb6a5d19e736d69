//! The last line that a process wrote to standard error.

use crate::ugi::shown;
use crate::{Line, Lines};
use std::io::Read;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The last line of a process's standard error.
#[derive(Debug, Default)]
pub(super) struct Tail {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    line: Option<String>,
    ended: bool,
}

impl Tail {
    /// Reads a source to its end, however long it is: a program that writes much would block if nothing read it. Runs in its own
    /// thread.
    pub(super) fn fill_from(&self, source: impl Read) {
        let mut lines = Lines::new(source);
        while let Ok(Some(line)) = lines.next_line() {
            if let Line::Text(text) = line
                && !text.trim().is_empty()
            {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                state.line = Some(shown(&text));
            }
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended = true;
        self.ended.notify_all();
    }

    /// The last line that is not blank, once the source has ended or `patience` is over.
    pub(super) fn last_line(&self, patience: Duration) -> Option<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .ended
            .wait_timeout_while(state, patience, |state| !state.ended);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.line.clone()
    }
}
