//! `kalahari rate`: the shipped ladder, a ladder of your own, and stored games.

use crate::support::{bad, good, json, kalahari};

/// A small ladder, as a user may make it.
const LADDER: &str = r#"{"form":"kalahari-ladder 1","game":"kalah:4x3:standard","openings":"random:4","seed":3,"draws":0.2,
    "program":"0.1.0","search":1,"proving":1,"rungs":[{"agent":"level:0","rating":0.0,"error":20.5,"games":80},
    {"agent":"level:2","rating":180.4,"error":19.0,"games":80},{"agent":"level:4","rating":320.0,"error":19.0,"games":80}]}"#;

#[test]
fn an_agent_is_rated_on_a_ladder_of_its_user() {
    let place = tempfile::tempdir().expect("a directory");
    let path = |name: &str| place.path().join(name).display().to_string();
    let (ladder, db) = (path("ladder.json"), path("games.db"));
    std::fs::write(&ladder, LADDER).expect("written");
    bad(
        &["rate", "level:2", "--game", "kalah:4x3"],
        "there is no ladder for kalah:4x3:standard, only for kalah:6x6:standard, kalah:6x4:standard, isolation:8x8:trail; make one with `kalahari rate --make-ladder my.json --game kalah:4x3:standard`",
    );
    let rate = [
        "rate",
        "me=level:1",
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
    assert!(text.starts_with("me plays like level "), "{text}");
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
        "the ladder is for kalah:4x3",
    );
    bad(&["rate", "level:1", "--ladder", &db], "cannot read");
    std::fs::write(&ladder, "{}").expect("written");
    bad(
        &["rate", "level:1", "--ladder", &ladder],
        "it cannot be read as a ladder",
    );
}

#[test]
#[ignore = "plays a whole ladder, half a minute"]
fn a_ladder_is_made() {
    let place = tempfile::tempdir().expect("a directory");
    let ladder = place.path().join("ladder.json").display().to_string();
    let db = place.path().join("games.db").display().to_string();
    let make = [
        "rate",
        "--make-ladder",
        &ladder,
        "--game",
        "kalah:4x3",
        "--games",
        "2",
        "--db",
        &db,
    ];
    let (status, made, err) = kalahari(&make);
    assert_eq!(status, 0, "{err}");
    assert!(
        made.contains("level:12") && made.contains("engine:nodes=300"),
        "{made}"
    );
    let (status, _, err) = kalahari(&[
        "rate",
        "level:1",
        "--game",
        "kalah:4x3",
        "--ladder",
        &ladder,
        "--games",
        "4",
        "--db",
        &db,
    ]);
    assert_eq!(status, 0, "{err}");
}

/// The shipped ladder is complete and in order, and gives a weak level a low rating.
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
