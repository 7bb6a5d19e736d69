//! Matches from outside: JSON, resume, kill -9, Ctrl-C, refusals.

use crate::support::{bad, good, json, kalahari, spawn, text};
use serde_json::Value;
use std::time::Duration;

#[test]
fn match_json_has_the_promised_fields() {
    let out = good(&[
        "match",
        "random",
        "level:1",
        "--game",
        "kalah:6x4",
        "--games",
        "50",
        "--json",
    ]);
    assert!(out.starts_with("{\"games\":50,\"wins\":"), "{out}");
    let value: Value = serde_json::from_str(&out).expect("JSON");
    for key in [
        "draws",
        "losses",
        "score",
        "elo",
        "elo_error",
        "los",
        "pentanomial",
        "sprt",
    ] {
        assert!(value.get(key).is_some(), "{key}");
    }
    assert_eq!(value["model"], "logistic");
    assert_eq!(value["seed"], 1);
    assert_eq!(value["openings"], "start");
    assert!(value["sprt"].is_null());
    let whole = json(&[
        "match",
        "level:2",
        "random",
        "--game",
        "kalah:4x3",
        "--games",
        "2",
        "--json",
    ]);
    assert_eq!(whole["score"], 1.0);
    assert!(whole["elo"].is_null() && whole["elo_error"].is_null());
}

#[test]
fn match_reports_use_known_words() {
    let base = [
        "match",
        "level:3",
        "level:1",
        "--game",
        "kalah:6x4",
        "--games",
        "40",
        "--openings",
        "random:4",
    ];
    let with = |more: &[&str]| good(&[&base[..], more].concat());
    let fast = with(&["--sprt", "elo0=0,elo1=400"]);
    for word in [
        "Results of level:3 vs level:1",
        "Elo: ",
        " +/- ",
        "LOS: ",
        "DrawRatio: ",
        "Points: ",
        "Ptnml(0-2): [",
        "LLR: ",
        "seed 1",
    ] {
        assert!(fast.contains(word), "{word}: {fast}");
    }
    let cute = with(&["--report", "cutechess"]);
    assert!(cute.starts_with("Score of level:3 vs level:1: "), "{cute}");
    assert!(with(&["--model", "normalized"]).contains("nElo: "));
}

#[test]
fn a_match_of_deterministic_agents_says_so() {
    let out = good(&[
        "match",
        "level:1",
        "level:2",
        "--game",
        "kalah:4x3",
        "--games",
        "10",
        "--openings",
        "start",
    ]);
    assert!(out.contains("one pair"), "{out}");
}

#[test]
fn an_error_that_the_games_do_not_tell_is_unknown() {
    let play = |first, more: &[&str]| {
        let base = ["match", first, "level:2", "--game", "kalah:4x3"];
        good(&[&base[..], &["--games", "4", "--openings", "random:3"], more].concat())
    };
    // An agent against itself: every pair ends level.
    let level = play("level:2", &[]);
    for words in [
        "Elo: 0.00 +/- unknown, nElo: 0.00 +/- unknown",
        "Note: every pair of games had the same score, so no error can be computed",
    ] {
        assert!(level.contains(words), "{words}: {level}");
    }
    assert!(!level.contains("inf"), "{level}");
    // Scripts that read the wording of cutechess know this word.
    let cute = play("level:2", &["--report", "cutechess"]);
    assert!(cute.contains("Elo difference: 0.00 +/- inf"), "{cute}");
    let lost = good(&[
        "match",
        "random",
        "engine:nodes=20000",
        "--game",
        "kalah:6x4",
        "--games",
        "10",
    ]);
    for words in ["Elo: -inf +/- unknown", "Note: every game was lost"] {
        assert!(lost.contains(words), "{words}: {lost}");
    }
}

