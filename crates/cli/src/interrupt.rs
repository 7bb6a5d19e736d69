//! Ctrl-C: the first one asks for what has been found so far, the second one ends the program.

use kalahari_search::Stop;

/// A request to stop that Ctrl-C makes.
pub(crate) fn stop_on_interrupt() -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let on_signal = stop.clone();
    ctrlc::set_handler(move || {
        if on_signal.is_requested() {
            kalahari_protocol::end_all();
            std::process::exit(130);
        }
        on_signal.request();
    })?;
    Ok(stop)
}
