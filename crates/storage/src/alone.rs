//! Files that one process at a time has open.

use crate::regular::refuse_non_files;
use same_file::Handle;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long to wait for another process.
const PATIENCE: Duration = Duration::from_secs(1);

/// Opens a file and locks it. If another process has locked it, this call waits for a short time and then fails with
/// [`ResourceBusy`](io::ErrorKind::ResourceBusy). Anything that is not a file is refused.
///
/// The file returned is the one at this path even if a file was moved or removed during the wait, and it stays there as
/// long as every process that moves or removes it holds the lock. The options must not truncate: that would happen before the
/// lock is held, and cut off what another process wrote.
pub fn open_alone(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let begun = Instant::now();
    loop {
        refuse_non_files(path)?;
        if let Some(file) = lock(options.open(path)?, path)? {
            return Ok(file);
        }
        if begun.elapsed() > PATIENCE {
            let text = format!("another process is writing {}", path.display());
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// As [`open_alone`], but without waiting; `None` if another process has locked the file.
pub fn open_if_free(path: &Path, options: &OpenOptions) -> io::Result<Option<File>> {
    refuse_non_files(path)?;
    lock(options.open(path)?, path)
}

/// Locks a file that has just been opened; `None` if another process holds the lock, or moved or removed the file after we
/// opened it and before we locked it.
fn lock(file: File, path: &Path) -> io::Result<Option<File>> {
    match file.try_lock() {
        Ok(()) => Ok(is_at(&file, path)?.then_some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        // Where files cannot be locked, the user has to make sure that there is one writer at a time.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
            Ok(Some(file))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether a path leads to an open file.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match Handle::from_path(path) {
        Ok(found) => Ok(found == Handle::from_file(file.try_clone()?)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    /// A writer that opened a draft just before another writer renamed it must not touch it: what it has open is now the
    /// file itself.
    #[test]
    fn a_file_that_has_just_come_into_place_is_not_taken_for_the_draft() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, draft) = (folder.path().join("file"), folder.path().join("draft"));
        let mut options = OpenOptions::new();
        let options = options.create(true).write(true);
        let first = open_alone(&draft, options).expect("free");
        let opened_early = options.open(&draft).expect("there");
        let busy = options.open(&draft).expect("there");
        assert!(lock(busy, &draft).expect("known").is_none());
        (&first).write_all(b"first").expect("written");
        fs::rename(&draft, &path).expect("renamed");
        drop(first);
        // First no file has this name, then another draft has it.
        let again = options.open(&path).expect("there");
        assert!(lock(again, &draft).expect("known").is_none());
        let second = open_alone(&draft, options).expect("free");
        assert!(lock(opened_early, &draft).expect("known").is_none());
        (&second).write_all(b"second").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"first");
    }

    #[test]
    fn who_waits_gets_the_file_of_that_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let mut options = OpenOptions::new();
        let options = options.create(true).append(true);
        let mut first = open_alone(&path, options).expect("free");
        first.write_all(b"first").expect("written");
        std::thread::scope(|scope| {
            let second = scope.spawn(|| open_alone(&path, options));
            std::thread::sleep(Duration::from_millis(50));
            fs::remove_file(&path).expect("removed");
            drop(first);
            let mut second = second.join().expect("no panic").expect("free");
            second.write_all(b"second").expect("written");
        });
        assert_eq!(fs::read(&path).expect("there"), b"second");
    }
}