/// A few games say little, however they end.
#[test]
fn a_few_games_say_little() {
    let play = |games: &str| {
        let base = [
            "match",
            "random",
            "engine:nodes=20000",
            "--game",
            "kalah:6x4",
        ];
        good(&[&base[..], &["--games", games]].concat())
    };
    for (games, why) in [
        ("1", "there is only one game, so no error can be computed"),
        (
            "2",
            "there is only one pair of games, so no error can be computed",
        ),
        (
            "3",
            "there is only one pair of games, so no error can be computed",
        ),
        (
            "4",
            "these are too few games to say how large the difference is",
        ),
    ] {
        let out = play(games);
        assert!(out.contains(&format!("Note: {why}\n")), "{games}: {out}");
        assert_eq!(out.contains("LOS: unknown, "), games != "4", "{out}");
    }
}

#[test]
fn a_forgotten_ending_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = folder.path().join("mybot").display().to_string();
    std::fs::write(format!("{bot}.py"), "").expect("written");
    for agent in [bot.clone(), format!("mine={bot}")] {
        bad(
            &["match", &agent, "level:1"],
            &format!("did you mean {bot}.py?"),
        );
    }
    // A name that is too long for a message is not shown as that of another file.
    let long = format!("{bot}{}", "y".repeat(100));
    std::fs::write(format!("{long}.py"), "").expect("written");
    let (status, _, err) = kalahari(&["match", &long, "level:1"]);
    assert!(status == 2 && !err.contains(".py?"), "{err}");
}

#[test]
fn wrong_matches_are_refused_in_one_line() {
    bad(&["match", "random", "nobody"], "no agent 'nobody'");
    bad(
        &["match", "random", "random", "--openings", "no/such/file"],
        "no/such/file",
    );
    bad(
        &["match", "random", "random", "--openings", "random:1000"],
        "from 0 to 100",
    );
    bad(
        &["match", "random", "random", "--sprt", "elo0=5,elo1=5"],
        "below elo1",
    );
    bad(&["match", "random", "random", "--games", "0"], "0");
    bad(&["match", "random", "random", "--tc", "10"], "not a time");
    bad(
        &["match", "random", "random", "--adjudicate", "x"],
        "majority",
    );
    bad(&["match", "random", "random", "--model", "x"], "logistic");
    bad(
        &[
            "match",
            "random",
            "random",
            "--game",
            "isolation:queen",
            "--adjudicate",
            "majority",
        ],
        "majority",
    );
    bad(&["tournament", "random", "random"], "twice");
    bad(
        &["tournament", "random", "level:1", "--schedule", "x"],
        "round-robin",
    );
    bad(&["records", "list", "--db", "no/such.db"], "no such file");
    bad(&["sprt", "--wins", "3"], "--losses");
    bad(&["sprt", "--pentanomial", "1,2,3"], "five");
    bad(
        &[
            "sprt", "--wins", "1", "--losses", "1", "--alpha", "0.9", "--beta", "0.9",
        ],
        "alpha",
    );
    bad(&["show", "--record", "no/such/file"], "no/such/file");
}

#[test]
fn the_search_for_openings_reports_progress() {
    use std::io::{BufRead, BufReader};
    // More openings than can be found while this test runs.
    let mut child = spawn(&[
        "match",
        "level:1",
        "level:2",
        "--game",
        "isolation:8x8:trail",
        "--openings",
        "balanced:8",
        "--games",
        "100000",
        "--concurrency",
        "1",
    ]);
    let mut err = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    err.read_line(&mut line).expect("a line");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let words = "kalahari: looking for balanced openings: ";
    assert!(line.starts_with(words), "{line}");
    assert!(line.ends_with(" of 50000 found\n"), "{line}");
}

#[test]
fn sprt_decides_from_counts() {
    let value = json(&[
        "sprt", "--wins", "520", "--draws", "100", "--losses", "420", "--elo1", "20", "--json",
    ]);
    assert_eq!(value["games"], 1040);
    assert_eq!(value["sprt"]["decision"], "H1");
    let value = json(&[
        "sprt", "--wins", "100", "--draws", "10", "--losses", "100", "--json",
    ]);
    assert!(value["sprt"]["decision"].is_null());
    assert!((value["sprt"]["upper"].as_f64().expect("a number") - 19f64.ln()).abs() < 1e-9);
    assert!(
        good(&["sprt", "--pentanomial", "60,140,200,80,20", "--elo1", "20"])
            .contains("H0 is accepted")
    );
}

