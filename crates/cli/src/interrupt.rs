//! Ctrl-C: the first one asks for what has been found so far, the second one ends the program.

use kalahari_terms::Stop;
use std::sync::OnceLock;

static STOP: OnceLock<Stop> = OnceLock::new();

/// Whether Ctrl-C has cut a run short that knows how to stop.
pub(crate) fn was_requested() -> bool {
    STOP.get().is_some_and(Stop::is_requested)
}

/// The request to stop that Ctrl-C makes.
pub(crate) fn stop() -> &'static Stop {
    STOP.get_or_init(listen)
}

/// As [`stop`], for work that is meant to end by Ctrl-C: then nothing was left undone, and the run was a success.
pub(crate) fn meant_to_end() -> Stop {
    listen()
}

fn listen() -> Stop {
    let stop = Stop::new();
    let on_signal = stop.clone();
    // Without a handler Ctrl-C simply ends the program.
    let _ = ctrlc::set_handler(move || {
        if on_signal.is_requested() {
            end();
        }
        on_signal.request();
    });
    stop
}

/// Makes the first Ctrl-C end the program at once, for work that has nothing to finish.
pub(crate) fn end_at_once() {
    // Without a handler Ctrl-C ends the program as well, but not the engines it has started.
    let _ = ctrlc::set_handler(|| end());
}

fn end() -> ! {
    kalahari_protocol::end_all();
    std::process::exit(130)
}
