//! Exit statuses, as scripts rely on them.

use crate::support::{bad, good, kalahari, text};
use std::fs;

fn status(arguments: &[&str]) -> i32 {
    let (status, _, err) = kalahari(arguments);
    assert_eq!(err.lines().count(), 1, "{arguments:?} {err}");
    status
}

#[test]
fn help_names_every_status() {
    let help = good(&["--help"]);
    for words in [
        "0 done",
        "1 a check failed",
        "2 bad input",
        "3 trouble",
        "130 ",
    ] {
        assert!(help.contains(words), "{words}");
    }
}

#[test]
fn a_mistyped_word_gets_a_suggestion() {
    bad(&["matc", "random", "random"], "did you mean 'match'?");
    bad(
        &["match", "random", "random", "--gmes", "2"],
        "did you mean '--games'?",
    );
    bad(
        &["tournament", "--schedule", "round-robn", "random"],
        "round-robin",
    );
}

#[test]
fn a_wrong_puzzle_is_a_failed_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("puzzles.txt");
    let check = ["puzzles", "check", text(&file)];
    let all = include_str!("../../../study/data/puzzles.txt");
    let two: Vec<&str> = all.lines().take(2).collect();
    fs::write(&file, two.join("\n")).expect("written");
    good(&check);
    // The value of the last move plus one.
    let (rest, value) = two[1].rsplit_once('=').expect("a move and its value");
    let (value, answer) = match value.split_once('@') {
        Some((value, answer)) => (value, format!("@{answer}")),
        None => (value, String::new()),
    };
    let value: i32 = value.parse().expect("a number");
    let wrong = format!("{}\n{rest}={}{answer}\n", two[0], value + 1);
    fs::write(&file, wrong).expect("written");
    assert_eq!(status(&check), 1);
    // A file that holds no puzzles, or that is missing, is bad input.
    fs::write(&file, "something else ".repeat(1_000)).expect("written");
    assert_eq!(status(&check), 2);
    bad(&["puzzles", "check", "/no/such/file"], "/no/such/file");
}

#[test]
fn a_damaged_tablebase_fails_its_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("table");
    let ask = |what| ["tablebase", what, "kalah:3", "--file", text(&file)];
    good(&[&ask("build")[..], &["--seeds", "8"]].concat());
    good(&ask("verify"));
    let mut bytes = fs::read(&file).expect("there");
    *bytes.last_mut().expect("not empty") ^= 1;
    fs::write(&file, bytes).expect("written");
    assert_eq!(status(&ask("verify")), 1);
    fs::write(&file, "something else ".repeat(1_000)).expect("written");
    assert_eq!(status(&ask("verify")), 2);
}

#[test]
fn a_file_that_cannot_be_written_is_trouble() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = folder.path().join("taken");
    fs::write(&taken, "a file, not a folder").expect("written");
    let inside = taken.join("games.db");
    let play = ["match", "random", "random", "--games", "2", "--db"];
    assert_eq!(status(&[&play[..], &[text(&inside)]].concat()), 3);
    // A file of another kind was named by mistake.
    assert_eq!(status(&[&play[..], &[text(&taken)]].concat()), 2);
}

#[test]
fn a_missing_file_is_bad_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = folder.path().join("no/such/file");
    let inside = text(&inside);
    let game = "kalah:3x2";
    for arguments in [
        &["match", "random", "random", "--games", "2", "--db", inside][..],
        &["tournament", "random", "level:1", "--db", inside],
        &["rate", "level:1", "--db", inside],
        &["prove", game, "--at-least", "0", "--journal", inside],
        &["records", "list", inside],
        &["report", inside, "--out", inside],
        &["review", "--db", inside],
        &["dataset", "info", inside],
        &["shards", "status", inside],
        &["merge", inside, "--db", inside],
        &["solve", game, "--positions", inside],
        &["tablebase", "info", "kalah:3", "--file", inside],
        &["book", "info", inside],
        &["run", inside],
    ] {
        assert_eq!(status(arguments), 2, "{arguments:?}");
    }
    // No file has been created.
    assert!(!folder.path().join("no").exists());
    bad(&["solve", game, "--tablebase", "99"], "at most 60 seeds");
}

#[test]
fn a_port_that_is_taken_is_trouble() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    assert_eq!(status(&["serve", "--port", &port.to_string()]), 3);
}

#[cfg(unix)]
#[test]
fn ctrl_c_gives_130_except_for_a_server() {
    use crate::support::spawn;
    use std::io::{BufRead, BufReader};
    let interrupt = |child: &std::process::Child| {
        let pid = child.id().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status();
        assert!(sent.is_ok_and(|status| status.success()));
    };
    let mut server = spawn(&["serve", "--port", "0"]);
    let mut out = BufReader::new(server.stdout.take().expect("piped"));
    for words in ["The page is at", "Ctrl-C"] {
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        assert!(line.contains(words), "{line}");
    }
    // It listens for Ctrl-C right after it has printed this line.
    std::thread::sleep(std::time::Duration::from_millis(300));
    interrupt(&server);
    assert_eq!(server.wait().expect("it ends").code(), Some(0));

    let mut solve = spawn(&["solve", "kalah:6x6", "--memory", "8M", "--tablebase", "6"]);
    std::thread::sleep(std::time::Duration::from_millis(700));
    interrupt(&solve);
    assert_eq!(solve.wait().expect("it ends").code(), Some(130));
}

#[test]
fn messages_do_not_repeat_themselves() {
    let (status, _, err) = kalahari(&["match", "random", "random", "--openings", "/no/such/file"]);
    assert_eq!(status, 2);
    assert_eq!(err.matches("No such file").count(), 1, "{err}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let (status, _, err) = kalahari(&["serve", "--port", &port]);
    assert_eq!(status, 3);
    assert_eq!(err.matches("os error").count(), 1, "{err}");
}

#[test]
fn a_proof_by_the_base_rule_says_so() {
    let game = "kalah:3x2:standard+majority";
    for arguments in [
        &["analyze", game, "--agent", "perfect", "--json"][..],
        &["solve", game, "--json"],
    ] {
        let (status, _, err) = kalahari(arguments);
        assert_eq!(status, 0);
        assert!(
            err.contains("solved as its base rule"),
            "{arguments:?} {err}"
        );
    }
    let other = ["analyze", "kalah:3x2", "--agent", "perfect", "--json"];
    assert_eq!(kalahari(&other).2, "");
    // The JSON says so, too.
    for spec in [game, "kalah:3x2:standard"] {
        let (_, out, _) = kalahari(&["solve", spec, "--json"]);
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(report["game"], spec);
        assert_eq!(report["margins_of"], "kalah:3x2:standard");
    }
}
