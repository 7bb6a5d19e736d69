//! Long work with the interpreter free and Ctrl-C heard.

use kalahari_terms::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often a waiting thread asks whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Does the work in another thread and waits for it. Ctrl-C makes the request to stop; when the work has ended, it is raised.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    interruptible_also(py, stop, |_| (), work)
}

/// As [`interruptible`], and every Ctrl-C is also told to `tell`: Python code in the work hears of no request.
pub(crate) fn interruptible_also<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    tell: impl Fn(Python<'_>) + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, wait) = channel();
            let working = scope.spawn(move || {
                let result = catch_unwind(AssertUnwindSafe(work));
                // The other side waits until it hears this.
                let _ = done.send(());
                result
            });
            let mut raised = None;
            while wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                Python::attach(|py| {
                    if let Err(signal) = py.check_signals() {
                        raised.get_or_insert(signal);
                        stop.request();
                        tell(py);
                    }
                });
            }
            match (raised, working.join()) {
                (Some(signal), _) => Err(signal),
                (None, Ok(Ok(result))) => Ok(result),
                (None, _) => Err(broke_down()),
            }
        })
    })
}

/// A panic, as Python sees it.
pub(crate) fn broke_down() -> PyErr {
    PyRuntimeError::new_err("the search failed; this is a bug in the program")
}

/// Waits for what comes out of a channel; `None` if nothing will. Ctrl-C makes the request to stop and is raised.
pub(crate) fn wait_for<T: Send>(
    py: Python<'_>,
    receiver: &Mutex<Receiver<T>>,
    stop: &Stop,
) -> PyResult<Option<T>> {
    loop {
        let heard = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(PATIENCE)
        });
        match heard {
            Ok(heard) => return Ok(Some(heard)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| stop.request())?;
            }
        }
    }
}
