//! Killed processes, full disks, damaged files: whatever happens, a file that is found afterwards is complete or
//! refused.

use crate::support::{PROGRAM, text};
use kalahari_exact::book::Book;
use kalahari_exact::tablebase::Tablebase;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn command(arguments: &[&str], home: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).env("KALAHARI_HOME", home);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str], home: &Path) -> Output {
    command(arguments, home).output().expect("the program runs")
}

fn good(arguments: &[&str], home: &Path) -> String {
    let output = run(arguments, home);
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// The exit status of a check that has failed.
const CHECK_FAILED: i32 = 1;
/// The exit status for bad input, such as a file that is not a book.
const BAD_INPUT: i32 = 2;
/// The exit status for a full disk or a damaged file.
const TROUBLE: i32 = 3;

/// Expects the status [`TROUBLE`] and one line on standard error; returns the line.
fn refused(output: &Output) -> String {
    refused_with(TROUBLE, output)
}

/// Expects a status and one line on standard error; returns the line.
fn refused_with(status: i32, output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn size_of(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |found| found.len())
}

/// Kills a process with SIGKILL, some time after `moment` is true. Returns `false` if the process ended before.
fn kill_when(mut child: Child, moment: impl Fn() -> bool, after: Duration) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        if child.try_wait().expect("a child").is_some() {
            return false;
        }
        if moment() {
            sleep(after);
            let _ = child.kill();
            let status = child.wait().expect("a child");
            return !status.success();
        }
        std::hint::spin_loop();
    }
    panic!("the moment to kill did not come within a minute");
}

/// Delays that fall within a write, from its first moment to well after its end.
fn moments() -> impl Iterator<Item = Duration> {
    [0, 100, 300, 1_000, 2_000, 4_000, 8_000, 16_000, 40_000]
        .into_iter()
        .map(Duration::from_micros)
}

#[test]
fn a_killed_tablebase_build_leaves_the_old_file_or_the_new_one() {
    let directory = tempfile::tempdir().expect("a directory");
    let home = directory.path();
    let path = home.join("five.tablebase");
    let writing = home.join("five.tablebase.kalahari-tmp");
    let file = path.to_str().expect("a name");
    let build = |seeds| {
        [
            "tablebase",
            "build",
            "kalah:5",
            "--seeds",
            seeds,
            "--file",
            file,
        ]
    };
    good(&build("10"), home);
    let old = fs::read(&path).expect("there");
    let mut killed = 0;
    for moment in moments() {
        fs::write(&path, &old).expect("written");
        let _ = fs::remove_file(&writing);
        let child = command(&build("17"), home).spawn().expect("it runs");
        killed += usize::from(kill_when(child, || writing.exists(), moment));
        let found = Tablebase::open(&path, None).expect("whole");
        assert!([10, 17].contains(&found.seeds()));
        // What the killed builds left behind does not disturb the next one.
        good(&build("11"), home);
    }
    assert!(killed > 0, "no build was killed");
    good(&build("17"), home);
    assert!(!writing.exists());
    assert_eq!(Tablebase::open(&path, None).expect("whole").seeds(), 17);
}

#[test]
fn a_killed_solve_leaves_the_old_table_or_the_new_one() {
    let directory = tempfile::tempdir().expect("a directory");
    let home = directory.path();
    let path = home.join("solve.table");
    let writing = home.join("solve.table.kalahari-tmp");
    let file = path.to_str().expect("a name");
    let solve = |option| {
        let common = [
            "solve",
            "kalah:5x3",
            "--value-only",
            "--json",
            "--memory",
            "16M",
        ];
        [&common[..], &["--tablebase", "10", option, file]].concat()
    };
    let value = good(&solve("--save"), home);
    assert!(value.contains("\"value\":6"), "{value}");
    let mut killed = 0;
    for moment in moments() {
        let _ = fs::remove_file(&writing);
        let child = command(&solve("--save"), home).spawn().expect("it runs");
        killed += usize::from(kill_when(child, || writing.exists(), moment));
        let resumed = good(&solve("--resume"), home);
        assert!(resumed.contains("\"value\":6"), "{resumed}");
    }
    assert!(killed > 0, "no solve was killed");
}

