//! The two kinds of files.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// A kind of file that keeps rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Parquet: typed columns, small, with a header and a checksum of its own.
    Parquet,
    /// CSV: text that everything reads. Needs the manifest beside it.
    Csv,
}

impl Format {
    /// How names of such files end.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
        }
    }

    /// The kind of file that a name stands for.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        [Format::Parquet, Format::Csv]
            .into_iter()
            .find(|format| extension == format.extension())
    }
}
