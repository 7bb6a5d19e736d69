//! Clocks. Searches ask a [`Clock`] instead of the system, since a browser has no `Instant`.

use std::fmt::Debug;
use std::time::Duration;

/// Tells the time since some fixed moment. It never runs backward.
pub trait Clock: Debug + Send + Sync {
    /// The time now.
    fn now(&self) -> Duration;
}

/// A clock that stands still: time limits never bind. For tests, and where there is no other clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standstill;

impl Clock for Standstill {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// The clock of the machine.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[cfg(not(target_family = "wasm"))]
impl Clock for SystemClock {
    fn now(&self) -> Duration {
        use std::sync::OnceLock;
        use std::time::Instant;
        static BEGIN: OnceLock<Instant> = OnceLock::new();
        BEGIN.get_or_init(Instant::now).elapsed()
    }
}
