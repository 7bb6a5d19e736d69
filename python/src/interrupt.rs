//! Long work that leaves the interpreter free and reacts to Ctrl-C.

use kalahari_terms::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a waiting thread asks whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(50);

/// How long we wait for interrupted Python code to end. It may be asleep, or waiting for input.
const FAREWELL: Duration = Duration::from_secs(1);

/// Does the work in another thread and waits for it. Ctrl-C requests a stop; when the work has ended, `KeyboardInterrupt` is raised.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, wait) = channel();
            let working = scope.spawn(move || {
                let result = catch_unwind(AssertUnwindSafe(work));
                // The waiting thread waits for this message.
                let _ = done.send(());
                result
            });
            let mut raised = None;
            while wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                Python::attach(|py| {
                    if let Err(signal) = py.check_signals() {
                        raised.get_or_insert(signal);
                        stop.request();
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

/// Python code that is called by work in another thread.
pub(crate) trait Called: Sync {
    /// Called from time to time. An exception ends the work.
    fn look(&self, py: Python<'_>) -> PyResult<()>;

    /// Makes the Python code end, as far as that is possible: a request to stop does not reach it.
    fn interrupt(&self, py: Python<'_>);
}

/// Like [`interruptible`], for work that calls Python code. If that code does not end even when it is interrupted, its thread is left
/// running, and its result is dropped.
pub(crate) fn interruptible_or_left<T: Send + 'static>(
    py: Python<'_>,
    stop: &Stop,
    called: &impl Called,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, wait) = channel();
    let working = std::thread::Builder::new().spawn(move || {
        // If the caller has returned, the result is dropped.
        let _ = done.send(catch_unwind(AssertUnwindSafe(work)));
    });
    working.map_err(|error| PyRuntimeError::new_err(format!("no thread to play in: {error}")))?;
    // A receiver belongs to one thread. Only this one uses it, but the compiler needs the lock.
    let wait = Mutex::new(wait);
    py.detach(|| {
        let wait = wait.lock().unwrap_or_else(PoisonError::into_inner);
        let mut raised: Option<(PyErr, Instant)> = None;
        loop {
            match (wait.recv_timeout(PATIENCE), raised.take()) {
                (Ok(_), Some((signal, _))) => return Err(signal),
                (Ok(Ok(result)), None) => return Ok(result),
                (Ok(Err(_)) | Err(RecvTimeoutError::Disconnected), None) => {
                    return Err(broke_down());
                }
                (Err(_), Some((signal, since))) if since.elapsed() > FAREWELL => {
                    return Err(signal);
                }
                (Err(_), before) => {
                    raised = before;
                    Python::attach(|py| {
                        let heard = py.check_signals().and_then(|()| match raised {
                            Some(_) => Ok(()),
                            None => called.look(py),
                        });
                        if let Err(signal) = heard {
                            raised.get_or_insert_with(|| (signal, Instant::now()));
                            stop.request();
                            called.interrupt(py);
                        }
                    });
                }
            }
        }
    })
}

/// A panic, as Python sees it.
pub(crate) fn broke_down() -> PyErr {
    PyRuntimeError::new_err("the search failed; this is a bug in the program")
}

/// Waits for the next item of a channel; `None` if none will come. Ctrl-C requests a stop and raises `KeyboardInterrupt`.
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
