//! Replacing files so that there is always either the whole old file or the whole new one, even after a crash.

use crate::alone::{open_alone, open_if_free};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file whole or not at all. See [`replace`].
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    replace(path, |file| file.write_all(content))
}

/// Writes a file: first a draft beside it under its [`draft_name`], which is synced and then renamed over it. Folders are
/// made if needed.
///
/// - On an error nothing is left behind. A process that dies leaves at most the draft. The next writer of the same file
///   takes it over; a writer of another file in the folder removes it. Of two writers at once, one waits for a short time
///   and then fails.
/// - A symbolic link stays; the file that it points to is replaced.
/// - A file keeps its mode. A new one gets the mode of any new file.
/// - Anything that is not a file, such as a device or a pipe, is written to directly.
///
/// `write` has to write from beginning to end: pipes cannot seek.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    match destination(path)? {
        Destination::Stream => {
            let mut stream = OpenOptions::new().write(true).truncate(true).open(path)?;
            write(&mut stream)
        }
        Destination::File { path, permissions } => replace_file(&path, permissions, write),
    }
}

/// Makes sure, as far as that can be known, that [`replace`] can write a file, for callers that work for a long time before
/// they write. The file stays as it is; its folders are made if needed.
pub fn check_place(path: &Path) -> io::Result<()> {
    let Destination::File { path, .. } = destination(path)? else {
        return Ok(());
    };
    fs::create_dir_all(folder_of(&path))?;
    let draft = draft_name(&path);
    match claim(&draft) {
        // The holder of the lock may remove the draft.
        Ok(_file) => fs::remove_file(&draft),
        // If another process is writing there right now, writing is possible.
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Ok(()),
        Err(error) => Err(error),
    }
}

/// What a draft's name ends with.
const DRAFT: &str = ".kalahari-tmp";

/// The name under which a file is written until it is whole.
pub fn draft_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(DRAFT);
    name.into()
}

/// Where a path leads.
enum Destination {
    /// To a file, which may not exist yet.
    File {
        /// Its own name, links followed.
        path: PathBuf,
        /// The permissions of the old file, if there is one.
        permissions: Option<Permissions>,
    },
    /// To a device, a pipe, or an open file without a name.
    Stream,
}

fn destination(path: &Path) -> io::Result<Destination> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if found.is_file() => Ok(match fs::canonicalize(path) {
            Ok(path) => Destination::File {
                path,
                permissions: Some(found.permissions()),
            },
            Err(_) => Destination::Stream,
        }),
        Ok(_) => Ok(Destination::Stream),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Destination::File {
            path: end_of_links(path),
            permissions: None,
        }),
        Err(error) => Err(error),
    }
}

/// Follows links to their end, which does not exist.
fn end_of_links(path: &Path) -> PathBuf {
    /// More links than any system follows.
    const MOST_LINKS: usize = 64;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = folder_of(&path).join(next),
            Err(_) => break,
        }
    }
    path
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn replace_file(
    path: &Path,
    permissions: Option<Permissions>,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let draft = draft_name(path);
    let mut file = claim(&draft)?;
    let permissions = permissions.as_ref();
    let written = file
        .set_len(0)
        .and_then(|()| permissions.map_or(Ok(()), |wanted| show_to_nobody_else(&file, wanted)))
        .and_then(|()| write(&mut file))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&draft);
        return written;
    }
    if let Some(permissions) = permissions {
        // Only the mode of a write-protected file is still wrong. The content is safe, so this is no reason to fail.
        let _ = file.set_permissions(permissions.clone());
    }
    remove_stale_drafts(folder);
    // The rename itself has to reach the disk; not every system lets folders be synced.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Removes from a folder the drafts of writers that have died. Nothing depends on it, so failures are ignored.
pub fn remove_stale_drafts(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let is_draft = entry
            .file_name()
            .as_encoded_bytes()
            .ends_with(DRAFT.as_bytes());
        // Links are not followed.
        if is_draft && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let draft = entry.path();
            // A writer at work holds the lock.
            if let Ok(Some(_file)) = open_if_free(&draft, OpenOptions::new().write(true)) {
                let _ = fs::remove_file(&draft);
            }
        }
    }
}

