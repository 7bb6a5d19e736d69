//! Opens SQLite files that belong to this program, and no others.

use kalahari_storage::refuse_non_files;
use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, TransactionBehavior};
use std::fmt::{Display, Write};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// How long a program waits for another one that is writing to the same file.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long it waits between attempts where SQLite itself does not wait.
const PAUSE: Duration = Duration::from_millis(5);

/// A kind of file: what marks it, and its tables.
#[derive(Clone, Copy, Debug)]
pub struct FileKind {
    /// The name of the kind for the message that refuses another file: "a store of games".
    pub name: &'static str,
    /// The number that marks files of this kind.
    pub application: i32,
    /// The statements that create the tables of version 1, then those that upgrade each version to the next.
    pub versions: &'static [&'static str],
}

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum FileProblem {
    /// SQLite reports an error.
    #[error("SQLite cannot use it: {0}")]
    Sql(rusqlite::Error),
    /// The path, or that of one of SQLite's own files beside it, is something other than a file.
    #[error("{}{problem}; move it away, or name another file", beside_text(.beside))]
    NotAFile {
        /// The path of SQLite's own file, if that is the problem: `games.db-wal`.
        beside: Option<PathBuf>,
        /// What the path is instead.
        problem: io::Error,
    },
    /// It cannot be written to.
    #[error(
        "it cannot be written to; change its permissions and those of its folder, or name another file"
    )]
    ReadOnly,
    /// The disk is full.
    #[error(
        "the disk is full; free some space, then repeat the command: all that was written before is kept"
    )]
    Full,
    /// Another program holds the write lock.
    #[error("another program has been writing to it for {} s; wait for it, then repeat the command", PATIENCE.as_secs())]
    Busy,
    /// It is a file of another kind.
    #[error("it is not {0}; name another file")]
    Foreign(&'static str),
    /// A newer program has made it.
    #[error("its tables have version {found}, but this program knows version {known}")]
    Version {
        /// The version of its tables.
        found: i32,
        /// The newest version that this program knows.
        known: usize,
    },
    /// The file does not exist.
    #[error("there is no such file")]
    Missing,
    /// It cannot be created because its folder does not exist.
    #[error("there is no folder {}; make it first, or name another file", .0.display())]
    NoFolder(PathBuf),
    /// Its content is not what was written.
    #[error("it is damaged: {0}; put a good copy in its place, or begin a new file")]
    Damaged(String),
}

fn beside_text(beside: &Option<PathBuf>) -> String {
    let name = |file: &PathBuf| format!("{} is in the way: ", file.display());
    beside.as_ref().map_or(String::new(), name)
}

impl From<rusqlite::Error> for FileProblem {
    /// Replaces SQLite's message where the user can do something about the problem.
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as Sql;
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt) => {
                FileProblem::Damaged("SQLite cannot read its pages".to_owned())
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => FileProblem::ReadOnly,
            Some(ErrorCode::DiskFull) => FileProblem::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => FileProblem::Busy,
            _ => match error {
                Sql::FromSqlConversionFailure(..)
                | Sql::IntegralValueOutOfRange(..)
                | Sql::InvalidColumnType(..)
                | Sql::Utf8Error(..) => {
                    FileProblem::Damaged("a row has a value of the wrong type".to_owned())
                }
                Sql::SqlInputError { .. } => {
                    FileProblem::Damaged("it does not have the expected tables".to_owned())
                }
                error => FileProblem::Sql(error),
            },
        }
    }
}

impl FileKind {
    /// Opens a file of this kind for writing. Creates it if it does not exist, and upgrades an older one.
    ///
    /// Transactions of this connection take the write lock when they begin, and wait for it: a transaction that read first and
    /// wrote later would fail at once if another program had written in between.
    pub fn open(&self, file: &Path) -> Result<Connection, FileProblem> {
        self.open_to_write(file)
            .map_err(|problem| self.explained(problem))
    }

    /// Opens an existing file of this kind for reading. The file is not changed, it need not be writable, and
    /// a program that writes to it is not waited for. An older one is upgraded in memory.
    pub fn open_existing(&self, file: &Path) -> Result<Connection, FileProblem> {
        self.open_to_read(file)
            .map_err(|problem| self.explained(problem))
    }

