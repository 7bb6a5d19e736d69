//! Opening SQLite files that are ours, and no others.

use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a program waits for another one that is writing to the same file.
const PATIENCE: Duration = Duration::from_secs(30);

/// A kind of file: what marks it, and the tables of a new one.
#[derive(Clone, Copy, Debug)]
pub struct FileKind {
    /// What such a file is called when another one is refused: "a store of games".
    pub name: &'static str,
    /// The number that marks files of this kind.
    pub application: i32,
    /// The form of the tables.
    pub version: i32,
    /// The statements that make the tables.
    pub tables: &'static str,
}

impl FileKind {
    /// Opens a file of this kind; makes it if there is none. Errors are one line.
    pub fn open(&self, file: &Path) -> Result<Connection, String> {
        let mut connection = Connection::open(file).map_err(|error| error.to_string())?;
        let kept = self.prepare(&mut connection);
        kept.map_err(|error| error.to_string())??;
        Ok(connection)
    }

    /// Opens a file of this kind that has to exist.
    pub fn open_existing(&self, file: &Path) -> Result<Connection, String> {
        match file.is_file() {
            true => self.open(file),
            false => Err("there is no such file".to_owned()),
        }
    }

    /// Makes the tables of a new file, or makes sure that they are ours.
    fn prepare(&self, connection: &mut Connection) -> rusqlite::Result<Result<(), String>> {
        connection.busy_timeout(PATIENCE)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let pragma = |name: &str| -> rusqlite::Result<i32> {
            transaction.pragma_query_value(None, name, |row| row.get(0))
        };
        let (application, version) = (pragma("application_id")?, pragma("user_version")?);
        let tables: i64 =
            transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables == 0 && application == 0 {
            transaction.execute_batch(self.tables)?;
            transaction.pragma_update(None, "application_id", self.application)?;
            transaction.pragma_update(None, "user_version", self.version)?;
        } else if application != self.application {
            return Ok(Err(format!("it is not {}; name another file", self.name)));
        } else if version != self.version {
            return Ok(Err(format!(
                "its tables have version {version}, this program knows {}",
                self.version
            )));
        }
        transaction.commit()?;
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        Ok(Ok(()))
    }
}

/// Seconds since 1970, as stores keep times.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs() as i64)
}
