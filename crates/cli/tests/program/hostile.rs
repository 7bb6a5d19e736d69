//! Matches with engines that misbehave: every game is finished, the right one loses it, and the reason is
//! named.

use crate::support::kalahari;
use std::path::Path;

/// Plays games of a hostile engine against `random` and gives the final report as JSON.
fn against_random(mode: &str, games: u32) -> (serde_json::Value, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/engines/hostile.py");
    let engine = format!("ugi:python3 '{}' {mode}", script.display());
    let place = tempfile::tempdir().expect("a directory");
    let db = place.path().join("games.db").display().to_string();
    let games = games.to_string();
    let (_, text, errors) = kalahari(&[
        "match",
        &engine,
        "random",
        "--game",
        "kalah:6x4",
        "--time",
        "20ms",
        "--games",
        &games,
        "--json",
        "--db",
        &db,
    ]);
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
