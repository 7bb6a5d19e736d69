//! Endgame tables that are built without being asked for: built once, kept, deleted, and kept only in memory where nothing can be
//! written.

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
fn a_match_builds_a_table_once_and_one_command_deletes_it() {
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
fn a_missing_net_is_named_before_anything_is_built() {
    let home = tempfile::tempdir().expect("a folder");
    let mut arguments = MATCH.to_vec();
    arguments[1] = "engine:eval=net:nosuch.net";
    let output = command(home.path(), &arguments)
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("'engine:eval=net:nosuch.net': nosuch.net: no such net"),
        "{said}"
    );
    assert!(!table(home.path()).exists());
}

#[test]
fn two_processes_at_once_build_a_table_once() {
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
fn a_table_stays_in_memory_where_nothing_can_be_written() {
    let cache = tempfile::tempdir().expect("a folder");
    // Not even root can create folders there.
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
fn a_table_stays_in_memory_where_there_is_no_room() {
    let home = tempfile::tempdir().expect("a folder");
    let output = Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", PROGRAM])
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
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(told.matches("stay in memory").count(), 1, "{told}");
}

/// Checks that commands work without endgame tables, warn once, and name the place.
fn plays_on(home: &Path, named: &str) {
    let analyze = ["analyze", "kalah:3x4", "--nodes", "300"];
    let perfect = ["analyze", "kalah:3x4", "--agent", "perfect:nodes=300"];
    for ask in [MATCH, &analyze, &perfect] {
        let cache = tempfile::tempdir().expect("a folder");
        let output = command(home, ask)
            .env("KALAHARI_CACHE", cache.path())
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{ask:?}: {output:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(told.matches(named).count(), 1, "{ask:?}: {told}");
        // On a slow machine the progress of a build is reported, too.
        let warnings = told.lines().filter(|line| !line.contains("building"));
        assert_eq!(warnings.count(), 1, "{ask:?}: {told}");
    }
    // The engine moves, and then the input ends.
    let play = ["play", "kalah:3x4", "--vs", "engine:nodes=300"];
    let play = [&play[..], &["--side", "second"]].concat();
    let output = command(home, &play).output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(told.matches(named).count(), 1, "{told}");
}

#[test]
fn a_data_directory_that_is_a_file_ends_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("not-a-folder");
    std::fs::write(&home, "something else").expect("written");
    plays_on(&home, "not-a-folder");
}

/// Permissions do not stop root, but no user can follow a link that leads to itself.
#[cfg(unix)]
#[test]
fn a_data_directory_that_cannot_be_entered_ends_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("closed");
    std::os::unix::fs::symlink("closed", &home).expect("linked");
    plays_on(&home, "closed");
}

#[test]
fn a_file_that_is_not_a_table_ends_no_game_and_is_left_alone() {
    let home = tempfile::tempdir().expect("a folder");
    run(home.path(), MATCH);
    let whole = std::fs::read(table(home.path())).expect("built");
    let mut foreign = whole.clone();
    foreign[0] ^= 1;
    for bytes in [&b"something else"[..], &foreign] {
        std::fs::write(table(home.path()), bytes).expect("written");
        plays_on(
            home.path(),
            "kalah-3-standard.tablebase: not a tablebase; delete it and build it again \
             (`kalahari tablebase delete kalah:3:standard`)",
        );
        let left = std::fs::read(table(home.path())).expect("there");
        assert!(left == bytes, "it may not be replaced unasked");
    }
}

#[test]
fn every_command_warns_of_a_damaged_table_and_a_build_replaces_it() {
    let home = tempfile::tempdir().expect("a folder");
    run(home.path(), MATCH);
    let whole = std::fs::read(table(home.path())).expect("built");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let told = |ask: &[&str]| {
        let told = String::from_utf8(run(home.path(), ask).stderr).expect("UTF-8");
        let warnings = told.lines().filter(|line| !line.contains("building"));
        warnings.collect::<Vec<_>>().join("\n")
    };
    for bytes in [&flipped[..], &whole[..whole.len() / 3], &[]] {
        std::fs::write(table(home.path()), bytes).expect("written");
        let warned = told(&["analyze", "kalah:3x4", "--nodes", "300"]);
        assert!(
            warned.contains("`kalahari tablebase delete kalah:3:standard`"),
            "{warned}"
        );
        let left = std::fs::read(table(home.path())).expect("there");
        assert!(left == bytes, "an analysis replaces nothing");
        let warned = told(MATCH);
        assert!(
            warned.ends_with("a new one is built in its place"),
            "{warned}"
        );
        assert_eq!(warned.lines().count(), 1, "{warned}");
        let left = std::fs::read(table(home.path())).expect("there");
        assert!(left == whole, "it is as good as new");
        assert_eq!(told(MATCH), "");
    }
}

#[test]
fn a_builder_without_progress_is_not_waited_for() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("tablebases");
    std::fs::create_dir_all(&folder).expect("a folder");
    let other = std::fs::File::create(folder.join("kalah-3-standard.building")).expect("made");
    other.lock().expect("locked");
    run(home.path(), MATCH);
    assert!(table(home.path()).exists());
}

#[test]
fn what_killed_builders_left_beside_a_table_is_removed() {
    let home = tempfile::tempdir().expect("a folder");
    run(home.path(), MATCH);
    let path = table(home.path());
    let beside = |ending: &str| path.with_extension(ending);
    let left = [
        beside("tablebase.kalahari-tmp"),
        beside("building"),
        beside("part"),
    ];
    let leave = || {
        for file in &left {
            std::fs::write(file, "half a table").expect("written");
        }
    };
    leave();
    run(home.path(), MATCH);
    assert_eq!(left.iter().filter(|file| file.exists()).count(), 0);
    leave();
    run(home.path(), &["tablebase", "delete", "kalah:3"]);
    let rest = std::fs::read_dir(path.parent().expect("a folder"));
    assert_eq!(rest.expect("a folder").count(), 0);
}

#[test]
fn a_missing_data_directory_is_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("not/there/yet");
    run(&home, MATCH);
    assert!(table(&home).exists());
}

#[cfg(unix)]
#[test]
fn a_killed_build_is_started_again() {
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
