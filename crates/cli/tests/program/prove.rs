//! Proofs in pieces from outside: killed, shared, checked, exported and imported.

use crate::support::{PROGRAM, bad, good, kalahari, text};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The arguments of a proof of a value in small jobs, on one thread, above a small tablebase.
fn value<'a>(game: &'a str, journal: &'a str, job_nodes: &'a str, seeds: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["prove", game, "--value", "--journal", journal];
    arguments.extend(["--job-nodes", job_nodes, "--tablebase", seeds]);
    arguments.extend(["--threads", "1", "--memory", "64M", "--json"]);
    arguments
}

/// Starts the same proof again and again and kills it after a while, then lets it finish; returns its last line.
fn killed(arguments: &[&str], times: u32, after: impl Fn(u32) -> Duration) -> Value {
    for n in 0..times {
        let mut child = Command::new(PROGRAM)
            .args(arguments)
            .env("KALAHARI_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(after(n));
        // On Unix this is kill -9. The process may have finished before.
        let _ = child.kill();
        child.wait().expect("ended");
    }
    let (status, out, _) = kalahari(arguments);
    assert_eq!(status, 0);
    let last = out.lines().last().expect("a result");
    serde_json::from_str(last).expect("JSON")
}

fn number(value: &Value, name: &str) -> Option<i64> {
    value.get(name).and_then(Value::as_i64)
}

fn check_value(path: &Path, last: &Value, expected: i64, sample: &str) {
    assert_eq!(number(last, "lower"), Some(expected), "{last}");
    assert_eq!(number(last, "upper"), Some(expected), "{last}");
    let path = text(path);
    let out = good(&[
        "prove",
        "--check",
        path,
        "--sample",
        sample,
        "--tablebase",
        "12",
    ]);
    assert!(out.contains(&format!("the value is {expected:+}")), "{out}");
    assert!(out.ends_with("right\n"), "{out}");
}

#[test]
fn a_killed_proof_continues_and_two_share_a_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof");
    let arguments = value("kalah:6x3", text(&path), "3000", "10");
    // Two at once, both killed after a short time.
    let start = || {
        Command::new(PROGRAM)
            .args(&arguments)
            .env("KALAHARI_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs")
    };
    let mut two = [start(), start()];
    std::thread::sleep(Duration::from_millis(700));
    for child in &mut two {
        let _ = child.kill();
        child.wait().expect("ended");
    }
    let last = killed(&arguments, 3, |n| {
        Duration::from_millis(200 + 150 * u64::from(n))
    });
    let expected = good(&["solve", "kalah:6x3", "--value-only", "--no-book", "--json"]);
    let expected: Value = serde_json::from_str(&expected).expect("JSON");
    let expected = number(&expected, "value").expect("a value");
    check_value(&path, &last, expected, "all");

    // Exported as text and imported, it is the same proof.
    let (export, copy) = (folder.path().join("text"), folder.path().join("copy"));
    good(&["prove", "--journal", text(&path), "--export", text(&export)]);
    good(&["prove", "--journal", text(&copy), "--import", text(&export)]);
    check_value(&copy, &last, expected, "5");
    bad(
        &["prove", "kalah:6x4", "--value", "--journal", text(&path)],
        "is about kalah:6x3",
    );
}

#[test]
fn bad_requests_are_refused() {
    bad(&["prove", "isolation", "--value"], "only Kalah");
    bad(&["prove", "kalah:4x2"], "what is to be proven");
    bad(&["prove", "--check", "/nowhere/proof"], "no such file");
    bad(
        &["prove", "kalah:4x2", "--value", "--sample", "some"],
        "bad sample",
    );
}

/// The last line of a proof.
fn outcome(arguments: &[&str]) -> Value {
    let out = good(arguments);
    let last = out.lines().last().expect("a result");
    serde_json::from_str(last).expect("JSON")
}

#[test]
fn any_margin_may_be_asked_about() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof");
    for (goal, margin, proven) in [
        ("--at-least", "-2147483648", true),
        ("--at-most", "-2147483648", false),
        ("--at-least", "2147483647", false),
        ("--at-most", "2147483647", true),
        ("--at-least", "17", false),
    ] {
        let asked = ["prove", "kalah:4x2", goal, margin, "--json", "--journal"];
        let told = outcome(&[&asked[..], &[text(&path)]].concat());
        assert_eq!(told["proven"], proven, "{told}");
        // No bound lies outside the margins that games can have.
        assert!(number(&told, "lower").is_none_or(|lower| lower >= -16));
        assert!(number(&told, "upper").is_none_or(|upper| upper <= 16));
    }
    let told = outcome(&value("kalah:4x2", text(&path), "1000", "8"));
    assert_eq!(
        (number(&told, "lower"), number(&told, "upper")),
        (Some(6), Some(6))
    );
}

