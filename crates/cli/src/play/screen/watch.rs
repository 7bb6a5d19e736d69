//! A watch beside the screen: when the terminal is gone, the program has to end, too.
//!
//! Waiting for keys never ends on a terminal that has hung up: the wait itself spins, so nothing inside the screen's
//! own loop can notice it.

use super::terminal::restore;
use kalahari_terms::Stop;
use std::io::{self, IsTerminal};
use std::time::Duration;

/// How often the watch looks.
const LOOK: Duration = Duration::from_millis(200);
/// How long the screen may take to end by itself.
const GRACE: Duration = Duration::from_millis(500);
/// The exit status of a program that was ended from outside.
const ENDED: i32 = 130;

/// A watch over the terminal; dropping it calls it off.
pub(crate) struct Watch(Stop);

impl Watch {
    /// Begins to watch. If `stop` is requested or the terminal hangs up, and the screen does not end by itself, the
    /// program is ended.
    pub(crate) fn begin(stop: Stop) -> Watch {
        let over = Stop::new();
        let called_off = over.clone();
        std::thread::spawn(move || {
            // After a hang-up, standard input is no longer a terminal.
            while !stop.is_requested() && io::stdin().is_terminal() {
                std::thread::sleep(LOOK);
                if called_off.is_requested() {
                    return;
                }
            }
            stop.request();
            std::thread::sleep(GRACE);
            if !called_off.is_requested() {
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
        self.0.request();
    }
}