/// Gives a draft the mode of the file that it will replace, except that its owner can write: the next writer has to
/// take it over if this one dies.
#[cfg(unix)]
fn show_to_nobody_else(draft: &File, wanted: &Permissions) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let wanted = wanted.mode() | 0o200;
    // Not every file system has modes to change.
    match draft.metadata()?.permissions().mode() == wanted {
        true => Ok(()),
        false => draft.set_permissions(Permissions::from_mode(wanted)),
    }
}

#[cfg(not(unix))]
fn show_to_nobody_else(_: &File, _: &Permissions) -> io::Result<()> {
    Ok(())
}

/// Opens the draft of a file, for this writer alone.
fn claim(draft: &Path) -> io::Result<File> {
    refuse_other_than_file(draft)?;
    let file = open_alone(draft, OpenOptions::new().create(true).write(true))?;
    // Checked again after opening and before anything is truncated.
    refuse_other_than_file(draft)?;
    Ok(file)
}

/// A link in place of a draft could lead anywhere, and opening a pipe might never return.
fn refuse_other_than_file(draft: &Path) -> io::Result<()> {
    if fs::symlink_metadata(draft).is_ok_and(|found| !found.is_file()) {
        let text = format!("{} is in the way: it is not a file", draft.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn read(path: &Path) -> String {
        fs::read_to_string(path).expect("there")
    }

    fn names(folder: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> = entries.map(|e| e.expect("an entry").file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep").join("file");
        write_whole(&path, b"old").expect("written");
        let failed = replace(&path, |file| {
            file.write_all(b"ne")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err());
        assert_eq!(read(&path), "old");
        assert_eq!(names(&folder.path().join("deep")), ["file"]);
    }

    #[test]
    fn what_a_killed_writer_left_is_taken_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(draft_name(&path), "a longer half").expect("written");
        write_whole(&path, b"new").expect("written");
        assert_eq!(read(&path), "new");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn what_killed_writers_of_other_files_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(draft_name(&at("killed")), "half").expect("written");
        replace(&at("busy"), |file| {
            file.write_all(b"busy")?;
            // A writer at work is not disturbed.
            write_whole(&at("file"), b"new")
        })
        .expect("written");
        assert_eq!(names(folder.path()), ["busy", "file"]);
        assert_eq!(read(&at("busy")), "busy");
    }

    #[test]
    fn a_place_is_checked_without_a_trace() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "old").expect("written");
        check_place(&at("file")).expect("writable");
        check_place(&at("new")).expect("writable");
        check_place(Path::new("/dev/null")).expect("writable");
        assert_eq!(read(&at("file")), "old");
        assert_eq!(names(folder.path()), ["file"]);
        assert!(check_place(&at("file").join("inside a file")).is_err());
        assert!(check_place(folder.path()).is_err());
        let busy = replace(&at("new"), |_| check_place(&at("new")));
        busy.expect("another writer can write there");
    }

    #[test]
    fn a_second_writer_waits_and_then_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let error = replace(&path, |file| {
            file.write_all(b"first")?;
            let error = write_whole(&path, b"second").expect_err("busy");
            assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
            assert!(error.to_string().contains("another process"), "{error}");
            Ok(())
        });
        error.expect("written");
        assert_eq!(read(&path), "first");
        write_whole(&path, b"second").expect("written");
        assert_eq!(read(&path), "second");
    }

    #[test]
    fn among_many_writers_and_readers_the_file_is_always_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let content = |writer: usize| format!("{writer}").repeat(5000 + 1000 * writer);
        write_whole(&path, content(0).as_bytes()).expect("written");
        thread::scope(|scope| {
            let writers: Vec<_> = (1..5)
                .map(|writer| {
                    let (path, content) = (&path, &content);
                    scope.spawn(move || {
                        for _ in 0..25 {
                            // A writer that waits for too long is refused; that is not tested here.
                            let _ = write_whole(path, content(writer).as_bytes());
                        }
                    })
                })
                .collect();
            while !writers.iter().all(|writer| writer.is_finished()) {
                let found = read(&path);
                let writer: usize = found[..1].parse().expect("a digit");
                assert!(found == content(writer));
            }
        });
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn folders_and_drafts_that_are_no_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(write_whole(folder.path(), b"x").is_err());
        assert!(write_whole(Path::new(""), b"x").is_err());
        let path = folder.path().join("file");
        fs::create_dir(draft_name(&path)).expect("made");
        let error = write_whole(&path, b"x").expect_err("refused");
        assert!(error.to_string().contains("in the way"), "{error}");
        assert!(!path.exists());
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

        fn mode(path: &Path) -> u32 {
            let found = fs::metadata(path).expect("there");
            found.permissions().mode() & 0o7777
        }

        #[test]
        fn links_stay_and_their_file_is_replaced() {
            let folder = tempfile::tempdir().expect("a folder");
            let at = |name: &str| folder.path().join(name);
            fs::create_dir(at("far")).expect("made");
            fs::write(at("far/file"), "old").expect("written");
            symlink("far/file", at("link")).expect("linked");
            symlink(at("link"), at("link to link")).expect("linked");
            write_whole(&at("link to link"), b"new").expect("written");
            assert_eq!(read(&at("far/file")), "new");
            assert!(at("link").is_symlink() && at("link to link").is_symlink());
            // A link to a file that is not there yet.
            symlink("far/deep/new", at("dangling")).expect("linked");
            write_whole(&at("dangling"), b"made").expect("written");
            assert_eq!(read(&at("far/deep/new")), "made");
            assert!(at("dangling").is_symlink());
            symlink("circle", at("circle")).expect("linked");
            assert!(write_whole(&at("circle"), b"x").is_err());
            let mut left = ["circle", "dangling", "far", "link", "link to link"];
            left.sort();
            assert_eq!(names(folder.path()), left);
            assert_eq!(names(&at("far")), ["deep", "file"]);
        }

        /// A user who may write here must not be able to redirect our writes to another file.
        #[test]
        fn a_draft_that_is_a_link_is_not_followed() {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("file");
            let victim = folder.path().join("victim");
            fs::write(&victim, "precious").expect("written");
            symlink(&victim, draft_name(&path)).expect("linked");
            assert!(write_whole(&path, b"x").is_err());
            assert_eq!(read(&victim), "precious");
        }

        #[test]
        fn a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own() {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("file");
            let usual = folder.path().join("usual");
            fs::write(&usual, "").expect("written");
            write_whole(&path, b"new").expect("written");
            assert_eq!(mode(&path), mode(&usual));
            for wanted in [0o640, 0o600, 0o755, 0o444] {
                fs::set_permissions(&path, Permissions::from_mode(wanted)).expect("set");
                replace(&path, |file| {
                    // Only those who may read the file may read the draft, and its owner may write it.
                    let draft = file.metadata()?.permissions().mode() & 0o7777;
                    assert_eq!(draft, wanted | 0o200);
                    file.write_all(b"newer")
                })
                .expect("written");
                assert_eq!(mode(&path), wanted);
            }
        }

        #[test]
        fn devices_and_pipes_are_written_into() {
            let folder = tempfile::tempdir().expect("a folder");
            let pipe = folder.path().join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            assert!(made.expect("it runs").success());
            let reader = thread::spawn({
                let pipe = pipe.clone();
                move || fs::read_to_string(pipe)
            });
            write_whole(&pipe, b"through the pipe").expect("written");
            let got = reader.join().expect("no panic").expect("read");
            assert_eq!(got, "through the pipe");
            let kind = fs::symlink_metadata(&pipe).expect("there").file_type();
            assert!(kind.is_fifo());

            let null = folder.path().join("null");
            symlink("/dev/null", &null).expect("linked");
            write_whole(&null, b"gone").expect("written");
            write_whole(Path::new("/dev/null"), b"gone").expect("written");
            let kind = fs::metadata("/dev/null").expect("there").file_type();
            assert!(kind.is_char_device() && null.is_symlink());
            assert_eq!(names(folder.path()), ["null", "pipe"]);
        }

        #[test]
        #[cfg(target_os = "linux")]
        fn an_open_file_without_a_name_is_written_into() {
            use std::os::fd::AsRawFd;
            let file = tempfile::tempfile().expect("a file");
            let path = format!("/proc/self/fd/{}", file.as_raw_fd());
            write_whole(Path::new(&path), b"nameless").expect("written");
            assert_eq!(read(Path::new(&path)), "nameless");
        }
    }
}
