//! Matches with engines that misbehave: every game ends, the misbehaving engine loses it, and the reason is
//! named.

use crate::support::{PROGRAM, bad, kalahari};
use std::path::Path;

/// The command of an engine that misbehaves in this way.
fn hostile(mode: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/engines/hostile.py");
    format!("python3 '{}' {mode}", script.display())
}

/// Plays games against `random` with an engine that misbehaves from its second start on; returns the final report as JSON and all
/// output as text.
fn against_random(mode: &str, games: u32) -> (serde_json::Value, String) {
    let place = tempfile::tempdir().expect("a directory");
    // An engine that never gives a move is refused before the match, so its first start plays normally.
    let (script, mark) = (place.path().join("engine.sh"), place.path().join("begun"));
    let text = format!(
        "if [ -e '{0}' ]; then exec {1}; fi\ntouch '{0}'\nexec '{PROGRAM}' ugi --agent random\n",
        mark.display(),
        hostile(mode)
    );
    std::fs::write(&script, text).expect("written");
    let engine = format!("ugi:sh '{}'", script.display());
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

#[cfg(unix)]
#[test]
fn a_hostile_engine_loses_its_games_and_nothing_else() {
    for mode in ["garbage", "illegal", "dies", "dead", "ignores", "closes"] {
        let (json, text) = against_random(mode, 2);
        assert_eq!(json["games"], 2, "{mode}: {text}");
        assert_eq!(json["losses"], 2, "{mode}: {text}");
    }
}

#[test]
fn an_engine_that_never_gives_a_move_is_refused() {
    for mode in ["garbage", "illegal", "dies", "dead", "closes"] {
        let engine = format!("ugi:{}", hostile(mode));
        let arguments = [
            "match",
            &engine,
            "random",
            "--game",
            "kalah:6x4",
            "--time",
            "20ms",
        ];
        bad(&arguments, "asked for the first move");
    }
}