#[test]
fn a_killed_book_build_continues_where_it_was() {
    let directory = tempfile::tempdir().expect("a directory");
    let home = directory.path();
    let path = home.join("four.book");
    let file = path.to_str().expect("a name");
    let build = |file| {
        [
            "book",
            "build",
            "kalah:4x4",
            "--plies",
            "5",
            "--tablebase",
            "6",
            "--out",
            file,
        ]
    };
    let journal = home.join("four.book.progress");
    let mut before = 0;
    for size in [1, 60, 200, 201, 500, 1000, 2000, 3500] {
        let child = command(&build(file), home).spawn().expect("it runs");
        if !kill_when(child, || size_of(&journal) >= size, Duration::ZERO) {
            break;
        }
        // Nothing that was there is lost, except perhaps half a record.
        assert!(size_of(&journal) + 9 > before);
        before = size_of(&journal);
        assert!(!path.exists());
    }
    assert!(before > 0, "no build was killed");

    // Ctrl-C: what was found so far is kept and reported.
    let mut child = command(&build(file), home).spawn().expect("it runs");
    sleep(Duration::from_millis(50));
    let pid = child.id().to_string();
    let _ = Command::new("kill").args(["-INT", &pid]).status();
    // The signal may arrive before the program listens for it, or after its end.
    let _ = child.wait().expect("a child");

    good(&build(file), home);
    assert!(!journal.exists());
    let straight = home.join("straight.book");
    good(&build(straight.to_str().expect("a name")), home);
    assert_eq!(
        fs::read(&path).expect("there"),
        fs::read(&straight).expect("there")
    );
}

/// Runs the program where no file may grow beyond `blocks` blocks of 512 bytes. To the program it looks like a full
/// disk, on any machine that runs the tests.
fn run_with_little_room(blocks: u32, arguments: &[&str], home: &Path) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, PROGRAM]).args(arguments);
    command.env("KALAHARI_HOME", home);
    command.output().expect("the program runs")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> = entries
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn build_table<'a>(pits: &'a str, seeds: &'a str, file: &'a Path) -> [&'a str; 7] {
    [
        "tablebase",
        "build",
        pits,
        "--seeds",
        seeds,
        "--file",
        text(file),
    ]
}

fn solve_and_save(file: &Path) -> [&str; 8] {
    [
        "solve",
        "kalah:4x3",
        "--memory",
        "8M",
        "--tablebase",
        "6",
        "--save",
        text(file),
    ]
}

fn build_book<'a>(game: &'a str, plies: &'a str, file: &'a Path) -> [&'a str; 9] {
    [
        "book",
        "build",
        game,
        "--plies",
        plies,
        "--tablebase",
        "6",
        "--out",
        text(file),
    ]
}

/// What every command that writes must do when there is no room: name the file, give a reason, leave nothing.
fn no_room(folder: &Path, run: impl Fn(&[&str]) -> Output) {
    let told = refused(&run(&build_table(
        "kalah:5",
        "16",
        &folder.join("a.tablebase"),
    )));
    assert!(told.contains("a.tablebase"), "{told}");
    let told = refused(&run(&solve_and_save(&folder.join("b.table"))));
    assert!(told.contains("b.table"), "{told}");
    assert_eq!(names(folder), Vec::<String>::new());
    // A book build keeps as much of its progress as it could write, and nothing else.
    let book = folder.join("c.book");
    let build = build_book("kalah:4x3", "9", &book);
    let told = refused(&run(&build));
    assert!(told.contains("c.book.progress"), "{told}");
    assert_eq!(names(folder), ["c.book.progress"]);
    let size = size_of(&folder.join("c.book.progress"));
    // With room again, the build continues.
    let told = good(&[&build[..], &["--json"]].concat(), folder);
    let report: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let solved = report["solved"].as_u64().expect("a count");
    let all = Book::file_info(&book).expect("whole").frontier;
    assert!(solved < u64::from(all), "{told}");
    assert!(size > 9 * (u64::from(all) - solved), "{told}");
}

#[test]
fn commands_report_a_file_that_may_not_grow() {
    let directory = tempfile::tempdir().expect("a directory");
    let home = directory.path();
    no_room(home, |arguments| run_with_little_room(16, arguments, home));
}

