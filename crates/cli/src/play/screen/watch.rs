//! A watch beside the screen: when the terminal is gone the program must be, too.
//!
//! Waiting for keys never ends on a terminal that has hung up: the wait itself spins, so nothing inside the screen's
//! own loop can notice it.

use super::terminal::restore;
use kalahari_search::Stop;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often the watch looks.
const LOOK: Duration = Duration::from_millis(200);
/// How long the screen may take to end by itself.
const GRACE: Duration = Duration::from_millis(500);
/// The exit status of a program that was ended from outside.
const ENDED: i32 = 130;

/// A watch over the terminal; dropping it calls it off.
pub(crate) struct Watch(Arc<AtomicBool>);

impl Watch {
    /// Begins to watch. If `stop` is requested or the terminal hangs up, and the screen does not end by itself, the
    /// program is ended.
    pub(crate) fn begin(stop: Stop) -> Watch {
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        std::thread::spawn(move || {
            // A terminal that has hung up is none any more.
            while !stop.is_requested() && io::stdin().is_terminal() {
                std::thread::sleep(LOOK);
                if seen.load(Ordering::Relaxed) {
                    return;
                }
            }
            stop.request();
            std::thread::sleep(GRACE);
            if !seen.load(Ordering::Relaxed) {
                restore();
                kalahari_protocol::end_all();
                std::process::exit(ENDED);
            }
        });
        Watch(over)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
