//! Files that are either the old one or the new one, whole, whatever happens on the way.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file: under a temporary name beside it, synced, then renamed over it.
///
/// On an error nothing is left behind. A process that dies leaves at most the temporary file, which the next
/// writer of the same file takes over; two writers at once are refused.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(directory)?;
    let temporary = temporary_name(path);
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(&temporary)?;
    if file.try_lock().is_err() {
        let text = format!("another process is writing {}", temporary.display());
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
    }
    let written = file
        .set_len(0)
        .and_then(|()| write(&mut file))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
        return written;
    }
    // The rename itself has to reach the disk; not every system lets directories be synced.
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
    Ok(())
}

/// The name under which a file is written.
pub(crate) fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("deep").join("file");
        replace(&path, |file| file.write_all(b"old")).expect("written");
        let failed = replace(&path, |file| {
            file.write_all(b"ne")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).expect("there"), b"old");
        assert!(!temporary_name(&path).exists());
        // Somebody died here.
        fs::write(temporary_name(&path), "a longer half").expect("written");
        replace(&path, |file| file.write_all(b"new")).expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"new");
    }
}
