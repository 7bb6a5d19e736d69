//! Ctrl-C asks long work to stop and to say what it has.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static LISTEN: Once = Once::new();

/// A flag that the first Ctrl-C sets. The second one ends the program at once.
pub(crate) fn flag() -> &'static AtomicBool {
    LISTEN.call_once(|| {
        // Without a handler Ctrl-C simply ends the program.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    &STOP
}
