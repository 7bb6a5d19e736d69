//! What `shards plan` and `shards status` say before there is any shard.

use super::place::Place;
use crate::support::{bad, good, json, kalahari};
use serde_json::Value;
use std::fs;

/// All kinds of work that are planned without files.
const EXPERIMENT: &str = r#"
game = "kalah:4x3"

[match]
agents = ["level:1", "random"]
games = 1
db = "games.db"

[dataset]
out = "rows"
from = "random"
label = "exact"
seeds = "2..6"
rows = 130
rows-per-shard = 20

[prove]
at-least = 1
journal = "four.proof"
job-nodes = 500
jobs = 6

[book]
plies = 4
out = "four.book"
"#;

#[test]
fn a_plan_says_how_much_there_is_to_do() {
    let place = Place::with(EXPERIMENT);
    let (experiment, folder) = (place.name("experiment.toml"), place.name("a"));
    let told = good(&["shards", "plan", &experiment, "--out", &folder]);
    let lines: Vec<&str> = told.lines().collect();
    let [id, games, rows, jobs, positions, parts] = lines[..] else {
        panic!("{told}");
    };
    let id = id.strip_prefix("experiment ").expect("an id");
    assert_eq!(games, "  level:1 vs random: 1 game");
    assert_eq!(rows, "  kalah:4x3:standard: 130 rows in 7 files");
    // Margins of a game with 24 seeds are even.
    let begin = "  kalah:4x3:standard at least +2: ";
    assert!(jobs.starts_with(begin) && jobs.ends_with(" jobs"), "{jobs}");
    let begin = "  kalah:4x3:standard to 4 plies: ";
    let number = positions.strip_prefix(begin).expect("a book");
    assert!(number.ends_with(" positions to solve"), "{positions}");
    let count = |text: &str| -> u64 {
        let number = text.split(' ').next().unwrap_or_default();
        number.parse().expect("a number")
    };
    let jobs = jobs.rsplit(' ').nth(1).map(count).expect("a number");
    assert_eq!(count(parts), 1 + 7 + jobs + count(number));

    // The folder has the plan now, and the same experiment has the same plan.
    let again = json(&["shards", "plan", &experiment, "--out", &folder, "--json"]);
    assert_eq!(again["experiment"], id);
    assert_eq!(again["parts"], count(parts));
    assert_eq!(again["plan"]["tasks"].as_array().map(Vec::len), Some(4));

    // Without any shard, nobody knows how many there should be.
    let (status, _, err) = kalahari(&["shards", "status", &folder]);
    assert_eq!(status, 2);
    assert!(err.contains("there is no shard in"), "{err}");
    let words = ["shards", "status", &folder, "--shards", "3"];
    let (status, out, err) = kalahari(&words);
    assert_eq!(status, 1);
    assert!(
        out.contains(&format!("experiment {id}: 0 of 3 shards")),
        "{out}"
    );
    assert!(out.contains("--shards 3 --shard 0-2 --out"), "{out}");
    assert!(err.contains("3 missing"), "{err}");
    let (status, out, _) = kalahari(&[&words[..], &["--json"]].concat());
    let said: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &said["missing"]), (1, &"0-2".into()), "{said}");
    assert_eq!((&said["sound"], &said["shards"]), (&0.into(), &3.into()));
}

#[test]
fn a_changed_experiment_needs_another_folder() {
    let place = Place::with(EXPERIMENT);
    let (experiment, folder) = (place.name("experiment.toml"), place.name("a"));
    good(&["shards", "plan", &experiment, "--out", &folder]);
    let changed = EXPERIMENT.replace("rows = 130", "rows = 131");
    fs::write(place.at("experiment.toml"), changed).expect("written");
    let words = ["shards", "plan", &experiment, "--out", &folder];
    bad(&words, "with different text");
}
