//! Counts made by independent programs, kept in `tests/data`.

use kalahari_games::{AnyGame, Game, GameSpec};
use serde_json::Value;

fn check(spec: &str, expected: &Value) {
    let spec: GameSpec = spec.parse().expect("the vectors name games");
    let game = AnyGame::new(spec);
    let expected: Vec<u64> = serde_json::from_value(expected.clone()).expect("a list of counts");
    let counts = (1..=expected.len() as u32).map(|depth| game.perft(&game.start(), depth));
    assert_eq!(counts.collect::<Vec<_>>(), expected, "{spec}");
}

#[test]
fn kalah_perft() {
    let lines = include_str!("../data/kalah-perft.jsonl").lines();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let row: Value = serde_json::from_str(line).expect("a JSON line");
        let rule = row["rule"].as_str().expect("a rule");
        check(
            &format!("kalah:{}x{}:{rule}", row["pits"], row["seeds"]),
            &row["perft"],
        );
    }
}

#[test]
fn isolation_perft() {
    let all: Value = serde_json::from_str(include_str!("../data/isolation.json")).expect("JSON");
    for row in all["perft"].as_array().expect("a list") {
        let rule = row["rule"].as_str().expect("a rule");
        check(
            &format!("isolation:{}x{}:{rule}", row["rows"], row["cols"]),
            &row["perft"],
        );
    }
}
