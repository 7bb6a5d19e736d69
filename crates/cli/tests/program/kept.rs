//! Nothing that was found or written is lost: results whose file cannot be written, files behind links, positions that look like
//! comments.

use crate::support::{PROGRAM, bad, good, kalahari, text};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

const SOLVE: [&str; 6] = ["solve", "kalah:3x2", "--memory", "8M", "--json", "--save"];

fn with<'a>(base: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [base, more].concat()
}

#[test]
fn a_place_that_cannot_be_written_is_named_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = folder.path().join("taken");
    fs::write(&taken, "a file, not a folder").expect("written");
    let inside = taken.join("result");
    let inside = text(&inside);
    let db = folder.path().join("games.db");
    for arguments in [
        // Each of these would work for hours.
        &["solve", "kalah:6x6", "--save", inside][..],
        &["solved", "--time", "1h", "--out", inside],
        &["reproduce", "--out", inside],
        &["puzzles", "build", "--out", inside],
        &[
            "tablebase",
            "build",
            "kalah:6",
            "--seeds",
            "24",
            "--file",
            inside,
        ],
        &[
            "book",
            "build",
            "kalah:6x4",
            "--plies",
            "8",
            "--out",
            inside,
        ],
        &[
            "dataset",
            "build",
            "kalah:6x6",
            "--label",
            "engine:nodes=1000",
            "--rows",
            "1000000",
            "--out",
            inside,
        ],
        &["prove", "kalah:6x6", "--value", "--journal", inside],
        &["kgp", "serve", "--names", inside],
        &[
            "kgp",
            "serve",
            "--tournament",
            "--db",
            text(&db),
            "--out",
            inside,
        ],
    ] {
        let (status, out, err) = kalahari(arguments);
        assert_eq!((status, out.as_str()), (3, ""), "{arguments:?} {err}");
        assert!(err.contains("taken") && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn a_result_is_printed_even_if_its_file_cannot_be_written() {
    // Every write to this device fails.
    let (status, out, err) = kalahari(&with(&SOLVE, &["/dev/full"]));
    assert_eq!(status, 3, "{err}");
    assert!(out.contains("\"proven\":true"), "{out}");
    assert!(err.contains("/dev/full"), "{err}");
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let play = [
        "match",
        "random",
        "random",
        "--game",
        "kalah:3x2",
        "--games",
        "2",
        "--db",
    ];
    good(&with(&play, &[text(&db)]));
    let export = ["records", "export", "--db", text(&db), "--out", "/dev/full"];
    let (status, out, _) = kalahari(&export);
    assert_eq!(status, 3);
    assert_eq!(out.matches("kalahari-record 1").count(), 2, "{out}");
}

/// Output that cannot be written is trouble, also that of the help; a reader that has seen enough is not.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_noticed_by_the_help_too() {
    use crate::support::PROGRAM;
    use std::process::Command;
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["help", "match"],
        &["match", "--help"],
        &["manual"],
        &["manual", "--markdown"],
        &["completions", "bash"],
        &["games"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let output = Command::new(PROGRAM)
            .args(arguments)
            .stdout(full.expect("a device"))
            .output()
            .expect("the program runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?} {err}");
        assert!(err.contains("No space left"), "{arguments:?} {err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        // A pipe whose reader has gone.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = Command::new(PROGRAM)
            .args(arguments)
            .stdout(writer)
            .output()
            .expect("the program runs");
        assert_eq!(
            (output.status.code(), output.stderr.len()),
            (Some(0), 0),
            "{arguments:?}"
        );
    }
}

/// What cannot be said on standard error does not end the program, and the status is the same.
#[cfg(target_os = "linux")]
#[test]
fn standard_error_may_be_full_or_closed() {
    use crate::support::PROGRAM;
    let full = || {
        let file = fs::OpenOptions::new().write(true).open("/dev/full");
        Stdio::from(file.expect("a device"))
    };
    let closed = || {
        let (_, writer) = std::io::pipe().expect("a pipe");
        Stdio::from(writer)
    };
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("a.proof");
    let prove = ["prove", "kalah:4x3", "--value", "--journal", text(&journal)];
    for error in [&full as &dyn Fn() -> Stdio, &closed] {
        for (arguments, out, expected) in [
            (&[][..], Stdio::piped(), 2),
            (&["bogus"], Stdio::piped(), 2),
            (&["games", "--bogus"], Stdio::piped(), 2),
            (&["--help"], full(), 3),
            (&["games"], full(), 3),
            (&prove, Stdio::piped(), 0),
        ] {
            let output = Command::new(PROGRAM)
                .args(arguments)
                .env("KALAHARI_HOME", folder.path())
                .stdout(out)
                .stderr(error())
                .output()
                .expect("the program runs");
            assert_eq!(output.status.code(), Some(expected), "{arguments:?}");
            if arguments == prove {
                let out = String::from_utf8_lossy(&output.stdout);
                assert!(out.contains("kalah:4x3"), "{out}");
                fs::remove_file(&journal).expect("there was a journal");
            }
        }
    }
}

#[test]
fn a_training_is_reported_even_if_its_picture_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let [rows, net, inside] = ["rows", "my.net", "my.net/picture"].map(at);
    let label = "engine:nodes=200,hash=1,tablebase=0,book=0";
    let build = ["dataset", "build", "kalah:4x2", "--label", label];
    good(&with(&build, &["--rows", "300", "--out", text(&rows)]));
    let train = ["train", text(&rows), "--rounds", "1", "--hidden", "1"];
    let train = with(&train, &["--json", "--out", text(&net), "--picture"]);
    let (status, out, err) = kalahari(&with(&train, &["/dev/full"]));
    assert_eq!(status, 3, "{err}");
    assert!(out.contains("\"finished\":true"), "{out}");
    assert!(err.contains("/dev/full"), "{err}");
    assert!(net.is_file());
    // A path that cannot exist is named before the first round.
    let before = fs::read(&net).expect("a net");
    let (status, out, err) = kalahari(&with(&train, &[text(&inside)]));
    assert_eq!((status, out.as_str()), (3, ""), "{err}");
    assert!(err.contains("my.net/picture"), "{err}");
    assert_eq!(fs::read(&net).expect("a net"), before);
}

#[test]
fn links_and_devices_stay_and_new_files_have_the_usual_mode() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    good(&with(&SOLVE, &["/dev/null"]));
    let null = fs::symlink_metadata("/dev/null").expect("there");
    assert!(null.file_type().is_char_device());
    fs::create_dir(at("far")).expect("made");
    symlink("far/table", at("link")).expect("linked");
    good(&with(&SOLVE, &[text(&at("link"))]));
    assert!(at("link").is_symlink() && at("far/table").is_file());
    // A shell sets the umask, and so the usual mode.
    for (mask, mode) in [("022", 0o644), ("027", 0o640), ("077", 0o600)] {
        let script = format!("umask {mask}; exec \"$0\" \"$@\"");
        let file = at(mask);
        let mut command = Command::new("sh");
        command
            .args(["-c", &script, PROGRAM])
            .args(SOLVE)
            .arg(&file);
        assert!(command.output().expect("it runs").status.success());
        let found = fs::metadata(&file).expect("there").permissions().mode();
        assert_eq!(found & 0o777, mode, "{mask}");
    }
}

