//! `kalahari rate`: the ladder that ships, one of your own, and games that are kept.

use crate::support::{bad, good, json};

#[test]
fn a_ladder_is_made_and_climbed() {
    let place = tempfile::tempdir().expect("a directory");
    let path = |name: &str| place.path().join(name).display().to_string();
    let (ladder, db) = (path("ladder.json"), path("games.db"));
    bad(
        &["rate", "level:2", "--game", "kalah:4x3"],
        "no ladder ships for kalah:4x3:standard, only for kalah:6x6:standard and isolation:8x8:trail; make one with `kalahari rate --make-ladder my.json --game kalah:4x3:standard`",
    );
    let made = good(&[
        "rate",
        "--make-ladder",
        &ladder,
        "--game",
        "kalah:4x3",
        "--games",
        "2",
        "--db",
        &db,
    ]);
    assert!(
        made.contains("level:12") && made.contains("engine:nodes=300"),
        "{made}"
    );
    let rate = [
        "rate",
        "level:1",
        "--game",
        "kalah:4x3",
        "--ladder",
        &ladder,
        "--games",
        "30",
        "--db",
        &db,
    ];
    let text = good(&rate);
    assert!(text.starts_with("level:1 plays like level "), "{text}");
    assert!(
        text.contains(" on our scale, in kalah:4x3:standard after "),
        "{text}"
    );
    let again = json(&[&rate[..], &["--json"]].concat());
    assert_eq!(again["resumed"], again["games"]);
    assert_eq!(again["place"], "like");
    bad(
        &[
            "rate",
            "level:1",
            "--game",
            "kalah:5x2",
            "--ladder",
            &ladder,
        ],
        "the ladder is one of kalah:4x3",
    );
    bad(&["rate", "level:1", "--ladder", &db], "cannot read");
    std::fs::write(&ladder, "{}").expect("written");
    bad(
        &["rate", "level:1", "--ladder", &ladder],
        "it cannot be read as a ladder",
    );
}

/// What ships is complete and in order, and finds a level where it stands.
#[test]
fn the_shipped_ladder_finds_a_weak_level() {
    let place = tempfile::tempdir().expect("a directory");
    let db = place.path().join("games.db").display().to_string();
    let found = json(&[
        "rate", "level:1", "--error", "150", "--games", "40", "--db", &db, "--json",
    ]);
    let level = found["level"].as_u64().expect("a level");
    assert!(level <= 3, "{found}");
}
