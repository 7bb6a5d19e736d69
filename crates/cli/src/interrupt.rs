//! Ctrl-C: the first one asks for what has been found so far, the second one ends the program.

use kalahari_search::Stop;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// The request to stop that Ctrl-C makes.
pub(crate) fn stop() -> &'static Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    STOP.get_or_init(|| {
        let stop = Stop::new();
        let on_signal = stop.clone();
        // Without a handler Ctrl-C simply ends the program.
        let _ = ctrlc::set_handler(move || {
            if on_signal.is_requested() {
                kalahari_protocol::end_all();
                std::process::exit(130);
            }
            on_signal.request();
        });
        stop
    })
}

/// The same request as a plain flag.
pub(crate) fn flag() -> &'static AtomicBool {
    stop().flag()
}

/// Makes the first Ctrl-C end the program at once, for work that has nothing to finish.
pub(crate) fn end_at_once() {
    // Without a handler Ctrl-C ends the program as well, but not the engines it has started.
    let _ = ctrlc::set_handler(|| {
        kalahari_protocol::end_all();
        std::process::exit(130);
    });
}
