//! The agents of the book's chapters: they know the rules, and they play.

use crate::support::{good, json};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/book")
}

#[test]
fn every_agent_of_the_book_plays_to_the_end() {
    let mut played = 0;
    let files = std::fs::read_dir(folder()).expect("the examples");
    for file in files.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let game = match name.as_bytes() {
            [b'a', b'0'..=b'9', ..] => "kalah:4x3",
            [b'b', b'0'..=b'9', ..] => "isolation:4x5:queen",
            _ => continue,
        };
        let path = file.path();
        let agent = path.to_str().expect("UTF-8");
        // Agents that look at the clock get little time, the others as much as they want.
        let has_clock = std::fs::read_to_string(&path)
            .expect("a file")
            .contains("Budget(limits");
        let limits: &[&str] = if has_clock { &["--time", "40ms"] } else { &[] };
        let usual = [
            "match", agent, "random", "--game", game, "--games", "2", "--json",
        ];
        let result = json(&[&usual[..], limits].concat());
        // On a very busy machine every agent is late, which is not its fault.
        let lost = &result["forfeits"][0];
        let faults = (&lost["illegal"], &lost["crash"]);
        assert_eq!(
            (&result["games"], faults),
            (&2.into(), (&0.into(), &0.into())),
            "{name}"
        );
        played += 1;
    }
    assert!(played >= 12, "{played} agents");
}

#[test]
fn the_books_rules_are_the_programs() {
    let count = "
import kalah
def perft(board, depth):
    if depth == 0:
        return 1
    return sum(perft(kalah.play(board, pit)[0], depth - 1) for pit in kalah.moves(board))
print([perft(((3,) * 4, 0, (3,) * 4, 0), depth) for depth in range(1, 8)])
";
    let python = Command::new("python3")
        .arg("-c")
        .arg(count)
        .env("PYTHONPATH", folder())
        .output();
    let python = String::from_utf8(python.expect("python3").stdout).expect("UTF-8");
    let theirs: Vec<u64> = serde_json::from_str(&python).expect("numbers");
    let ours = good(&["perft", "kalah:4x3", "--depth", "7", "--json"]);
    let ours: serde_json::Value =
        serde_json::from_str(ours.lines().last().expect("a line")).expect("JSON");
    let ours: Vec<u64> = serde_json::from_value(ours["perft"].clone()).expect("numbers");
    assert_eq!(theirs, ours);
}
