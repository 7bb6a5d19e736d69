//! On platforms without process groups, such as Windows, external programs are not started.
//!
//! We guarantee that an engine ends with all its children and never blocks us. The code for this works only on
//! Unix; without it, an engine could keep running after its match. So starting one is refused, with an explanation.

use std::io;
use std::process::{Child, ChildStdin, Command};
use std::time::Duration;

/// Does nothing, because no program is started.
pub(super) fn prepare(_: &mut Command) -> String {
    String::new()
}

/// Always fails.
pub(super) fn spawn(_: Command) -> io::Result<Child> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "external programs (ugi:, exe:, py:) can be started only on Linux and macOS; on Windows use WSL",
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
    /// Never called, since nothing is started.
    pub(super) fn new(_: &Child, _: String) -> Self {
        Family
    }

    /// Always true.
    pub(super) fn has_exited(&self) -> bool {
        true
    }

    /// There is no process to limit.
    pub(super) fn limit_memory(&self, _: u64) {}

    /// There is no process, so nothing is known.
    pub(super) fn memory(&self) -> Option<u64> {
        None
    }

    /// There is no process, so nothing is known.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        None
    }

    /// There is no process to wait for.
    pub(super) fn wait_for_exit(&self, _: Duration) {}

    /// There is no process to end.
    pub(super) fn end(&mut self) {}
}

/// Whether a process is known to have ended. This platform cannot tell.
pub(super) fn has_died(_: u32) -> bool {
    false
}

/// Ends every engine that is still running: there is none.
pub fn end_all() {}