#[test]
fn a_store_is_not_overwritten_by_its_own_export() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let play = ["match", "random", "random", "--game", "kalah:3x2"];
    good(&[&play[..], &["--games", "2", "--db", text(&db)]].concat());
    let export = ["records", "export", "--db", text(&db)];
    bad(
        &with(&export, &["--out", text(&db)]),
        "would overwrite itself",
    );
    assert!(good(&export).contains("kalah:3x2"));
}

/// A position of Isolation whose first cell is blocked begins like a comment.
#[test]
fn no_position_is_taken_for_a_comment() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("positions");
    let game = "isolation:3x3:queen";
    fs::write(&file, "# a remark\n#\n#.1/.../2.. 0\n\n1#./.../..2 1\n").expect("written");
    let out = good(&["solve", game, "--positions", text(&file)]);
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(out.contains("#.1/.../2.. 0"), "{out}");
    let play = [
        "match",
        "random",
        "random",
        "--game",
        game,
        "--json",
        "--games",
        "2",
        "--openings",
    ];
    let out = good(&with(&play, &[text(&file)]));
    assert!(out.contains("\"games\":2"), "{out}");
    fs::write(&file, "#.1/.../2.. 0\n").expect("written");
    good(&with(&play, &[text(&file)]));
    // A line that is neither a comment nor a position is an error with its line number, and is not skipped.
    fs::write(&file, "# a remark\n#no remark\n").expect("written");
    let (status, _, err) = kalahari(&["solve", game, "--positions", text(&file)]);
    assert!(status == 2 && err.contains("line 2"), "{err}");
    let (status, _, err) = kalahari(&with(&play, &[text(&file)]));
    assert!(status == 2 && err.contains("opening 1"), "{err}");
    // A position that occurs twice is played once, and the output says so.
    fs::write(&file, "#.1/.../2.. 0\n#.1/.../2.. 0\n").expect("written");
    let four = with(&play[..6], &["--games", "4", "--openings", text(&file)]);
    assert!(good(&four).contains("1 openings lead to the same positions as others"));
}

