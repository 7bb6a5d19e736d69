//! A scratch directory in which a program runs, so that the files it writes do not collide with others, not even with those of
//! another instance of the same program.
//!
//! The name contains the process id of the owner: `kalahari-agent-PID-...`. Python agents use names of the same form. A process that
//! is killed leaves its directory behind; the next process that starts a program removes it.

use super::family;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

/// The beginning of the names of all such directories.
const PREFIX: &str = "kalahari-agent-";

/// Limits on the files beside a program that are copied into its scratch directory: weights, tables, classes and the like.
const MOST_FILES: usize = 64;
const MOST_BYTES: u64 = 16 << 20;

/// A directory that is removed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A directory for a command, with copies of the small files beside its program. The program is the first word that is a file but
    /// not a program of the system; if there is none, the files of the current directory are copied.
    pub(crate) fn beside(command: &[String]) -> io::Result<Self> {
        let scratch = Scratch::empty()?;
        let mut files = command.iter().map(Path::new).filter(|word| word.is_file());
        let file = files.find(|file| !is_of_the_system(file));
        let folder = match file.and_then(Path::parent) {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // Most programs do not need these files.
        let _ = bring_along(folder, &scratch.0);
        Ok(scratch)
    }

    fn empty() -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let own = std::process::id();
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("{PREFIX}{own}-{count}"));
            match make_folder(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Scratch(path)),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If it cannot be removed now, the next process that starts a program tries again.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether a file is in one of the directories of `PATH`.
fn is_of_the_system(file: &Path) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| file.parent() == Some(&folder))
}

/// Makes a folder that only its owner can access.
fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Copies the small files of a folder, unless there are many: then the folder does not belong to the program.
fn bring_along(folder: &Path, to: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_file() && !name.starts_with('.') {
            files.push((path.metadata()?.len(), path));
        }
        if files.len() > MOST_FILES {
            return Ok(());
        }
    }
    files.sort();
    let mut left = MOST_BYTES;
    for (size, path) in files {
        let Some(rest) = left.checked_sub(size) else {
            break;
        };
        left = rest;
        fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// A command that means the same in every working directory: words that are existing paths become absolute, also
/// after the `=` of an option.
pub(crate) fn from_anywhere(command: Vec<String>) -> Vec<String> {
    let from_anywhere = |(place, word): (usize, String)| match word.split_once('=') {
        // A bare name is searched for in `PATH`.
        _ if place == 0 && !word.contains('/') => word,
        Some((option, path)) if option.starts_with('-') && Path::new(path).exists() => {
            format!("{option}={}", full(path))
        }
        _ if Path::new(&word).exists() => full(&word),
        _ => word,
    };
    let words = command.into_iter().enumerate();
    words.map(from_anywhere).collect()
}

fn full(path: &str) -> String {
    let full = absolute(path).ok();
    let text = full.and_then(|full| full.into_os_string().into_string().ok());
    text.unwrap_or_else(|| path.to_owned())
}

/// Removes the directories of processes that have died. Does so only once per process.
pub(super) fn remove_stale() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| remove_stale_in(&std::env::temp_dir()));
}

fn remove_stale_in(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_string_lossy();
        let owner = owner.strip_prefix(PREFIX).and_then(|rest| {
            let (number, _) = rest.split_once('-')?;
            number.parse().ok()
        });
        if owner.is_some_and(family::has_died) {
            // This fails if it belongs to another user.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn directories_of_dead_processes_are_removed() {
        let place = Scratch::empty().expect("a directory");
        let mut child = std::process::Command::new("true").spawn().expect("started");
        let dead = child.id();
        child.wait().expect("it ends");
        let alive = std::process::id();
        let folder = |name: String| {
            let folder = place.path().join(name);
            fs::create_dir(&folder).expect("made");
            fs::write(folder.join("time.txt"), "x").expect("written");
            folder
        };
        let gone = folder(format!("{PREFIX}{dead}-3"));
        let kept = [
            folder(format!("{PREFIX}{alive}-3")),
            folder(format!("{PREFIX}mine-{dead}")),
            folder(format!("other-{dead}-3")),
        ];
        remove_stale_in(place.path());
        assert!(!gone.exists());
        assert!(kept.iter().all(|folder| folder.exists()));
    }

    #[test]
    fn commands_mean_the_same_elsewhere() {
        // Tests run in the folder of the crate.
        let here = std::env::current_dir().expect("a folder");
        let words = [
            "cargo",
            "Cargo.toml",
            "--with=src/lib.rs",
            "src",
            "nobody.x",
            "-c",
        ];
        let command = from_anywhere(words.map(str::to_owned).to_vec());
        let here = here.display();
        assert_eq!(
            command,
            [
                "cargo".to_owned(),
                format!("{here}/Cargo.toml"),
                format!("--with={here}/src/lib.rs"),
                format!("{here}/src"),
                "nobody.x".to_owned(),
                "-c".to_owned()
            ]
        );
    }

    #[test]
    fn small_files_are_copied() {
        let scratch = Scratch::beside(&["sh".to_owned(), "src/lib.rs".to_owned()]);
        let scratch = scratch.expect("a directory");
        let path = scratch.path().to_owned();
        assert!(path.join("engine.rs").is_file());
        assert!(!path.join("process").exists());
        drop(scratch);
        assert!(!path.exists());
    }
}
