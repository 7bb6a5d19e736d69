//! For build scripts: which commit is being compiled.
//!
//! [`tell_cargo`] passes it to the crate whose build script calls it, in the compiler's environment. Only programs use it,
//! never libraries: a library that knew the commit would be compiled again after every commit.
#![forbid(unsafe_code)]

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many digits of a commit are shown.
const DIGITS: usize = 12;

/// Sets three variables for the crate that is being compiled:
///
/// - `KALAHARI_COMMIT`: twelve digits, followed by a `+` if files were changed since; empty where it is not known. A variable
///   of that name in the environment of the build comes first, then what cargo writes into a packaged crate, then git;
/// - `KALAHARI_PROGRAM`: the version and, where it is known, the commit;
/// - `KALAHARI_BUILD`: what it is compiled for.
pub fn tell_cargo() {
    println!("cargo::rerun-if-env-changed=KALAHARI_COMMIT");
    let variable = |name| env::var(name).unwrap_or_default();
    let here = env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    let given = env::var("KALAHARI_COMMIT").ok();
    // A packaged crate may be inside another repository, so git is not asked about it.
    let packaged = || fs::read_to_string(here.join(".cargo_vcs_info.json")).ok();
    let commit = given
        .filter(|commit| is_commit(commit))
        .or_else(|| packaged().and_then(|text| of_package(&text)))
        .or_else(|| of_git(&here))
        .unwrap_or_default();
    let version = variable("CARGO_PKG_VERSION");
    let program = match commit.as_str() {
        "" => version,
        commit => format!("{version} ({commit})"),
    };
    let (target, profile) = (variable("TARGET"), variable("PROFILE"));
    let known = variable("CARGO_CFG_TARGET_FEATURE");
    let known = known.split(',').filter(|name| PROCESSOR.contains(name));
    let known: Vec<&str> = known.collect();
    let processor = match known.as_slice() {
        [] => "any processor".to_owned(),
        names => format!("processors with {}", names.join(" ")),
    };
    println!("cargo::rustc-env=KALAHARI_COMMIT={commit}");
    println!("cargo::rustc-env=KALAHARI_PROGRAM={program}");
    println!("cargo::rustc-env=KALAHARI_BUILD={target}, {profile}, for {processor}");
}

/// The processor features that matter to the speed of our code.
const PROCESSOR: [&str; 4] = ["avx2", "bmi2", "popcnt", "neon"];

/// Whether this can be a commit: nothing that would break the line it is printed in.
fn is_commit(text: &str) -> bool {
    let digits = text.strip_suffix('+').unwrap_or(text);
    !digits.is_empty() && digits.len() <= 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The commit in the file that `cargo package` writes: the string after `"sha1":`.
fn of_package(text: &str) -> Option<String> {
    let (_, behind) = text.split_once("\"sha1\"")?;
    let commit = behind.split('"').nth(1)?;
    let dirty = if text.contains("\"dirty\": true") {
        "+"
    } else {
        ""
    };
    let commit = format!("{}{dirty}", commit.get(..DIGITS)?);
    is_commit(&commit).then_some(commit)
}

/// What git says about the folder, if it belongs to our repository and not to another one around it.
fn of_git(here: &Path) -> Option<String> {
    let root = PathBuf::from(git(here, ["rev-parse", "--show-toplevel"])?);
    if !root.join("crates/commit/src/lib.rs").is_file() {
        return None;
    }
    // If cargo were told to watch a file that does not exist, it would run the build script every time.
    for name in ["HEAD", "logs/HEAD"] {
        let path = here.join(git(here, ["rev-parse", "--git-path", name])?);
        if path.is_file() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    for folder in fs::read_dir(root.join("crates")).ok()?.flatten() {
        let sources = folder.path().join("src");
        if sources.is_dir() {
            println!("cargo::rerun-if-changed={}", sources.display());
        }
    }
    let commit = git(here, ["rev-parse", &format!("--short={DIGITS}"), "HEAD"])?;
    let changed = git(&root, ["status", "--porcelain", "--untracked-files=no"])?;
    let commit = format!("{commit}{}", if changed.is_empty() { "" } else { "+" });
    is_commit(&commit).then_some(commit)
}

/// The answer of a git command, if there is one.
fn git<const N: usize>(folder: &Path, arguments: [&str; N]) -> Option<String> {
    let output = Command::new("git")
        .current_dir(folder)
        .args(arguments.map(OsStr::new))
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packaged_crate_knows_its_commit() {
        let text =
            "{\n  \"git\": {\n    \"sha1\": \"0123456789abcdef0123456789abcdef01234567\"\n  }\n}";
        assert_eq!(of_package(text).as_deref(), Some("0123456789ab"));
        let dirty = "{\"git\": {\"sha1\": \"0123456789abcdef0123\", \"dirty\": true}}";
        assert_eq!(of_package(dirty).as_deref(), Some("0123456789ab+"));
        for text in [
            "",
            "{}",
            "{\"git\": {\"sha1\": \"12\"}}",
            "{\"sha1\": \"not hexadecimal\"}",
        ] {
            assert_eq!(of_package(text), None, "{text}");
        }
    }

    #[test]
    fn a_commit_is_digits() {
        assert!(is_commit("12ab") && is_commit("12ab+"));
        assert!(!is_commit("") && !is_commit("+") && !is_commit("12\ncargo::warning=x"));
    }

    #[test]
    fn outside_a_repository_nobody_knows() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(of_git(folder.path()), None);
    }
}
