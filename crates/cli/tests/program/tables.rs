//! Endgame tables that nobody asked for: built once, kept, deleted, and done without where nothing can be written.

use crate::support::PROGRAM;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const MATCH: &[&str] = &[
    "match",
    "engine",
    "engine",
    "--game",
    "kalah:3x4",
    "--nodes",
    "300",
    "--games",
    "2",
];

fn command(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .env("KALAHARI_HOME", home)
        .env("KALAHARI_CACHE", home)
        .env_remove("KALAHARI_NO_TABLES")
        .stdin(Stdio::null());
    command
}

fn run(home: &Path, arguments: &[&str]) -> Output {
    let output = command(home, arguments).output().expect("the program runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    output
}

fn table(home: &Path) -> std::path::PathBuf {
    home.join("tablebases/kalah-3-standard.tablebase")
}

#[test]
fn a_match_builds_it_once_and_one_command_deletes_it() {
    let home = tempfile::tempdir().expect("a folder");
    run(home.path(), &[&["--no-tables"], MATCH].concat());
    assert!(!table(home.path()).exists());
    run(home.path(), &["analyze", "kalah:3x4", "--nodes", "300"]);
    assert!(!table(home.path()).exists());
    run(home.path(), MATCH);
    let built = std::fs::metadata(table(home.path())).expect("built");
    run(home.path(), MATCH);
    let kept = std::fs::metadata(table(home.path())).expect("kept");
    assert_eq!(
        (built.len(), built.modified().ok()),
        (kept.len(), kept.modified().ok())
    );
    run(
        home.path(),
        &["tablebase", "verify", "kalah:3", "--sample", "1000"],
    );
    let left = std::fs::read_dir(home.path().join("tablebases")).expect("a folder");
    assert_eq!(left.count(), 1, "no lock and no draft is left");
    run(home.path(), &["tablebase", "delete", "kalah:3"]);
    assert!(!table(home.path()).exists());
}

#[test]
fn two_at_once_build_it_once() {
    let home = tempfile::tempdir().expect("a folder");
    let begin = || {
        command(home.path(), MATCH)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs")
    };
    let both = [begin(), begin()];
    for one in both {
        let output = one.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
    }
    assert!(table(home.path()).exists());
}

#[cfg(target_os = "linux")]
#[test]
fn where_nothing_can_be_written_it_stays_in_memory() {
    let cache = tempfile::tempdir().expect("a folder");
    // Nobody makes folders there, also those who may write everywhere.
    let home = Path::new("/proc/kalahari");
    let output = command(home, &[MATCH, &["--json"]].concat())
        .env("KALAHARI_CACHE", cache.path())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("\"games\":2"), "{text}");
}

/// No file may grow beyond a kilobyte, which is what a full disk looks like to a program.
#[cfg(target_os = "linux")]
#[test]
fn where_there_is_no_room_it_stays_in_memory() {
    let home = tempfile::tempdir().expect("a folder");
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"",
            PROGRAM,
        ])
        .args(MATCH)
        .arg("--json")
        .env("KALAHARI_HOME", home.path())
        .env("KALAHARI_CACHE", home.path())
        .env_remove("KALAHARI_NO_TABLES")
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("\"games\":2"), "{text}");
    assert!(!table(home.path()).exists());
}

#[test]
fn a_data_directory_that_is_not_there_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("not/there/yet");
    run(&home, MATCH);
    assert!(table(&home).exists());
}

#[cfg(unix)]
#[test]
fn a_build_that_is_killed_is_begun_again() {
    let home = tempfile::tempdir().expect("a folder");
    for wait in [1, 5, 20, 60] {
        let mut child = command(home.path(), MATCH)
            .stdout(Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        child.kill().expect("killed");
        child.wait().expect("gone");
    }
    run(home.path(), MATCH);
    run(
        home.path(),
        &["tablebase", "verify", "kalah:3", "--sample", "1000"],
    );
}
