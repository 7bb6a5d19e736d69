//! Where files are kept.

use std::env;
use std::path::PathBuf;

/// The directory for files that belong to the user: `$KALAHARI_HOME`, or `kalahari` in the user's data directory.
/// `None` if the environment names neither.
pub fn data_home() -> Option<PathBuf> {
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

/// The directory for results that can be computed again, but took long: `$KALAHARI_CACHE`, or `kalahari` in the user's cache.
/// `None` if the environment names neither.
pub fn cache_home() -> Option<PathBuf> {
    if let Some(own) = directory("KALAHARI_CACHE") {
        return Some(own);
    }
    let cache = directory("XDG_CACHE_HOME")
        .or_else(|| directory("HOME").map(|home| home.join(".cache")))?;
    Some(cache.join("kalahari"))
}

/// The directory that a variable of the environment names.
fn directory(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}
