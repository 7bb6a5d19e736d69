//! Writing to standard output without falling over when nobody reads it.

use serde::Serialize;
use std::io::{self, Write};

/// Writes a text and makes sure that it is out.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a value as one line of JSON.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&(serde_json::to_string(value)? + "\n"))
}

/// Whether an error only says that the reader of a pipe has gone, as `head` does.
pub(crate) fn reader_is_gone(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