#[cfg(unix)]
#[test]
fn a_journal_is_not_overwritten_by_its_own_export() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    good(&value("kalah:4x2", text(&path), "1000", "8"));
    for export in [&path, &link] {
        bad(
            &["prove", "--journal", text(&path), "--export", text(export)],
            "would overwrite itself",
        );
    }
    assert!(good(&["prove", "--check", text(&path)]).ends_with("right\n"));
}

#[test]
fn bad_numbers_of_threads_are_refused() {
    for threads in ["0", "100000", "-1", "x"] {
        for command in [
            &["prove", "kalah:4x2", "--value"][..],
            &["solve", "kalah:4x2"],
            &["tablebase", "build", "kalah:2", "--seeds", "3"],
            &["book", "build", "kalah:2x1", "--plies", "1"],
            &["selftest"],
        ] {
            let flag = format!("--threads={threads}");
            bad(&[command, &[&flag]].concat(), "bad number of threads");
        }
    }
}

#[test]
#[ignore = "takes minutes: the published value of 6x4 through a journal that is killed 20 times"]
fn six_by_four_survives_twenty_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof");
    let arguments = value("kalah:6x4", text(&path), "100000", "16");
    let last = killed(&arguments, 20, |n| {
        Duration::from_millis(500 + 7919 * u64::from(n + 1) % 2500)
    });
    check_value(&path, &last, 8, "10");
}

#[test]
fn an_estimate_says_what_a_proof_may_cost() {
    let goal = ["prove", "kalah:5x3", "--at-least", "2", "--tablebase", "8"];
    let walks = ["--job-nodes", "2000", "--estimate", "10", "--threads", "1"];
    let arguments = [&goal[..], &walks, &["--json"]].concat();
    let first: Value = serde_json::from_str(&good(&arguments)).expect("JSON");
    assert_eq!(number(&first, "walks"), Some(10), "{first}");
    assert!(first["nodes"].as_f64() > Some(0.0), "{first}");
    assert!(first["error"].as_f64().is_some(), "{first}");
    // The same walks give the same estimate.
    let second: Value = serde_json::from_str(&good(&arguments)).expect("JSON");
    assert_eq!(first["nodes"], second["nodes"]);
    let text = good(&[&goal[..], &walks].concat());
    assert!(text.contains("which prove nothing"), "{text}");
    // While the cost model has learned nothing yet, jobs are tried all the same.
    let wide = [
        "prove",
        "kalah:6x6",
        "--at-least",
        "2",
        "--estimate",
        "2",
        "--tablebase",
        "8",
    ];
    let wide = [
        &wide[..],
        &["--job-nodes", "1000", "--tickets", "1"],
        &["--threads", "1", "--json"],
    ]
    .concat();
    let wide: Value = serde_json::from_str(&good(&wide)).expect("JSON");
    assert!(wide["nodes"].as_f64() > Some(1000.0), "{wide}");
    let value = ["prove", "kalah:5x3", "--value", "--estimate", "3"];
    bad(&value, "--at-least");
}