/// Exported games replace the old file completely; if that fails, the old file stays and the games are printed.
#[test]
fn an_export_without_room_leaves_the_old_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let home = directory.path();
    let [db, out] = ["games.db", "games.txt"].map(|name| home.join(name));
    let play = ["match", "random", "random", "--game", "kalah:6x4"];
    let play = [&play[..], &["--games", "400", "--db", text(&db)]].concat();
    good(&play, home);
    fs::write(&out, "old").expect("written");
    let export = ["records", "export", "--db", text(&db), "--out", text(&out)];
    // Enough room to read the store, too little to write the export.
    let printed = run_with_little_room(128, &export, home);
    assert_eq!(printed.status.code(), Some(TROUBLE));
    let told = String::from_utf8_lossy(&printed.stderr).into_owned();
    assert!(told.contains("games.txt"), "{told}");
    assert_eq!(fs::read_to_string(&out).expect("there"), "old");
    assert_eq!(names(home), ["games.db", "games.txt"]);
    good(&export, home);
    assert_eq!(fs::read(&out).expect("there"), printed.stdout);
}

/// A real disk that is full. The test needs the right to mount one.
#[test]
fn commands_report_a_full_disk() {
    let directory = tempfile::tempdir().expect("a directory");
    let disk = directory.path();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
        .arg(disk)
        .output()
        .is_ok_and(|output| output.status.success());
    if !mounted {
        eprintln!("skipped: no right to mount a small disk here");
        return;
    }
    struct Unmount<'a>(&'a Path);
    impl Drop for Unmount<'_> {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg(self.0).status();
        }
    }
    let _unmount = Unmount(disk);
    let table = disk.join("a.tablebase");
    good(&build_table("kalah:4", "6", &table), disk);
    let old = fs::read(&table).expect("there");
    let told = refused(&run(&build_table("kalah:4", "16", &table), disk));
    assert!(told.contains("a.tablebase"), "{told}");
    assert!(told.to_lowercase().contains("space"), "{told}");
    assert_eq!(names(disk), ["a.tablebase"]);
    assert_eq!(fs::read(&table).expect("there"), old);
    let told = refused(&run(&solve_and_save(&disk.join("b.table")), disk));
    assert!(told.contains("b.table"), "{told}");
    assert_eq!(names(disk), ["a.tablebase"]);
    // Room for the journal of a book, but not for the book.
    let room = 64 * 1024 - size_of(&table).next_multiple_of(4096);
    let book = disk.join("c.book");
    let make = build_book("kalah:4x4", "5", &book);
    fs::write(disk.join("filler"), vec![0; room as usize - 8192]).expect("room");
    let told = refused(&run(&make, disk));
    assert!(told.contains("c.book"), "{told}");
    assert_eq!(names(disk), ["a.tablebase", "c.book.progress", "filler"]);
    fs::remove_file(disk.join("filler")).expect("removed");
    good(&make, disk);
    assert_eq!(names(disk), ["a.tablebase", "c.book"]);
}

#[test]
fn damaged_books_are_refused_by_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let home = directory.path();
    good(&["book", "build", "kalah:3x3", "--plies", "4"], home);
    let path = home.join("books").join("kalah-3x3-standard.book");
    let whole = fs::read(&path).expect("there");
    let asks: [(&[&str], i32); 4] = [
        (&["book", "info", "kalah:3x3"], TROUBLE),
        (&["book", "verify", "kalah:3x3"], CHECK_FAILED),
        (&["analyze", "kalah:3x3", "--depth", "3"], TROUBLE),
        (&["analyze", "kalah:3x3", "--agent", "perfect"], TROUBLE),
    ];
    for (ask, _) in asks {
        good(ask, home);
    }
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let other = Book::read(&path, &whole, None).expect("whole");
    assert_eq!(other.plies(), 4);
    for bytes in [&flipped[..], &whole[..whole.len() - 3]] {
        fs::write(&path, bytes).expect("written");
        for (ask, status) in asks {
            let text = refused_with(status, &run(ask, home));
            assert!(text.contains("kalah-3x3-standard.book"), "{text}");
        }
    }
    // A file that never was a book was put there by mistake.
    fs::write(&path, b"something else").expect("written");
    for (ask, _) in asks {
        let text = refused_with(BAD_INPUT, &run(ask, home));
        assert!(text.contains("kalah-3x3-standard.book"), "{text}");
    }
    // The book of another rule under this rule's name.
    let stranger = home.join("other.book");
    let name = stranger.to_str().expect("a name");
    good(
        &[
            "book",
            "build",
            "kalah:3x3:empty-capture",
            "--plies",
            "2",
            "--out",
            name,
        ],
        home,
    );
    fs::rename(&stranger, &path).expect("renamed");
    let text = refused_with(BAD_INPUT, &run(asks[0].0, home));
    assert!(text.contains("not of kalah:3x3:standard"), "{text}");
}
