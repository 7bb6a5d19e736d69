//! `kalahari review`: judged games as text, CSV, JSON and a page.

use crate::support::{bad, good, good_reading, json, kalahari};
use std::path::Path;

/// A store with a few games of a player who looks ahead against one who does not.
fn store(place: &Path) -> String {
    let db = place.join("games.db").display().to_string();
    for (game, openings) in [("kalah:4x3", "random:3"), ("isolation:4x4:queen", "start")] {
        good(&[
            "match",
            "level:3",
            "random",
            "--game",
            game,
            "--games",
            "6",
            "--openings",
            openings,
            "--db",
            &db,
        ]);
    }
    db
}

#[test]
fn two_runs_agree_whatever_the_threads() {
    let place = tempfile::tempdir().expect("a directory");
    let db = store(place.path());
    let files = ["csv", "html"].map(|end| place.path().join(format!("a.{end}")));
    let names = files.each_ref().map(|file| file.display().to_string());
    let run = |threads: &str| {
        let text = good(&[
            "review",
            "--db",
            &db,
            "--nodes",
            "300",
            "--threads",
            threads,
            "--csv",
            &names[0],
            "--html",
            &names[1],
        ]);
        let read = |file| std::fs::read_to_string(file).expect("it was written");
        (text, files.each_ref().map(read))
    };
    let (text, [csv, page]) = run("1");
    assert_eq!(run("2"), (text.clone(), [csv.clone(), page.clone()]));
    assert!(
        text.starts_with("12 of 12 games judged, 300 nodes a position\n"),
        "{text}"
    );
    for word in [
        "level:3",
        "against random",
        "middle",
        "The worst moves of random",
        "Accuracy is",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    // The commands at the end show the first of the worst moves.
    let (_, commands) = text
        .split_once("To look at the first of these moves (game ")
        .expect("commands");
    let commands: Vec<&str> = commands
        .lines()
        .skip(1)
        .filter_map(|line| Some(line.split_once(":  ")?.1.trim()))
        .collect();
    let [analyze, show, serve] = commands[..] else {
        panic!("{text}");
    };
    let (before, position) = analyze.split_once(" --position ").expect("a position");
    let game = before.strip_prefix("kalahari analyze ").expect("a game");
    let position = position.trim_matches('\'');
    good(&["analyze", game, "--position", position, "--depth", "2"]);
    let (records, shown) = show.split_once(" | ").expect("two commands");
    let words: Vec<&str> = records.split(' ').skip(1).collect();
    let record = good(&words);
    let words: Vec<&str> = shown.split(' ').skip(1).collect();
    assert!(good_reading(&words, &record).contains("(player 0) vs "));
    assert_eq!(serve, format!("kalahari serve --db {db}"));
    // One row for every move after the opening, and every row has all fields.
    let played = good(&["records", "export", "--db", &db, "--format", "csv"]);
    let count = |line: &str, place: usize| -> usize {
        let fields: Vec<&str> = line.split(',').collect();
        fields[place].parse().expect("a number")
    };
    let moves: usize = played
        .lines()
        .skip(1)
        .map(|line| count(line, 12) - count(line, 11))
        .sum();
    assert_eq!(csv.lines().count(), moves + 1);
    let fields = csv.lines().next().map(|line| line.split(',').count());
    assert!(
        csv.lines()
            .all(|line| Some(line.split(',').count()) == fields)
    );
    // The page loads nothing else.
    assert!(page.contains("<svg") && page.ends_with("</html>\n"));
    for word in ["src=", "href=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
}

/// The text of a review of a file whose last command is to be looked at.
fn review_of(file: &std::ffi::OsStr, folder: &Path, pits_from: &str) -> String {
    let output = std::process::Command::new(crate::support::PROGRAM)
        .args(["review", "--nodes", "300", "--pits-from", pits_from, "--"])
        .arg(file)
        .env("KALAHARI_NO_TABLES", "1")
        .current_dir(folder)
        .output()
        .expect("it runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The review of a file of several games names the game meant, if the file can be read again.
#[cfg(target_os = "linux")]
#[test]
fn the_game_meant_is_found_again() {
    use std::os::unix::ffi::OsStrExt;
    let place = tempfile::tempdir().expect("a directory");
    let db = store(place.path());
    let out = good(&["records", "export", "--db", &db, "--format", "text"]);
    let write = |name: &std::ffi::OsStr| {
        // Some editors put a byte order mark before a text.
        std::fs::write(place.path().join(name), format!("\u{feff}{out}")).expect("written");
    };
    let name = std::ffi::OsStr::new("-all games.txt");
    write(name);
    let text = review_of(name, place.path(), "1");
    let (_, number) = text
        .split_once("kalahari show --record './-all games.txt' --game-number ")
        .expect("a command");
    let file = place.path().join(name).display().to_string();
    let shown = good(&["show", "--record", &file, "--game-number", number.trim()]);
    assert_eq!(shown.matches("(player 0) vs ").count(), 1, "{shown}");
    let all = good(&["show", "--record", &file]);
    assert_eq!(all.matches("(player 0) vs ").count(), 12);
    assert!(all.contains(&shown));
    bad(
        &["show", "--record", &file, "--game-number", "13"],
        "has 12 games, not 13",
    );
    // Who counts from 1 is told that the commands do not.
    let about = "; analyze and show number pits from 0):";
    let kalah = text.contains("kalahari analyze kalah:");
    assert_eq!(text.contains(about), kalah, "{text}");
    assert!(!review_of(name, place.path(), "0").contains(about));
    // These cannot be named, or cannot be read again.
    let strange = std::ffi::OsStr::from_bytes(b"all\xff.txt");
    write(strange);
    let through_pipe = format!(
        "cat '{file}' | {} review --nodes 300 /dev/stdin",
        crate::support::PROGRAM
    );
    let piped = std::process::Command::new("sh")
        .args(["-c", &through_pipe])
        .env("KALAHARI_NO_TABLES", "1")
        .output()
        .expect("it runs");
    let piped = String::from_utf8(piped.stdout).expect("UTF-8");
    for text in [review_of(strange, place.path(), "1"), piped] {
        assert!(text.contains("kalahari analyze "), "{text}");
        assert!(!text.contains("kalahari show"), "{text}");
    }
}

#[test]
fn agents_are_compared_in_json() {
    let place = tempfile::tempdir().expect("a directory");
    let db = store(place.path());
    let found = json(&["review", "--db", &db, "--nodes", "300", "--json"]);
    assert_eq!(
        (&found["games"], &found["judged"]),
        (&12.into(), &12.into())
    );
    assert_eq!(found["identity"]["files"], serde_json::json!({}));
    let agents = found["agents"].as_array().expect("a list");
    let names: Vec<&str> = agents
        .iter()
        .filter_map(|agent| agent["agent"].as_str())
        .collect();
    assert_eq!(names, ["level:3", "random"], "the more accurate one first");
    let accuracy = |agent: usize| agents[agent]["all"]["accuracy"].as_f64().expect("a number");
    assert!(accuracy(0) > accuracy(1) && accuracy(0) <= 1.0);
    let worst = &agents[1]["blunders"][0];
    for key in ["position", "move", "best", "line", "match", "game", "ply"] {
        assert!(!worst[key].is_null(), "{key}: {worst}");
    }
    assert_ne!(worst["move"], worst["best"]);
    // People count from 1 unless they say otherwise.
    let pit = worst["move"].as_u64().expect("a pit");
    for (from, pit) in [("0", pit), ("1", pit + 1)] {
        let text = good(&[
            "review",
            "--db",
            &db,
            "--nodes",
            "300",
            "--agent",
            "random",
            "--pits-from",
            from,
        ]);
        assert!(text.contains(&format!(": pit {pit} gives away")), "{text}");
        assert!(
            text.contains(&format!("Pits are numbered from {from}")),
            "{text}"
        );
    }
    let one = json(&[
        "review", "--db", &db, "--nodes", "300", "--agent", "level", "--json",
    ]);
    assert_eq!(one["agents"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_record_is_judged_and_mistakes_of_arguments_are_named() {
    let place = tempfile::tempdir().expect("a directory");
    let db = store(place.path());
    let list = json(&["records", "list", "--db", &db, "--json"]);
    let id = list[0]["id"].as_str().expect("an id");
    let record = good(&["records", "show", "--db", &db, "--match", id, "--game", "1"]);
    let file = place.path().join("game.txt");
    std::fs::write(&file, record).expect("written");
    let name = file.display().to_string();
    let text = good(&["review", &name, "--nodes", "200"]);
    assert!(text.starts_with("1 of 1 games judged"), "{text}");
    assert!(
        text.contains(&format!("kalahari show --record {name}\n")),
        "{text}"
    );
    bad(
        &["review", "--db", &db, "--agent", "nobody", "--nodes", "10"],
        "no agent in these games has 'nobody'",
    );
    bad(
        &["review", "--db", &db, "--match", "zz"],
        "have an id that begins with 'zz'",
    );
    bad(&["review", "no-such-file"], "no-such-file: no such file");
    bad(&["review", &name, "--csv", &name], "would overwrite itself");
    let (status, _, err) = kalahari(&["review"]);
    assert_eq!(status, 2, "{err}");
}
