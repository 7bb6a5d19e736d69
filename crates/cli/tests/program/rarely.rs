//! Commands that users run rarely: surveys of boards, the bench, the comparison of tuning methods on known functions.

use crate::support::{good, json, kalahari};
use kalahari_search::bench::SIGNATURE;
use serde_json::Value;

#[test]
fn boards_that_are_solved_have_the_values_of_the_solver() {
    let arguments = ["solved", "--rule", "queen", "--time", "500ms", "--json"];
    let out = good(&arguments);
    let boards: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(boards.len() >= 4, "{out}");
    for board in boards.iter().take(4) {
        let game = board["game"].as_str().expect("a game");
        assert_eq!(json(&["solve", game, "--json"])["value"], board["value"]);
    }
}

#[test]
fn a_survey_is_a_page_of_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("solved.md");
    let name = file.display().to_string();
    let page = good(&["solved", "--time", "200ms", "--out", &name]);
    assert_eq!(std::fs::read_to_string(&file).expect("written"), page);
    for rule in ["trail", "classic", "queen", "knight"] {
        assert!(page.contains(&format!("## `{rule}`: ")), "{page}");
    }
    assert!(page.contains("| **1** |") && page.contains(" boards solved, "));
    let (status, _, said) = kalahari(&["solved", "--rule", "bishop"]);
    assert!(
        status == 2 && said.contains("Isolation has trail"),
        "{said}"
    );
    let (status, _, _) = kalahari(&["solved", "--out", &folder.path().display().to_string()]);
    assert_eq!(status, 3, "a folder is not a file");
}

#[test]
fn the_bench_prints_its_signature() {
    assert_eq!(json(&["bench", "--json"])["signature"], SIGNATURE);
}

#[test]
fn tuning_methods_are_measured_on_known_functions() {
    let arguments = ["tune", "synthetic", "--samples", "60", "--params", "1"];
    let few = [&arguments[..], &["--repetitions", "2", "--threads", "1"]].concat();
    let table = good(&few);
    assert!(table.starts_with("| function | params | samples |"));
    assert_eq!(good(&few), table, "the same numbers come out every time");
    let out = good(&[&few[..], &["--json"]].concat());
    assert_eq!(out.lines().count() + 2, table.lines().count());
    for line in out.lines() {
        let row: Value = serde_json::from_str(line).expect("JSON");
        for method in ["clop", "uniform", "spsa"] {
            let regret = row[method]["best"].as_f64().expect("a regret");
            assert!((0.0..1.0).contains(&regret), "{line}");
        }
    }
}