#[test]
fn tournaments_print_a_crosstable() {
    let arguments = [
        "tournament",
        "random",
        "level:1",
        "level:3",
        "--game",
        "kalah:6x4",
        "--games",
        "20",
    ];
    let out = good(&arguments);
    for word in ["Elo", "+/-", "Margin", "Head to head", "level:3 vs level:1"] {
        assert!(out.contains(word), "{word}: {out}");
    }
    let value = json(&[&arguments[..], &["--json", "--schedule", "gauntlet"]].concat());
    assert_eq!(value["meetings"].as_array().map(Vec::len), Some(2));
    assert_eq!(value["standings"].as_array().map(Vec::len), Some(3));
}

/// A side that never lost, with draws or without: half a win and half a loss are added, so every error is finite.
#[test]
fn ratings_of_a_side_that_never_lost_are_finite() {
    let engine = ["engine", "random", "--game", "kalah:3x1", "--games", "12"];
    let level = ["random", "level:3", "--game", "kalah:6x4", "--games", "2"];
    for setup in [engine, level] {
        let arguments = [&["tournament", "--seed", "1"], &setup[..]].concat();
        let value = json(&[&arguments[..], &["--json"]].concat());
        assert_eq!(value["padded"], true, "{value}");
        assert_eq!(value["groups"], 1, "{value}");
        let best = &value["standings"][0];
        assert_eq!(best["losses"], 0, "{value}");
        let wins = best["wins"].as_f64().expect("a number");
        let elo = best["elo"].as_f64().expect("a number");
        assert!(best["elo_error"].is_number(), "{value}");
        let half = 200.0 * ((wins + 0.5) / 0.5).log10();
        assert!((elo - half).abs() < 1e-3, "{elo} {half}");
        assert!(good(&arguments).contains("half a win and half a loss"));
    }
}

#[test]
fn records_are_listed_shown_exported_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, file) = (
        folder.path().join("games.db"),
        folder.path().join("game.txt"),
    );
    let (db, file) = (text(&db), text(&file));
    let result = json(&[
        "match",
        "level:1",
        "random",
        "--game",
        "kalah:4x3",
        "--games",
        "4",
        "--db",
        db,
        "--json",
    ]);
    let id = result["match"].as_str().expect("a name");
    assert!(good(&["records", "list", "--db", db]).contains(id));
    assert_eq!(
        good(&["records", "list", "--db", db, "--match", &id[..6]])
            .lines()
            .count(),
        5
    );
    let record = good(&["records", "show", "--db", db, "--game", "3"]);
    assert!(record.starts_with("kalahari-record 1\nGame: kalah:4x3:standard\nFirst: level:1\n"));
    std::fs::write(file, &record).expect("written");
    let moves = record.split_once("\n\n").expect("a body").1.lines().count();
    assert!(good(&["show", "--record", file, "--ply", "0"]).contains("the beginning"));
    assert!(good(&["show", "--record", file, "--ply", &moves.to_string()]).contains("Game over"));
    assert!(good(&["show", "--record", file]).contains(&format!("-- move {moves}:")));
    bad(&["show", "--record", file, "--ply", "1000"], "not 1000");
    bad(&["records", "show", "--db", db, "--game", "9"], "no game 9");
    assert_eq!(
        good(&["records", "export", "--db", db, "--format", "csv"])
            .lines()
            .count(),
        5
    );
    let lines = good(&["records", "export", "--db", db, "--format", "json"]);
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(
            value["moves"].as_array().map(Vec::len),
            value["micros"].as_array().map(Vec::len)
        );
    }
    let all = good(&["records", "export", "--db", db]);
    assert_eq!(all.matches("kalahari-record 1").count(), 4);
}

/// A number that differs from run to run, taken from the clock.
fn somewhere(round: u64) -> u64 {
    let nanos = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| u64::from(time.subsec_nanos()));
    (nanos / 1_000)
        .wrapping_mul(2_654_435_761)
        .wrapping_add(round * 7_919)
}

