//! Signals. Ctrl-C: the first one asks for what has been found so far, the second one ends the program.

use kalahari_terms::Stop;
use std::sync::OnceLock;

static STOP: OnceLock<Stop> = OnceLock::new();

/// Whether Ctrl-C has cut short a run that can stop early.
pub(crate) fn was_requested() -> bool {
    STOP.get().is_some_and(Stop::is_requested)
}

/// The request to stop that Ctrl-C makes.
pub(crate) fn stop() -> &'static Stop {
    STOP.get_or_init(listen)
}

/// As [`stop`], for work that is meant to end by Ctrl-C: then nothing is left undone, and the run is a success.
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

/// Makes a write beyond the allowed size of a file fail with an error, instead of ending the program.
pub(crate) fn let_files_be_too_large() {
    // A handler rather than ignoring the signal, because programs that we start would inherit that.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}

/// If another program shortens a table while we use it, the program ends with a message instead of a bare signal.
pub(crate) fn name_shortened_files() {
    #[cfg(unix)]
    kalahari_storage::name_shortened_files(crate::failure::Status::Trouble as i32);
}

fn end() -> ! {
    kalahari_protocol::end_all();
    std::process::exit(130)
}
