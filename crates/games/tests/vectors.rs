//! Counts made by independent programs, kept in `tests/data`.

use kalahari_games::{Game, GameSpec, GameVisitor, Totals, perft};
use serde_json::Value;

struct Counts {
    depth: u32,
}

impl GameVisitor for Counts {
    type Output = Vec<u64>;

    fn visit<G: Game>(self, game: G) -> Vec<u64> {
        (1..=self.depth)
            .map(|depth| perft(&game, &game.start(), depth))
            .collect()
    }
}

fn check(spec: &str, expected: &Value) {
    let spec: GameSpec = spec.parse().expect("the vectors name games");
    let expected: Vec<u64> = serde_json::from_value(expected.clone()).expect("a list of counts");
    let depth = expected.len() as u32;
    assert_eq!(
        spec.visit(Totals::Exact, Counts { depth }),
        expected,
        "{spec}"
    );
}

#[test]
fn kalah_perft() {
    let lines = include_str!("data/kalah-perft.jsonl").lines();
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
    let all: Value = serde_json::from_str(include_str!("data/isolation.json")).expect("JSON");
    for row in all["perft"].as_array().expect("a list") {
        let rule = row["rule"].as_str().expect("a rule");
        check(
            &format!("isolation:{}x{}:{rule}", row["rows"], row["cols"]),
            &row["perft"],
        );
    }
}
