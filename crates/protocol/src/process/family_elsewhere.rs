//! Where there are no process groups, as on Windows, no program of others is started.
//!
//! We promise that an engine ends with all its children and never makes us wait. What keeps these promises is written for
//! Unix; without it an engine would run on after its match. So starting one is refused, with this reason.

use std::io;
use std::process::{Child, ChildStdin, Command};
use std::time::Duration;

/// Would mark a command; here nothing is started.
pub(super) fn prepare(_: &mut Command) -> String {
    String::new()
}

/// Refuses.
pub(super) fn spawn(_: Command) -> io::Result<Child> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "programs of others (ugi:, py:) can be started on Linux and macOS only; on Windows use WSL",
    ))
}

/// Never called, since nothing is started.
pub(super) fn never_block(_: &ChildStdin) -> io::Result<()> {
    Ok(())
}

/// A family without members.
#[derive(Debug)]
pub(super) struct Family;

impl Family {
    /// The family of a child, which nobody can have started.
    pub(super) fn new(_: &Child, _: String) -> Self {
        Family
    }

    /// Yes.
    pub(super) fn has_exited(&self) -> bool {
        true
    }

    /// There is nobody to limit.
    pub(super) fn limit_memory(&self, _: u64) {}

    /// Nobody has any.
    pub(super) fn memory(&self) -> Option<u64> {
        None
    }

    /// Nobody has used any.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        None
    }

    /// There is nobody to wait for.
    pub(super) fn wait_for_exit(&self, _: Duration) {}

    /// There is nobody to end.
    pub(super) fn end(&mut self) {}
}

/// Whether a process is known to have ended. Nothing is known here.
pub(super) fn has_died(_: u32) -> bool {
    false
}

/// Ends every engine that is still running: there is none.
pub fn end_all() {}
