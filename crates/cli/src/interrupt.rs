//! Signals. Ctrl-C: the first one asks for what has been found so far, the second one ends the program.

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

/// Makes a file that may not grow any further an error of whoever writes it, instead of the end of the program.
pub(crate) fn let_files_be_too_large() {
    // A handler, and not the choice to ignore the signal: that would be handed on to the programs that we start.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}

/// Makes a table that another program shortens while we use it the end of the program with a sentence, instead of with a bare signal.
pub(crate) fn name_shortened_files() {
    #[cfg(unix)]
    kalahari_storage::name_shortened_files(crate::failure::Status::Trouble as i32);
}

fn end() -> ! {
    kalahari_protocol::end_all();
    std::process::exit(130)
}
