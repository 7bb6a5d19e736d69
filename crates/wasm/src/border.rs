//! The border to JavaScript: a buffer to write into, two functions that read it, and three functions of the worker.
//!
//! ```text
//!   worker                               here
//!   place = room(bytes)                  makes a buffer of this many bytes
//!   writes the request at `place`
//!   hear()                               answers; says every frame by say(place, bytes)
//!   take(bytes)                          a file that a game needs: a name of this many bytes, then its content
//! ```
//!
//! A worker has one thread, and `say` and `now` call nothing here, so calls never overlap.

use crate::request::Heard;
use crate::room::{Outside, Room};
use kalahari_terms::Clock;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

#[link(wasm_import_module = "worker")]
unsafe extern "C" {
    /// Takes a text of this many bytes.
    fn say(place: *const u8, bytes: usize);
    /// Takes the reason why this module panicked.
    fn complain(place: *const u8, bytes: usize);
    /// Milliseconds since 1970.
    fn now() -> f64;
}

/// The worker.
#[derive(Debug)]
struct Worker;

impl Clock for Worker {
    fn now(&self) -> Duration {
        // SAFETY: the worker gives a number and calls nothing here.
        let millis = unsafe { now() };
        Duration::try_from_secs_f64(millis / 1e3).unwrap_or_default()
    }
}

impl Outside for Worker {
    fn hear(&self, frame: &Heard) {
        let text = serde_json::to_vec(frame).unwrap_or_default();
        // SAFETY: the worker reads these bytes before it returns, and keeps no pointer.
        unsafe { say(text.as_ptr(), text.len()) }
    }
}

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ROOM: RefCell<Option<Room>> = const { RefCell::new(None) };
}

/// The most bytes that a request may have; our own requests are far smaller.
const MOST_BYTES: usize = 16 << 20;

/// Makes room for a request of this many bytes, and returns its address; null if that is too much.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    if bytes > MOST_BYTES {
        return std::ptr::null_mut();
    }
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(bytes, 0);
        buffer.as_mut_ptr()
    })
}

/// Answers the request in the buffer.
#[unsafe(no_mangle)]
extern "C" fn hear() {
    let request = BUFFER.take();
    with_room(|room| room.hear(&request));
}

/// Takes a file whose name is the first `name` bytes of the buffer; 1 if it could be used.
#[unsafe(no_mangle)]
extern "C" fn take(name: usize) -> u32 {
    let file = BUFFER.take();
    let (name, content) = file.split_at(name.min(file.len()));
    let name = String::from_utf8_lossy(name);
    with_room(|room| room.take(&name, content)).into()
}

fn with_room<T>(act: impl FnOnce(&mut Room) -> T) -> T {
    ROOM.with_borrow_mut(|room| act(room.get_or_insert_with(open)))
}

fn open() -> Room {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: as for `say`.
        unsafe { complain(text.as_ptr(), text.len()) }
    }));
    Room::new(Arc::new(Worker))
}
