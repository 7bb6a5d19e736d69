//! The two file formats.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// A file format for rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Parquet: typed columns, small, with a header and a checksum inside the file.
    Parquet,
    /// CSV: text that every tool reads. Needs the manifest beside it.
    Csv,
}

impl Format {
    /// The extension of the file's name.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
        }
    }

    /// The format that a file's extension names.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        [Format::Parquet, Format::Csv]
            .into_iter()
            .find(|format| extension == format.extension())
    }
}
