//! Notices about the files of this machine during games, for a user interface that listens.

use crate::tablebase::TableSpec;
use kalahari_storage::{FileError, Trouble};
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Something about tablebases and books that needs no action. Its text is for people.
#[derive(Debug)]
#[non_exhaustive]
pub enum Notice<'a> {
    /// A tablebase in the data directory cannot be used and is ignored. Sent once for every file.
    Unusable {
        /// The family of positions.
        table: TableSpec,
        /// What is wrong.
        error: &'a FileError,
        /// Whether a new one is built in its place.
        is_replaced: bool,
    },
    /// The data directory cannot be read or written, so tables stay in memory. Sent once.
    NoHome {
        /// The directory.
        home: &'a Path,
        /// What the system says.
        problem: &'a io::Error,
    },
    /// The program waits for a table that is being built, before games begin.
    Making {
        /// The family of positions.
        table: TableSpec,
        /// Which process builds it.
        maker: Maker,
        /// How much of it is done, in percent, if that is known.
        percent: Option<u8>,
    },
    /// The wait is over.
    Made,
}

/// The process that builds a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// This program.
    Here,
    /// Another process.
    Another,
}

impl Notice<'_> {
    /// Whether it reports a problem, rather than progress.
    pub fn is_warning(&self) -> bool {
        matches!(self, Notice::Unusable { .. } | Notice::NoHome { .. })
    }
}

impl fmt::Display for Notice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Unusable {
                table,
                error,
                is_replaced: false,
            } => write!(
                f,
                "{error} (`kalahari tablebase delete {table}`); continuing without it"
            ),
            Notice::Unusable {
                error,
                is_replaced: true,
                ..
            } => {
                match &error.trouble {
                    // Without the advice on what to do: the program replaces the file itself.
                    Trouble::Damaged(damage) => write!(f, "{}: {damage}", error.path.display())?,
                    _ => write!(f, "{error}")?,
                }
                f.write_str("; a new one is built in its place")
            }
            Notice::NoHome { home, problem } => write!(
                f,
                "the data directory {} cannot be used: {problem}; endgame tables stay in memory",
                home.display()
            ),
            Notice::Making {
                table,
                maker,
                percent,
            } => {
                match maker {
                    Maker::Here => write!(f, "building the endgame table of {table}")?,
                    Maker::Another => {
                        write!(
                            f,
                            "another process is building the endgame table of {table}"
                        )?;
                    }
                }
                match percent {
                    Some(percent) => write!(f, ": {percent}%"),
                    None => Ok(()),
                }
            }
            Notice::Made => f.write_str("the endgame table is ready"),
        }
    }
}

type Listener = Box<dyn Fn(&Notice<'_>) + Send + Sync>;
static LISTENER: OnceLock<Listener> = OnceLock::new();

/// From now on `listener` receives all notices; any thread may call it. Only the first listener is used: a program sets its own
/// before any library that it calls.
pub fn listen_to_notices(listener: impl Fn(&Notice<'_>) + Send + Sync + 'static) {
    let _ = LISTENER.set(Box::new(listener));
}

pub(super) fn tell(notice: &Notice<'_>) {
    if let Some(listener) = LISTENER.get() {
        listener(notice);
    }
}

/// Reports that a tablebase under a home directory cannot be used: once for every file, and once for a directory that cannot
/// be used at all.
pub(super) fn tell_of_table(home: &Path, table: TableSpec, error: &FileError, is_replaced: bool) {
    match &error.trouble {
        Trouble::Io(problem) => tell_of_home(home, problem),
        _ if is_first(&error.path) => tell(&Notice::Unusable {
            table,
            error,
            is_replaced,
        }),
        _ => {}
    }
}

/// Reports, once, that a home directory cannot be used.
pub(super) fn tell_of_home(home: &Path, problem: &io::Error) {
    if is_first(home) {
        tell(&Notice::NoHome { home, problem });
    }
}

fn is_first(path: &Path) -> bool {
    static TOLD: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.get_or_insert_default().insert(path.to_owned())
}
