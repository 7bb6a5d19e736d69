//! Matches with engines that misbehave: every game is finished, the right one loses it, and the reason is
//! named.

use assert_cmd::Command;
use std::path::Path;
use std::time::Duration;

/// Plays games of a hostile engine against `random` and gives the final report as JSON.
fn against_random(mode: &str, games: u32) -> (serde_json::Value, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/engines/hostile.py");
    let engine = format!("ugi:python3 '{}' {mode}", script.display());
    let place = tempfile::tempdir().expect("a directory");
    let db = place.path().join("games.db").display().to_string();
    let games = games.to_string();
    let output = Command::cargo_bin("kalahari")
        .expect("the program is built")
        .args([
            "match",
            &engine,
            "random",
            "--game",
            "kalah:6x4",
            "--time",
            "20ms",
        ])
        .args(["--games", &games, "--json", "--db", &db])
        .timeout(Duration::from_secs(60))
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = text.lines().last().unwrap_or_default();
    let json = serde_json::from_str(last);
    (
        json.unwrap_or_else(|_| panic!("{text}{errors}")),
        text + &errors,
    )
}

#[test]
fn a_hostile_engine_loses_its_games_and_nothing_else() {
    for mode in ["garbage", "illegal", "dies", "dead", "ignores", "closes"] {
        let (json, text) = against_random(mode, 2);
        assert_eq!(json["games"], 2, "{mode}: {text}");
        assert_eq!(json["losses"], 2, "{mode}: {text}");
    }
}
