//! Where tablebases live.

use crate::tablebase::TableSpec;
use std::env;
use std::path::{Path, PathBuf};

/// The directory for files that belong to the user: `$KALAHARI_HOME`, or `kalahari` in the user's data directory.
/// `None` if the environment names neither.
pub fn data_home() -> Option<PathBuf> {
    let directory = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    if let Some(home) = directory("KALAHARI_HOME") {
        return Some(home);
    }
    let data = if cfg!(windows) {
        directory("APPDATA")
    } else if cfg!(target_os = "macos") {
        directory("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        directory("XDG_DATA_HOME")
            .or_else(|| directory("HOME").map(|home| home.join(".local/share")))
    };
    data.map(|data| data.join("kalahari"))
}

/// The file of a tablebase under a home directory. There is one for each family.
pub fn table_path(home: &Path, spec: TableSpec) -> PathBuf {
    let name = format!("kalah-{}-{}.tablebase", spec.pits(), spec.rule());
    home.join("tablebases").join(name)
}
