//! What happens to the files of this machine, on standard error: warnings as lines, and tables that are being built as one line that
//! changes. A full screen is not disturbed; notices wait until it is closed.

use kalahari_exact::prover::{Notice, listen_to_notices};
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Shorter waits are not explained.
const SOON: Duration = Duration::from_millis(700);
/// The same without a terminal.
pub(crate) const SOON_IN_A_PIPE: Duration = Duration::from_secs(3);

struct Shown {
    /// Notices that are held back while something else has the screen.
    held: Option<Vec<String>>,
    /// Since when a command has been waiting for a table.
    waits_since: Option<Instant>,
    /// Whether the user has been told about the wait.
    is_told: bool,
}

static SHOWN: Mutex<Shown> = Mutex::new(Shown {
    held: None,
    waits_since: None,
    is_told: false,
});

fn shown() -> MutexGuard<'static, Shown> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows all notices from now on.
pub(crate) fn show_all() {
    listen_to_notices(|notice| shown().show(notice));
}

/// Says nothing until [`release`].
pub(crate) fn hold() {
    shown().held.get_or_insert_default();
}

/// Prints what has been held back, and shows notices as usual again.
pub(crate) fn release() {
    for line in shown().held.take().into_iter().flatten() {
        eprintln!("{line}");
    }
}

impl Shown {
    fn show(&mut self, notice: &Notice<'_>) {
        match notice {
            Notice::Making { .. } => self.making(notice),
            Notice::Made => {
                self.clear();
                self.waits_since = None;
                self.is_told = false;
            }
            _ => {
                self.clear();
                let line = format!("kalahari: {notice}");
                match &mut self.held {
                    Some(held) => held.push(line),
                    None => eprintln!("{line}"),
                }
            }
        }
    }

    fn making(&mut self, notice: &Notice<'_>) {
        let since = *self.waits_since.get_or_insert_with(Instant::now);
        let is_terminal = std::io::stderr().is_terminal();
        let soon = if is_terminal { SOON } else { SOON_IN_A_PIPE };
        if since.elapsed() < soon || self.held.is_some() {
            return;
        }
        match is_terminal {
            true => eprint!("\r\x1b[K{notice}"),
            false if !self.is_told => eprintln!("kalahari: {notice}"),
            false => {}
        }
        self.is_told = true;
    }

    /// Takes the line off the terminal.
    fn clear(&self) {
        if self.is_told && std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}
