//! Puzzles over HTTP.

use crate::common::Running;
use serde_json::{Value, json};

#[test]
fn a_puzzle_is_solved() {
    let server = Running::usual();
    let list = server.get("/api/v1/puzzles").ok();
    let entries = list["puzzles"].as_array().expect("puzzles");
    assert!(entries.len() >= 250);
    // A puzzle with several moves to find, if there is one.
    let entry = entries.iter().find(|entry| entry["moves"] == 2);
    let id = entry.unwrap_or(&entries[0])["id"].as_str().expect("an id");
    let puzzle = server.get(&format!("/api/v1/puzzles/{id}")).ok();
    assert_eq!(puzzle["state"]["over"], false);
    let attempt = |moves: &[String], query: &str| {
        let path = format!("/api/v1/puzzles/{id}/try{query}");
        server.post(&path, &json!({"moves": moves}))
    };
    let shown = attempt(&[], "?solution=true").ok();
    let solution: Vec<String> = serde_json::from_value(shown["solution"].clone()).expect("moves");
    let legal = puzzle["state"]["legal"].as_array().expect("moves");
    let wrong = legal.iter().filter_map(|mv| mv["move"].as_str());
    let wrong = wrong.map(str::to_owned).find(|mv| *mv != solution[0]);
    let wrong = attempt(&[wrong.expect("another move")], "").ok();
    assert_eq!(wrong["verdict"], "wrong");
    assert_eq!(wrong["solution"], Value::Null);
    assert_eq!(wrong["values"].as_array().map(Vec::len), Some(1));
    let mut moves = Vec::new();
    let verdict = loop {
        moves.push(solution[moves.len()].clone());
        let right = attempt(&moves, "").ok();
        moves = serde_json::from_value(right["moves"].clone()).expect("moves");
        assert_eq!(
            right["states"].as_array().map(Vec::len),
            Some(moves.len() + 1)
        );
        if right["verdict"] != "right" {
            break right;
        }
    };
    assert_eq!(verdict["verdict"], "solved");
    assert_eq!(moves, solution);
    for (moves, field) in [
        (vec![], "moves"),
        (vec!["zz".to_owned()], "moves[0]"),
        (vec!["zz".to_owned(), "1".to_owned()], "moves[0]"),
    ] {
        let (status, code, at) = attempt(&moves, "").refusal();
        assert_eq!(
            (status, code.as_str(), at.as_deref()),
            (422, "bad_move", Some(field))
        );
    }
}
