//! `kalahari report`: pictures and a page from a store.

use crate::support::kalahari;
use std::path::Path;

fn play(agents: [&str; 2], game: &str, games: &str, openings: &str, db: &str) {
    let [a, b] = agents;
    let (status, _, err) = kalahari(&[
        "match",
        a,
        b,
        "--game",
        game,
        "--games",
        games,
        "--openings",
        openings,
        "--db",
        db,
    ]);
    assert_eq!(status, 0, "{err}");
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .expect("the directory was made")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Two pairs of players that have not met: each has ratings of its own, and the page says so.
#[test]
fn groups_that_have_not_met_are_named() {
    let place = tempfile::tempdir().expect("a directory");
    let db = place.path().join("games.db").display().to_string();
    let out = place.path().join("report");
    play(["random", "level:2"], "kalah:4x3", "20", "random:2", &db);
    play(["level:0", "level:1"], "kalah:4x3", "20", "random:2", &db);
    let arguments = ["report", "--db", &db, "--out", &out.display().to_string()];
    let (status, _, err) = kalahari(&arguments);
    assert_eq!((status, err.as_str()), (0, ""));
    let page = std::fs::read_to_string(out.join("index.html")).expect("a page");
    assert!(page.contains("fall into 2 groups that have not met"));
}

#[test]
fn every_game_of_a_store_gets_its_pictures() {
    let place = tempfile::tempdir().expect("a directory");
    let db = place.path().join("games.db").display().to_string();
    let out = place.path().join("new/report");
    play(["random", "level:2"], "kalah:4x3", "80", "random:3", &db);
    play(["random", "level:1"], "kalah:4x3", "10", "start", &db);
    play(
        ["random", "level:0"],
        "isolation:4x4:queen",
        "4",
        "start",
        &db,
    );
    let arguments = ["report", "--db", &db, "--out", &out.display().to_string()];
    let (status, said, err) = kalahari(&arguments);
    assert_eq!((status, err.as_str()), (0, ""));
    let names = names(&out);
    // Five pictures for each of two games, and one of the scores among three players; three files for each picture, and one page.
    assert_eq!(names.len(), 34, "{names:?}");
    assert_eq!(said.lines().count(), 34);
    for name in &names {
        let bytes = std::fs::read(out.join(name)).expect("it was written");
        match name.rsplit('.').next() {
            Some("png") => assert!(bytes.starts_with(b"\x89PNG"), "{name}"),
            Some("svg") => assert!(bytes.starts_with(b"<svg"), "{name}"),
            Some("csv") => assert!(bytes.contains(&b'\n'), "{name}"),
            _ => assert_eq!(name, "index.html"),
        }
    }
    let page = std::fs::read_to_string(out.join("index.html")).expect("the page");
    // One for each picture, and the one in which the script draws boards.
    assert_eq!(page.matches("<svg").count(), 12);
    assert_eq!(page.matches("class=\"viewer\"").count(), 2);
    assert_eq!(page.matches("<option").count(), 94);
    let meetings = std::fs::read_to_string(out.join("kalah-4x3-standard-meetings.csv"));
    let meetings = meetings.expect("the scores");
    assert!(meetings.starts_with("player,opponent,won,drawn,lost,score\n"));
    assert_eq!(meetings.lines().count(), 5, "{meetings}");
    assert!(page.contains("90 games, by 3 players"), "{page}");
    // Nothing is loaded from elsewhere.
    for word in ["src=", "href=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
    // The same store gives the same files.
    let before = std::fs::read(out.join("index.html")).expect("the page");
    assert_eq!(kalahari(&arguments).0, 0);
    assert_eq!(
        std::fs::read(out.join("index.html")).expect("the page"),
        before
    );
}

#[test]
fn the_error_of_an_agent_that_met_only_itself_is_unknown() {
    let place = tempfile::tempdir().expect("a directory");
    let db = place.path().join("games.db").display().to_string();
    let out = place.path().join("report");
    play(["level:2", "level:2"], "kalah:4x3", "4", "random:3", &db);
    let arguments = ["report", "--db", &db, "--out", &out.display().to_string()];
    assert_eq!(kalahari(&arguments).0, 0);
    let page = std::fs::read_to_string(out.join("index.html")).expect("a page");
    assert!(page.contains("<td>0</td><td>unknown</td>"), "{page}");
    assert!(page.contains("0 ± unknown"), "{page}");
}

#[test]
fn a_store_without_games_is_refused() {
    let place = tempfile::tempdir().expect("a directory");
    let db = place.path().join("none.db").display().to_string();
    let out = place.path().join("out").display().to_string();
    let (status, _, err) = kalahari(&["report", "--db", &db, "--out", &out]);
    assert_eq!(status, 2);
    assert!(err.contains("no such file"), "{err}");
}

#[cfg(unix)]
#[test]
fn versions_of_an_agent_get_a_picture() {
    let place = tempfile::tempdir().expect("a directory");
    let db = place.path().join("games.db").display().to_string();
    let out = place.path().join("report");
    let bot = place.path().join("bot.py");
    for chosen in ["0", "-1"] {
        let text = format!("def move(state):\n    return state.legal[{chosen}]\n");
        std::fs::write(&bot, text).expect("written");
        let agent = format!("mine=py:{}", bot.display());
        play([&agent, "level:1"], "kalah:4x3", "8", "random:3", &db);
    }
    let arguments = ["report", "--db", &db, "--out", &out.display().to_string()];
    let (status, _, err) = kalahari(&arguments);
    assert_eq!((status, err.as_str()), (0, ""));
    let name = "kalah-4x3-standard-versions";
    assert!(
        names(&out).contains(&format!("{name}.svg")),
        "{:?}",
        names(&out)
    );
    let drawn = std::fs::read_to_string(out.join(format!("{name}.svg"))).expect("a picture");
    assert!(drawn.contains("Rating by version in kalah:4x3"), "{drawn}");
    let rows = std::fs::read_to_string(out.join(format!("{name}.csv"))).expect("rows");
    assert_eq!(rows.lines().count(), 3, "{rows}");
}
