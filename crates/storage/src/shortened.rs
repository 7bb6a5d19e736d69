//! Files that another program shortens in place while they are mapped into memory.
//!
//! A process that then reads the lost part is killed by a signal without any message. [`name_shortened_files`] prints
//! which file it was. Only programs should call it, since it affects the whole process; libraries leave signals alone.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The files that are used as memory.
static USED: Mutex<Vec<Used>> = Mutex::new(Vec::new());

#[cfg_attr(not(unix), expect(dead_code, reason = "there is no such signal"))]
struct Used {
    begin: usize,
    end: usize,
    /// The message about it, ready to be written: a signal handler must not allocate.
    message: Box<[u8]>,
}

/// A file is in use as long as this value lives.
#[derive(Debug)]
pub(crate) struct InUse {
    begin: usize,
}

impl InUse {
    /// Notes a file and where it is mapped.
    pub(crate) fn note(path: &Path, bytes: &[u8]) -> Self {
        let range = bytes.as_ptr_range();
        let (begin, end) = (range.start.addr(), range.end.addr());
        let message = format!(
            "kalahari: {}: another program shortened this file while it was in use; make it again or delete it, then start again\n",
            path.display()
        );
        let message = message.into_bytes().into();
        let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
        used.push(Used {
            begin,
            end,
            message,
        });
        InUse { begin }
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = used.iter().position(|file| file.begin == self.begin) {
            used.swap_remove(place);
        }
    }
}

/// From now on, if a file is shortened while it is in use, the program prints a message that names it and ends with this
/// exit status.
#[cfg(unix)]
pub fn name_shortened_files(status: i32) {
    let action = move |about: &libc::siginfo_t| {
        // SAFETY: the system gives the address with every signal of this kind.
        let place = unsafe { about.si_addr() }.addr();
        // If the list is being changed right now, the signal ends the program as it would have anyway.
        let Ok(used) = USED.try_lock() else {
            return;
        };
        let is_there = |file: &&Used| (file.begin..file.end).contains(&place);
        if let Some(file) = used.iter().find(is_there) {
            let message = &file.message;
            // SAFETY: both functions may be called in a signal handler, and the message has this length.
            unsafe {
                libc::write(2, message.as_ptr().cast(), message.len());
                libc::_exit(status)
            }
        }
    };
    // SAFETY: the action allocates nothing, never blocks and does only what is allowed in a signal handler.
    // If it cannot be registered, the signal ends the program as it would have anyway.
    let _ = unsafe { signal_hook_registry::register_sigaction(libc::SIGBUS, action) };
}