/// The counts of a match, without anything that depends on the clock.
fn counts(value: &Value) -> Vec<Value> {
    [
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "margin",
        "match",
    ]
    .map(|key| value[key].clone())
    .to_vec()
}

#[test]
fn killed_twenty_times_nothing_is_lost_or_counted_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, other) = (
        folder.path().join("killed.db"),
        folder.path().join("whole.db"),
    );
    let (db, other) = (text(&db), text(&other));
    let run = |db| {
        let base = [
            "match",
            "mcts:playouts=200",
            "level:3",
            "--game",
            "kalah:6x4",
            "--openings",
            "random:4",
            "--games",
            "400",
            "--json",
            "--db",
        ];
        [&base[..], &[db]].concat()
    };
    let (mut kills, mut rounds) = (0, 0);
    while kills < 20 && rounds < 100 {
        rounds += 1;
        let mut child = spawn(&run(db));
        // The longest wait grows from round to round: a busy machine takes a while to start.
        let longest = 50 + 10 * rounds;
        std::thread::sleep(Duration::from_millis(3 + somewhere(rounds) % longest));
        if child.try_wait().expect("a child").is_none() {
            kills += 1;
        }
        let _ = child.kill();
        child.wait().expect("a child");
    }
    let resumed = json(&run(db));
    let whole = json(&run(other));
    assert_eq!(counts(&resumed), counts(&whole));
    assert_eq!(resumed["games"], 400);
    assert_eq!(whole["resumed"], 0);
    let kept = &resumed["resumed"];
    println!("{kills} kills of a running match, {kept} games were kept");
    assert!(
        kills >= 10,
        "{kills} kills: the match is too short for this machine"
    );
    assert!(kept.as_u64().is_some_and(|kept| kept > 0), "{kept}");
    // Every game is the same, except for its times.
    let games = |db: &str| -> Vec<Value> {
        let lines = good(&["records", "export", "--db", db, "--format", "json"]);
        lines
            .lines()
            .map(|line| {
                let mut value: Value = serde_json::from_str(line).expect("JSON");
                value["micros"] = Value::Null;
                value
            })
            .collect()
    };
    let games_of_both = [games(db), games(other)];
    assert_eq!(games_of_both[0].len(), 400);
    assert_eq!(games_of_both[0], games_of_both[1]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_match_cleanly() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let arguments = [
        "match",
        "level:8",
        "random",
        "--games",
        "100000",
        "--json",
        "--db",
        text(&db),
    ];
    let child = spawn(&arguments);
    std::thread::sleep(Duration::from_millis(700));
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(sent.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["stopped"], "interrupted");
    let kept = json(&["records", "list", "--db", text(&db), "--json"]);
    assert_eq!(kept[0]["games"], value["games"]);
}

/// A dry run counts the games that would be played, not those that were asked for.
#[test]
fn a_dry_run_counts_the_games_of_distinct_openings() {
    let words = [
        "match",
        "minimax:depth=1",
        "alphabeta:depth=2",
        "--game",
        "kalah:3x2",
        "--openings",
        "random:2",
        "--games",
        "1000",
        "--json",
    ];
    let [rehearsed, played] = [true, false].map(|dry| {
        let extra: &[&str] = if dry { &["--dry-run"] } else { &[] };
        json(&[&words[..], extra].concat())
    });
    let games = rehearsed["games"].as_u64().expect("a number");
    assert!(games < 1000, "{games}");
    assert_eq!(Some(games), played["games"].as_u64());
    assert!(
        rehearsed["notes"][0]
            .as_str()
            .is_some_and(|note| note.contains("distinct openings"))
    );
    let words = [
        "tournament",
        "minimax:depth=1",
        "alphabeta:depth=2",
        "random",
        "--game",
        "kalah:3x2",
        "--openings",
        "random:2",
        "--games",
        "100",
        "--json",
        "--dry-run",
    ];
    let all = json(&words)["games"].as_u64().expect("a number");
    assert!((200..300).contains(&all), "{all}");
}