/// The program, run by a user who may write nothing here.
fn nobody() -> Command {
    let mut command = Command::new(PROGRAM);
    if is_root() {
        command.uid(65534).gid(65534);
    }
    command
}

fn as_nobody(arguments: &[&str]) -> std::process::Output {
    let output = nobody().args(arguments).output();
    output.expect("the program runs")
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
}

#[test]
fn reading_a_store_needs_no_right_to_write_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games #1?.db");
    let play = [
        "match",
        "random",
        "random",
        "--game",
        "kalah:3x2",
        "--games",
        "4",
        "--db",
    ];
    good(&with(&play, &[text(&db)]));
    set_mode(&db, 0o444);
    set_mode(folder.path(), 0o555);
    let pictures = tempfile::tempdir().expect("a folder");
    set_mode(pictures.path(), 0o777);
    let list = as_nobody(&["records", "list", "--db", text(&db)]);
    let export = as_nobody(&["records", "export", "--db", text(&db)]);
    let report = ["report", "--db", text(&db), "--out", text(pictures.path())];
    let report = as_nobody(&report);
    let shown = shown_to_nobody(&db);
    set_mode(folder.path(), 0o755);
    for output in [&list, &export, &report] {
        let err = String::from_utf8_lossy(&output.stderr);
        if err.contains("ermission denied") && output.status.code() != Some(0) && cannot_run_here()
        {
            eprintln!("skipped: other users may not run the program here");
            return;
        }
        assert!(output.status.success(), "{err}");
    }
    let out = String::from_utf8_lossy(&export.stdout).into_owned();
    assert_eq!(out.matches("kalahari-record 1").count(), 4);
    assert!(shown.contains("\"games\":4"), "{shown}");
    let names = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names, 1, "nothing is left beside the store");
}

/// What a server, run by a user who may write nothing here, says about a store.
fn shown_to_nobody(db: &Path) -> String {
    let mut command = nobody();
    command.args(["serve", "--port", "0", "--db", text(db)]);
    let mut server = command.stdout(Stdio::piped()).spawn().expect("it runs");
    let mut line = String::new();
    let mut out = BufReader::new(server.stdout.take().expect("piped"));
    out.read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("The page is at http://");
    let address = address.unwrap_or_default().trim_end_matches('/');
    let mut answer = String::new();
    // If other users may not run the program, there is no address, and the caller finds out why.
    if let Ok(mut stream) = TcpStream::connect(address) {
        let head = "GET /api/v1/arena HTTP/1.1\r\nConnection: close\r\nHost: ";
        write!(stream, "{head}{address}\r\n\r\n").expect("asked");
        stream.read_to_string(&mut answer).expect("an answer");
    }
    server.kill().expect("killed");
    server.wait().expect("gone");
    answer
}

fn cannot_run_here() -> bool {
    !as_nobody(&["--version"]).status.success()
}

/// A file with an absurd header is refused at once instead of being worked through.
#[test]
fn a_book_of_four_thousand_million_plies_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("crafted.book");
    let name = b"kalah:1x1:standard";
    let mut bytes = b"KALAHBK\n".to_vec();
    for number in [1, 4_000_000_000_u32, 0, name.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(name);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(crc32fast::hash(b"").to_le_bytes());
    fs::write(&file, bytes).expect("written");
    let begin = std::time::Instant::now();
    let (status, _, err) = kalahari(&["book", "info", text(&file)]);
    assert_eq!(status, 3, "{err}");
    assert!(err.contains("plies"), "{err}");
    assert!(begin.elapsed().as_secs() < 30);
}

#[test]
fn a_change_to_any_byte_of_a_tablebase_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("table");
    let ask = |what| ["tablebase", what, "kalah:2", "--file", text(&file)];
    good(&with(&ask("build"), &["--seeds", "4"]));
    let whole = fs::read(&file).expect("there");
    for place in [0, 12, 63, 64, 65, 1_000, 4_095, 4_096, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[place] ^= 4;
        fs::write(&file, bytes).expect("written");
        let (status, _, err) = kalahari(&ask("verify"));
        assert!([1, 2].contains(&status), "byte {place}: {err}");
    }
}