/// What a command prints with a home of its own and without endgame tables.
fn run_without_tables(home: &Path, arguments: &[&str]) -> String {
    let output = assert_cmd::Command::new(PROGRAM)
        .args(arguments)
        .env("KALAHARI_HOME", home)
        .env("KALAHARI_NO_TABLES", "1")
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What a proof has shown becomes a book, which solving, analysing and listing use; `--no-book` does without it.
#[test]
fn what_is_proven_becomes_a_book_of_bounds() {
    let home = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| -> Value {
        let out = run_without_tables(home.path(), arguments);
        serde_json::from_str(out.lines().last().unwrap_or_default()).expect("JSON")
    };
    let journal = home.path().join("small.proof");
    let journal = text(&journal);
    let last = run(&value("kalah:4x3", journal, "100", "5"));
    let proven = number(&last, "lower");
    let book = run(&["book", "bounds", journal, "--json"]);
    assert_eq!(
        (number(&book, "lower"), number(&book, "upper")),
        (proven, proven)
    );
    assert!(number(&book, "positions") > Some(10), "{book}");
    // A second run loses nothing and adds nothing twice.
    let again = run(&["book", "bounds", journal, "--positions", "1", "--json"]);
    assert_eq!(again["positions"], book["positions"]);
    let known = run(&["solve", "kalah:4x3", "--value-only", "--json"]);
    let anew = run(&["solve", "kalah:4x3", "--value-only", "--no-book", "--json"]);
    assert_eq!(
        (&known["source"], &anew["source"]),
        (&"book".into(), &"solver".into())
    );
    assert_eq!(known["value"], anew["value"]);
    // Only a best move is searched for, not the value.
    assert!(number(&known, "nodes") < number(&anew, "nodes"));

    // A board that is too large to prove. The file says that the move from the last pit loses by 8 or more.
    let lines = "kalahari bounds 1\ngame kalah:7x7:standard\n8 8 8 8 8 8 7 7 7 7 7 7 7 0 * 9 97\n";
    let sum = crc32fast::hash(lines.as_bytes());
    let file = home.path().join("books/kalah-7x7-standard.bounds");
    std::fs::write(&file, format!("{lines}end {sum:08x}\n")).expect("written");
    let think = |agent: &str| {
        let report = run(&[
            "analyze",
            "kalah:7x7",
            "--agent",
            agent,
            "--nodes",
            "2000",
            "--json",
        ]);
        report["move_bounds"][6].clone()
    };
    assert_eq!(think("engine"), serde_json::json!([-96, -8]));
    assert_eq!(think("engine:book=0"), serde_json::json!([-96, 98]));
    std::fs::write(&file, "kalahari bounds 1\n").expect("written");
    bad_in(home.path(), &["analyze", "kalah:7x7"], "delete this one");
}

/// What `book bounds` and `book info` say, and what they refuse to overwrite.
#[test]
fn a_book_of_bounds_is_described_and_nothing_else_is_overwritten() {
    let home = tempfile::tempdir().expect("a folder");
    let place = |name: &str| home.path().join(name);
    let run = |arguments: &[&str]| run_without_tables(home.path(), arguments);
    let (journal, other, out) = (place("4x3.proof"), place("3x3.proof"), place("my.bounds"));
    let (journal, other, out) = (text(&journal), text(&other), text(&out));
    let last = run(&value("kalah:4x3", journal, "100", "5"));
    let last: Value = serde_json::from_str(last.lines().last().unwrap_or_default()).expect("JSON");
    let proven = last["lower"].as_i64().expect("a value");
    run(&value("kalah:3x3", other, "100", "5"));

    let told = run(&["book", "bounds", journal, "--out", out]);
    assert!(told.starts_with("kalah:4x3:standard: bounds of "), "{told}");
    assert!(
        told.contains(&format!("({out})\nvalue {proven:+}\n")),
        "{told}"
    );
    // A file that was named is not one of the books of this machine.
    let known = run(&["book", "info"]);
    assert!(!known.contains("kalah:4x3:standard: bounds of"), "{known}");
    run(&["book", "bounds", journal]);
    let known = run(&["book", "info", "kalah:4x3"]);
    assert!(known.contains("kalah:4x3:standard: bounds of"), "{known}");
    assert!(known.contains(&format!("value {proven:+}\n")), "{known}");

    // The journal, a book of another game, another file, and a book that says something else: all stay as they are.
    let refused = |path: &str, reason: &str| {
        let before = std::fs::read(path).expect("a file");
        bad_in(
            home.path(),
            &["book", "bounds", journal, "--out", path],
            reason,
        );
        assert!(std::fs::read(path).expect("a file") == before, "{path}");
    };
    refused(journal, "would overwrite itself");
    let of_other = place("3x3.bounds");
    run(&["book", "bounds", other, "--out", text(&of_other)]);
    refused(text(&of_other), "kalah:3x3");
    let note = place("note.txt");
    std::fs::write(&note, "something else\n").expect("written");
    refused(text(&note), "note.txt");
    let lie = "kalahari bounds 1\ngame kalah:4x3:standard\n3 3 3 3 3 3 3 3 * 22 22\n";
    let liar = place("liar.bounds");
    let sum = crc32fast::hash(lie.as_bytes());
    std::fs::write(&liar, format!("{lie}end {sum:08x}\n")).expect("written");
    refused(text(&liar), "contradicts");
}

/// Expects a refusal that says `reason`.
fn bad_in(home: &Path, arguments: &[&str], reason: &str) {
    let output = assert_cmd::Command::new(PROGRAM)
        .args(arguments)
        .env("KALAHARI_HOME", home)
        .output()
        .expect("the program runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && err.contains(reason), "{err}");
}
