//! A request for more memory than there is: it is refused with the largest possible number, and nothing is killed for it.

use crate::support::{PROGRAM, kalahari};
use assert_cmd::Command;

/// Runs the program with at most 1.5 GB of memory; returns its status, its output and its errors.
fn in_little_room(arguments: &str, input: &str) -> (Option<i32>, String, String) {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v 1500000 && exec '{PROGRAM}' {arguments}"))
        .env("KALAHARI_HOME", env!("CARGO_TARGET_TMPDIR"))
        .write_stdin(input)
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The number after `at most`.
fn most(said: &str) -> u64 {
    let (_, after) = said.split_once("at most ").expect(said);
    let number = after.split(' ').next().expect("a word");
    number.parse().expect("a number")
}

#[test]
fn a_table_too_large_for_memory_is_refused_with_the_possible_size() {
    for agent in ["engine", "mcts", "perfect"] {
        let (status, out, err) = in_little_room(
            &format!("analyze kalah:6x4 --agent {agent}:hash=4096 --depth 4"),
            "",
        );
        assert_eq!((status, out.as_str()), (Some(2), ""), "{err}");
        let most = most(&err);
        assert!((100..1500).contains(&most), "{err}");
    }
    // A size below the named limit works.
    let half = "analyze kalah:6x4 --agent engine:hash=512 --depth 4 --json";
    let (status, _, err) = in_little_room(half, "");
    assert_eq!((status, err.as_str()), (Some(0), ""));
}

#[test]
fn a_runner_gets_a_message_and_the_game_continues() {
    let said = "ugi\nsetoption name hash value 4096\nposition startpos\ngo depth 3\nquery p1turn\n";
    let (status, out, err) = in_little_room("ugi --agent engine:depth=3 --no-tables", said);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
    let refused = out
        .lines()
        .find(|line| line.contains("for a table of at most"))
        .expect(&out);
    assert!(refused.starts_with("info string"), "{refused}");
    let declared = out.lines().find(|line| line.contains("name hash"));
    let declared = declared.and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    let most = most(refused);
    assert!(
        declared.is_some_and(|declared| declared.abs_diff(most) < 200),
        "{out}"
    );
    assert!(out.contains("bestmove"), "{out}");
}

#[test]
fn absurdly_large_tables_are_refused() {
    for arguments in [
        ["solve", "kalah:6x6", "--memory", "60000G"],
        ["solve", "kalah:8x8", "--memory", "60000G"],
    ] {
        let (status, out, err) = kalahari(&arguments);
        assert_eq!((status, out.as_str()), (3, ""), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains("are available"), "{err}");
    }
}
