//! What else can be cut into shards: rows, books, proofs, ratings and reviews.

use super::place::Place;
use crate::support::{bad, good, json, kalahari};
use serde_json::Value;
use std::fs;

#[test]
fn rows_in_shards_are_the_same_bytes() {
    let place = Place::with(
        "[dataset]\ngame = \"kalah:4x3\"\nout = \"rows\"\nfrom = \"random\"\nlabel = \"exact\"\nseeds = \"2..6\"\nrows = 130\nrows-per-shard = 20\n",
    );
    good(&["run", &place.name("experiment.toml")]);
    fs::rename(place.at("rows"), place.at("whole")).expect("renamed");
    for which in ["2", "0-1"] {
        place.shard(which, 3, "a");
    }
    let (status, said) = place.merge(&["a"], &["--out", "rows"]);
    assert_eq!((status, &said["rows"]), (0, &130.into()), "{said}");
    let mut names = 0;
    for entry in fs::read_dir(place.at("whole")).expect("a folder").flatten() {
        let (one, two) = (entry.path(), place.at("rows").join(entry.file_name()));
        assert_eq!(fs::read(&one).ok(), fs::read(two).ok(), "{}", one.display());
        names += 1;
    }
    assert_eq!(names, 8, "seven files and the manifest");
    // More shards than files: some have nothing to do, and say so.
    let told = place.shard("0-8", 9, "b");
    assert_eq!(told.matches("nothing to do").count(), 2, "{told}");
    assert!(!told.contains("0 games"), "{told}");
    // All shards are there, and another file as well.
    fs::write(place.at("b/000000-of-000012.shard"), "something else").expect("written");
    let (status, _, err) = kalahari(&["shards", "status", &place.name("b")]);
    assert!(
        status == 1 && err.contains("all shards are there, but 1 more refused"),
        "{err}"
    );
}

/// A book in shards is the book that one machine builds, byte by byte.
#[test]
fn a_book_in_shards_is_the_same_bytes() {
    let place = Place::with("[book]\ngame = \"kalah:4x3\"\nplies = 4\nout = \"four.book\"\n");
    good(&["run", &place.name("experiment.toml")]);
    fs::rename(place.at("four.book"), place.at("whole.book")).expect("renamed");
    let told = place.shard("0,2", 3, "a");
    assert!(
        told.contains(" positions") && !told.contains("job"),
        "{told}"
    );
    let (status, said) = place.merge(&["a"], &["--book", "four.book"]);
    assert_eq!((status, &said["missing"]), (1, &"1".into()), "{said}");
    assert!(!place.at("four.book").exists());
    place.shard("1", 3, "a");
    let (status, said) = place.merge(&["a"], &["--book", "four.book"]);
    assert_eq!(status, 0, "{said}");
    assert!(said["positions"].as_u64() > said["new_positions"].as_u64());
    let read = |name: &str| fs::read(place.at(name)).expect("a book");
    assert_eq!(read("four.book"), read("whole.book"));
    bad(&["merge", &place.name("a")], "--book FILE");
    let told = good(&["run", &place.name("experiment.toml")]);
    assert!(told.contains("already there"), "{told}");
}

/// A proof in rounds of shards decides what one machine decides, and passes the check.
#[test]
fn a_proof_in_shards_is_checked() {
    let place = Place::with(
        "[prove]\ngame = \"kalah:4x3\"\nat-least = 1\njournal = \"four.proof\"\njob-nodes = 500\njobs = 12\n",
    );
    let journal = place.name("four.proof");
    let mut decided = false;
    for round in 0..30 {
        let folder = format!("round-{round}");
        let (status, _, err) = kalahari(&[
            "run",
            &place.name("experiment.toml"),
            "--shards",
            "2",
            "--shard",
            "0,1",
            "--out",
            &place.name(&folder),
            "--threads",
            "1",
        ]);
        if err.contains("decided already") {
            decided = true;
            break;
        }
        assert_eq!(status, 0, "{err}");
        let (status, said) = place.merge(&[&folder], &["--journal", "four.proof"]);
        assert!(status == 0 && said["claims"].as_u64() > Some(0), "{said}");
        let (_, again) = place.merge(&[&folder], &["--journal", "four.proof"]);
        assert_eq!(again["new_claims"], 0, "{again}");
    }
    assert!(decided);
    let alone = place.name("whole.proof");
    let whole = good(&[
        "prove",
        "kalah:4x3",
        "--at-least",
        "1",
        "--journal",
        &alone,
        "--json",
    ]);
    let whole: Value = serde_json::from_str(whole.lines().last().unwrap_or("")).expect("JSON");
    let checked = json(&["prove", "--check", &journal, "--sample", "all", "--json"]);
    assert_eq!(checked["goals"][0]["reached"], whole["proven"], "{checked}");
}

/// Games judged in shards give the same table as games judged on one machine; a rating in shards plays every rung of the ladder.
#[test]
fn reviews_and_ratings_in_shards() {
    let place = Place::with(
        "game = \"kalah:4x3\"\ndb = \"games.db\"\n\n[rate]\nagent = \"level:1\"\ngames = 8\nladder = \"my.json\"\n",
    );
    let rung = |agent: &str, rating: f64| serde_json::json!({"agent": agent, "rating": rating, "error": 10.0, "games": 10});
    let ladder = serde_json::json!({
        "form": "kalahari-ladder 1", "game": "kalah:4x3:standard", "openings": "random:3", "seed": 1, "draws": 0.2,
        "program": "0", "search": 1, "proving": 1, "rungs": [rung("level:0", 0.0), rung("level:2", 300.0)],
    });
    fs::write(place.at("my.json"), ladder.to_string()).expect("written");
    place.shard("0-2", 3, "rated");
    let (status, said) = place.merge(&["rated"], &["--db", "games.db"]);
    assert!(status == 0 && said["new_games"] == 8, "{said}");
    // All of these games are used, and no others are played.
    let told = json(&[
        "rate",
        "level:1",
        "--game",
        "kalah:4x3",
        "--ladder",
        &place.name("my.json"),
        "--db",
        &place.name("games.db"),
        "--games",
        "8",
        "--json",
    ]);
    assert!(told["games"] == 8 && told["resumed"] == 8, "{told}");
    let review = "[review]\ndb = \"games.db\"\nnodes = 300\njudged = \"games.judged\"\n";
    fs::write(place.at("experiment.toml"), review).expect("written");
    place.shard("0-2", 3, "a");
    let (status, said) = place.merge(&["a"], &["--judged", "games.judged"]);
    assert!(status == 0 && said["judged"] == 8, "{said}");
    let (db, judged) = (place.name("games.db"), place.name("games.judged"));
    let (whole, joined) = (place.name("whole.csv"), place.name("joined.csv"));
    let words = ["review", "--db", &db, "--nodes", "300"];
    good(&[&words[..], &["--csv", &whole]].concat());
    good(&[&words[..], &["--csv", &joined, "--judged", &judged]].concat());
    let read = |file: &str| fs::read(file).expect("a file");
    assert_eq!(read(&joined), read(&whole));
    let left_out = place.name("left-out.csv");
    good(&[
        "review", "--db", &db, "--csv", &left_out, "--judged", &judged,
    ]);
    assert_eq!(read(&left_out), read(&whole), "judged as in the file");
    bad(
        &["review", "--db", &db, "--nodes", "301", "--judged", &judged],
        "was judged with 300 nodes a position",
    );
}
