//! Files that somebody else shortens in place while they are used as memory.
//!
//! Whoever then looks at the lost part is ended by the system with a signal that says nothing. [`name_shortened_files`] makes it say
//! which file it was. Only a program may ask for that, since it is about the whole process; a library leaves signals alone.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The files that are used as memory.
static USED: Mutex<Vec<Used>> = Mutex::new(Vec::new());

#[cfg_attr(not(unix), expect(dead_code, reason = "there is no such signal"))]
struct Used {
    begin: usize,
    end: usize,
    /// What to say of it, ready to be written: nothing can be put together when the signal comes.
    message: Box<[u8]>,
}

/// A file is used as memory as long as this is there.
#[derive(Debug)]
pub(crate) struct InUse {
    begin: usize,
}

impl InUse {
    /// Notes a file and where it is in memory.
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

/// From now on a file that is shortened while it is used ends the program with a sentence that names it and this exit status.
#[cfg(unix)]
pub fn name_shortened_files(status: i32) {
    let action = move |about: &libc::siginfo_t| {
        // SAFETY: the system gives the place with every signal of this kind.
        let place = unsafe { about.si_addr() }.addr();
        // If the list is being changed just now, the signal ends the program as it always did.
        let Ok(used) = USED.try_lock() else {
            return;
        };
        let is_there = |file: &&Used| (file.begin..file.end).contains(&place);
        if let Some(file) = used.iter().find(is_there) {
            let message = &file.message;
            // SAFETY: both may be called when a signal comes, and the message is as long as it says.
            unsafe {
                libc::write(2, message.as_ptr().cast(), message.len());
                libc::_exit(status)
            }
        }
    };
    // SAFETY: the action takes no memory, waits for nobody and does only what may be done when a signal comes.
    // Without it the signal ends the program as it always did.
    let _ = unsafe { signal_hook_registry::register_sigaction(libc::SIGBUS, action) };
}