    /// A file that SQLite does not recognize as a database is a file of another kind.
    fn explained(&self, problem: FileProblem) -> FileProblem {
        match problem {
            FileProblem::Sql(error)
                if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) =>
            {
                FileProblem::Foreign(self.name)
            }
            problem => problem,
        }
    }

    /// An empty database in memory, private to this connection.
    pub(crate) fn in_memory(&self) -> Result<Connection, FileProblem> {
        let connection = Connection::open_in_memory()?;
        self.bring_up_to_date(&connection)?;
        Ok(connection)
    }

    fn open_to_write(&self, file: &Path) -> Result<Connection, FileProblem> {
        let folder = file.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.exists()) {
            return Err(FileProblem::NoFolder(folder.to_owned()));
        }
        only_files(file)?;
        let mut connection = Connection::open(file)?;
        connection.busy_timeout(PATIENCE)?;
        connection.set_transaction_behavior(TransactionBehavior::Immediate);
        let transaction = connection.transaction()?;
        self.bring_up_to_date(&transaction)?;
        transaction.commit()?;
        let_all_read(&connection)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        Ok(connection)
    }

    fn open_to_read(&self, file: &Path) -> Result<Connection, FileProblem> {
        only_files(file)?;
        if !file.exists() {
            return Err(FileProblem::Missing);
        }
        let connection = read_only(file)?;
        if self.missing(&connection)?.is_empty() {
            return Ok(connection);
        }
        let mut copy = Connection::open_in_memory()?;
        Backup::new(&connection, &mut copy)?.run_to_completion(i32::MAX, PAUSE, None)?;
        self.bring_up_to_date(&copy)?;
        Ok(copy)
    }

    /// The statements that a file lacks; an error if it is a file of another kind or version.
    fn missing(&self, connection: &Connection) -> Result<&'static [&'static str], FileProblem> {
        let (application, found) = (
            pragma(connection, "application_id")?,
            pragma(connection, "user_version")?,
        );
        let count = "SELECT count(*) FROM sqlite_schema";
        let tables: i64 = connection.query_row(count, [], |row| row.get(0))?;
        let is_new = tables == 0 && application == 0;
        if application != self.application && !is_new {
            return Err(FileProblem::Foreign(self.name));
        }
        let done = usize::try_from(if is_new { 0 } else { found });
        let missing = done.ok().and_then(|done| self.versions.get(done..));
        let known = self.versions.len();
        missing.ok_or(FileProblem::Version { found, known })
    }

    /// Checks that the tables are those of this kind, and creates those that are missing.
    fn bring_up_to_date(&self, connection: &Connection) -> Result<(), FileProblem> {
        let missing = self.missing(connection)?;
        for statements in missing {
            connection.execute_batch(statements)?;
        }
        if !missing.is_empty() {
            connection.pragma_update(None, "application_id", self.application)?;
            connection.pragma_update(None, "user_version", self.versions.len() as i64)?;
        }
        Ok(())
    }
}

/// Refuses anything that is not a regular file, at the path of a file or of those that SQLite keeps beside it: SQLite would wait
/// forever on a pipe.
fn only_files(file: &Path) -> Result<(), FileProblem> {
    let beside = ["-wal", "-shm", "-journal"].map(|end| {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        Some(PathBuf::from(name))
    });
    for beside in [None].into_iter().chain(beside) {
        let path = beside.as_deref().unwrap_or(file);
        if let Err(problem) = refuse_non_files(path) {
            return Err(FileProblem::NotAFile { beside, problem });
        }
    }
    Ok(())
}

/// Checks that a file's structure is sound, so that no row is missing or appears twice.
pub fn check_structure(connection: &Connection) -> Result<(), FileProblem> {
    let found: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
    if found != "ok" {
        return Err(FileProblem::Damaged(found));
    }
    let mut query = connection.prepare("PRAGMA foreign_key_check")?;
    let loose: Option<String> = query.query_row([], |row| row.get(0)).optional()?;
    match loose {
        Some(table) => Err(FileProblem::Damaged(format!(
            "rows of '{table}' refer to rows that do not exist"
        ))),
        None => Ok(()),
    }
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i32> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// Turns on write-ahead logging, so that others can read while one writes. This is a property of the file.
fn let_all_read(connection: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let set = connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()));
        match set {
            // Here SQLite itself does not wait for other programs that have just opened the file.
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
}

/// A connection that writes nothing.
fn read_only(file: &Path) -> rusqlite::Result<Connection> {
    // With this flag a file that is not writable is opened read-only. If it is writable, the last reader can clean up.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(file, flags).and_then(only_reads);
    match opened {
        // Readers and the writer coordinate through a file beside this one. If it cannot be created, and the write-ahead log is
        // empty, no other program can be writing.
        Err(_) if !has_unfinished_business(file) => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                | OpenFlags::SQLITE_OPEN_NO_MUTEX
                | OpenFlags::SQLITE_OPEN_URI;
            match Connection::open_with_flags(unchanging(file), flags).and_then(only_reads) {
                Ok(connection) => Ok(connection),
                // The first error is the one to report.
                Err(_) => opened,
            }
        }
        opened => opened,
    }
}

/// Sets a connection to write nothing, and checks that it can read.
fn only_reads(connection: Connection) -> rusqlite::Result<Connection> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "query_only", true)?;
    pragma(&connection, "user_version")?;
    Ok(connection)
}

/// Whether there is a write-ahead log beside a file that is not empty.
fn has_unfinished_business(file: &Path) -> bool {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

/// The URI of a file that does not change while it is read.
fn unchanging(file: &Path) -> String {
    let name = file.to_string_lossy();
    let mut address = "file:".to_owned();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                address.push(byte.into());
            }
            other => address += &format!("%{other:02x}"),
        }
    }
    address + "?immutable=1"
}

/// Seconds since 1970, as stores keep times.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs() as i64)
}

/// The checksum of a row: of its values, in an order that the caller fixes. It is never 0, which marks rows of older programs
/// that wrote no checksum.
///
/// SQLite itself does not notice a changed bit.
pub fn checksum(values: &[&dyn Display]) -> u32 {
    let mut text = String::new();
    for value in values {
        // Writing to a string does not fail.
        let _ = write!(text, "{value}\x1f");
    }
    crc32fast::hash(text.as_bytes()).max(1)
}

/// Checks that a row is as it was written. `row` is its name in the message: "game 7".
pub fn check_row(kept: u32, values: &[&dyn Display], row: impl Display) -> Result<(), FileProblem> {
    match kept == 0 || kept == checksum(values) {
        true => Ok(()),
        false => Err(FileProblem::Damaged(format!(
            "{row} is not as it was written"
        ))),
    }
}
