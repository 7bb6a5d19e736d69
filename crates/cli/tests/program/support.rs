//! Starts the program and checks its status and output.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// Where the program is.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_kalahari");

/// Longer than any of these commands takes, even on a busy machine.
const TOO_LONG: Duration = Duration::from_secs(120);

/// A place for the program's files, so that the files of the user who runs the tests play no part.
const PLACE: &str = env!("CARGO_TARGET_TMPDIR");

/// Runs the program and returns its exit status, standard output and standard error.
pub(crate) fn kalahari(arguments: &[&str]) -> (i32, String, String) {
    kalahari_reading(arguments, "")
}

/// Runs the program with an input and returns its exit status, standard output and standard error.
pub(crate) fn kalahari_reading(
    arguments: &[&str],
    input: impl Into<Vec<u8>>,
) -> (i32, String, String) {
    let output = Command::new(PROGRAM)
        .args(arguments)
        .env("KALAHARI_HOME", PLACE)
        .env("KALAHARI_NO_TABLES", "1")
        .env("KALAHARI_CACHE", PLACE)
        .write_stdin(input)
        .timeout(TOO_LONG)
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let status = output.status.code().expect("an exit status, not a signal");
    (status, text(output.stdout), text(output.stderr))
}

/// Expects status 0 and nothing on standard error; returns the output.
pub(crate) fn good(arguments: &[&str]) -> String {
    good_reading(arguments, "")
}

/// As [`good`], with an input.
pub(crate) fn good_reading(arguments: &[&str], input: &str) -> String {
    let (status, out, err) = kalahari_reading(arguments, input);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    out
}

/// Expects status 0 and one JSON value; returns the value.
pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&good(arguments)).expect("JSON")
}

/// Expects status 2 and one line that contains `reason`.
pub(crate) fn bad(arguments: &[&str], reason: &str) {
    let (status, out, err) = kalahari(arguments);
    assert_eq!((status, out.as_str()), (2, ""), "{arguments:?} {err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.contains(reason), "{err}");
}

/// Starts the program without waiting for its end.
pub(crate) fn spawn(arguments: &[&str]) -> Child {
    std::process::Command::new(PROGRAM)
        .args(arguments)
        .env("KALAHARI_HOME", PLACE)
        .env("KALAHARI_NO_TABLES", "1")
        .env("KALAHARI_CACHE", PLACE)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// A path as an argument.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
