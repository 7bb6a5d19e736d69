//! Experiments in shards: any number of machines, in any order, get the same results as one machine.

use crate::support::{PROGRAM, bad, good, json, kalahari};
use kalahari_arena::{GameRecord, Store, StoredMatch};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const EXPERIMENT: &str = r#"
title = "both kinds of games"
game = "kalah:4x3"
seed = 7
openings = "random:3"
nodes = 60
db = "games.db"

[agents]
first = "engine:hash=1"
second = "mcts"

[match]
agents = ["first", "second"]
pairs = 6

[tournament]
agents = ["second", "level:1", "random"]
games = 5
"#;

/// A folder with an experiment in it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn with(experiment: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("experiment.toml"), experiment).expect("written");
        Place { folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.at(name).display().to_string()
    }

    /// Runs shards, given as text such as `3,7-9`.
    fn shard(&self, which: &str, shards: u32, folder: &str) -> String {
        good(&[
            "run",
            &self.name("experiment.toml"),
            "--shards",
            &shards.to_string(),
            "--shard",
            which,
            "--out",
            &self.name(folder),
            "--threads",
            "1",
        ])
    }

    /// Merges folders; returns the exit status and the output of `--json`.
    fn merge(&self, folders: &[&str], target: &[&str]) -> (i32, Value) {
        let mut words = vec!["merge".to_owned()];
        words.extend(folders.iter().map(|folder| self.name(folder)));
        words.push(target[0].to_owned());
        words.push(self.name(target[1]));
        words.push("--json".to_owned());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (status, out, _) = kalahari(&words);
        (status, serde_json::from_str(&out).expect("JSON"))
    }
}

/// The content of a store without times and dates.
fn kept(file: &Path) -> (Vec<StoredMatch>, Vec<GameRecord>, BTreeSet<Option<String>>) {
    let store = Store::open_existing(file).expect("a store");
    let mut matches = store.matches().expect("matches");
    let mut games = Vec::new();
    for one in &mut matches {
        one.created = 0;
        games.extend(store.games(&one.id).expect("games"));
    }
    for game in &mut games {
        for mv in &mut game.moves {
            mv.micros = mv.micros.map(|_| 0);
        }
    }
    matches.sort_by(|a, b| a.id.cmp(&b.id));
    games.sort_by_key(|game| (game.match_id.clone(), game.number));
    let runs = store.runs().expect("runs");
    let experiments = runs.into_iter().map(|run| run.origin.experiment);
    (matches, games, experiments.collect())
}

#[test]
fn shards_in_any_order_are_what_one_machine_plays() {
    let place = Place::with(EXPERIMENT);
    good(&["run", &place.name("experiment.toml")]);
    fs::rename(place.at("games.db"), place.at("whole.db")).expect("renamed");
    for (which, folder) in [("4", "a"), ("0", "b"), ("2-3", "a")] {
        let out = place.shard(which, 6, folder);
        assert!(
            out.contains(" of 6, ") && !out.contains("it was already there"),
            "{out}"
        );
    }
    let again = place.shard("2", 6, "a");
    assert!(
        again.contains("it was already there and is sound"),
        "{again}"
    );
    let (status, said) = place.merge(&["a", "b"], &["--db", "games.db"]);
    assert_eq!((status, &said["missing"]), (1, &Value::from("1,5")));
    let command = said["command"].as_str().expect("a command");
    assert!(
        command.contains("--shards 6 --shard 1,5 --out"),
        "{command}"
    );
    // The missing shards, one of them twice.
    place.shard("1,5", 6, "c");
    place.shard("5", 6, "a");
    for _ in 0..2 {
        let (status, said) = place.merge(&["c", "b", "a"], &["--db", "games.db"]);
        assert_eq!((status, &said["doubled"]), (0, &Value::from(1)), "{said}");
        assert_eq!((&said["sound"], &said["games"]), (&6.into(), &27.into()));
    }
    let (whole, merged) = (kept(&place.at("whole.db")), kept(&place.at("games.db")));
    assert_eq!(whole.1.len(), 27);
    assert_eq!(whole.2, [Some(EXPERIMENT.to_owned())].into());
    assert!(merged == whole, "the stores differ");
    // A run of the whole experiment finds all games in the store and reports.
    let told = good(&["run", &place.name("experiment.toml")]);
    assert!(told.contains("Step 2 of 2"), "{told}");
    assert!(
        kept(&place.at("games.db")).1 == whole.1,
        "the stores differ"
    );
    let status = json(&[
        "shards",
        "status",
        &place.name("a"),
        &place.name("b"),
        &place.name("c"),
        "--json",
    ]);
    assert_eq!(
        (&status["sound"], &status["missing"]),
        (&6.into(), &"".into())
    );
}

#[test]
fn unsound_shards_are_refused_by_name_and_the_rest_is_merged() {
    let place = Place::with(EXPERIMENT);
    place.shard("0-7", 8, "a");
    let file = |number: u32| place.at(&format!("a/{number:06}-of-000008.shard"));
    // Two shards cut short, one with a changed bit, one half-copied, one empty, and one that is another file.
    let bytes = |number: u32| fs::read(file(number)).expect("there");
    let write = |number: u32, bytes: &[u8]| fs::write(file(number), bytes).expect("written");
    let good_bytes = bytes(0);
    write(0, &good_bytes[..good_bytes.len() - 1]);
    write(1, &bytes(1)[..5]);
    let mut flipped = bytes(2);
    let middle = flipped.len() / 2;
    flipped[middle] ^= 4;
    write(2, &flipped);
    let mut half = bytes(3);
    let middle = half.len() / 2;
    half[middle..].fill(0);
    write(3, &half);
    write(4, b"");
    write(5, b"something else\n");
    // A draft that a killed process has left, and a shard of another experiment.
    fs::write(place.at("a/000006-of-000008.shard.tmp"), "x").expect("written");
    let other = Place::with(&EXPERIMENT.replace("seed = 7", "seed = 8"));
    other.shard("0", 9, "b");
    let foreign = "000000-of-000009.shard";
    fs::copy(other.at("b").join(foreign), place.at("a").join(foreign)).expect("copied");
    let (status, said) = place.merge(&["a"], &["--db", "games.db"]);
    assert_eq!((status, &said["sound"]), (1, &2.into()), "{said}");
    assert_eq!(said["missing"], "0-5");
    let refused = said["refused"].to_string();
    for name in (0..6)
        .map(|number| format!("{number:06}-of-000008"))
        .chain([foreign.to_owned()])
    {
        assert!(refused.contains(&name), "{name}: {refused}");
    }
    assert_eq!(said["refused"].as_array().map(Vec::len), Some(7));
    let (status, out, err) = kalahari(&["shards", "status", &place.name("a")]);
    assert_eq!(status, 1, "{out}");
    assert!(
        out.contains("refused: ") && out.contains("--shard 0-5"),
        "{out}"
    );
    assert!(
        err.contains("not all is there: 6 missing, 7 refused"),
        "{err}"
    );
    // Shards of a cut into another number of shards are counted separately.
    place.shard("0-1", 4, "a");
    let counted = serde_json::from_str::<Value>(
        &kalahari(&["shards", "status", &place.name("a"), "--json"]).1,
    );
    let counted = counted.expect("JSON");
    assert_eq!(
        (
            &counted["shards"],
            &counted["sound"],
            &counted["of_other_cuts"]
        ),
        (&4.into(), &2.into(), &2.into())
    );
    let (_, out, _) = kalahari(&["shards", "status", &place.name("a")]);
    assert!(
        out.contains(": 2 of 4 shards are there")
            && out.contains("and 2 that were cut into another number of shards"),
        "{out}"
    );
    for number in 0..2 {
        fs::remove_file(place.at(&format!("a/{number:06}-of-000004.shard"))).expect("removed");
    }
    // Damaged shards are made again, and foreign files are left alone.
    let (status, out, err) = kalahari(&[
        "run",
        &place.name("experiment.toml"),
        "--shards",
        "8",
        "--shard",
        "0-4",
        "--out",
        &place.name("a"),
    ]);
    assert_eq!((status, out.lines().count()), (0, 5), "{err}");
    assert_eq!(err.matches("it is made again now").count(), 5, "{err}");
    assert_eq!(bytes(0).len(), good_bytes.len());
    bad(
        &[
            "run",
            &place.name("experiment.toml"),
            "--shards",
            "8",
            "--shard",
            "5",
            "--out",
            &place.name("a"),
        ],
        "000005-of-000008.shard",
    );
    fs::remove_file(file(5)).expect("removed");
    fs::remove_file(place.at("a").join(foreign)).expect("removed");
    place.shard("5", 8, "a");
    let (status, said) = place.merge(&["a"], &["--db", "games.db"]);
    assert_eq!((status, &said["games"]), (0, &27.into()), "{said}");
}

#[test]
fn mistakes_are_named() {
    let place = Place::with(EXPERIMENT);
    let experiment = place.name("experiment.toml");
    let run = |more: &[&str], reason: &str| {
        let mut words = vec!["run", &experiment];
        words.extend(more);
        bad(&words, reason);
    };
    let out = place.name("a");
    run(&["--shards", "3"], "--shard");
    run(
        &["--shards", "3", "--shard", "3", "--out", &out],
        "no shard 3 of 3",
    );
    run(
        &["--shards", "3", "--shard", "x", "--out", &out],
        "bad shard 'x'",
    );
    run(
        &["--shards", "3", "--shard", "0", "--out", &out, "--dry-run"],
        "--dry-run",
    );
    bad(
        &["merge", &place.name("nowhere"), "--db", "x.db"],
        "there is no",
    );
    // A folder belongs to one experiment.
    place.shard("0", 3, "a");
    fs::write(place.at("experiment.toml"), EXPERIMENT.replace("60", "61")).expect("written");
    run(
        &["--shards", "3", "--shard", "1", "--out", &out],
        "with different text",
    );
    bad(&["merge", &out], "--db FILE");
    for (text, reason) in [
        (
            "[tune]\nagent = \"mcts\"\nparams = \"alpha=0..1\"\nagainst = [\"random\"]\n",
            "not done in shards",
        ),
        (
            "[tournament]\nagents = [\"random\", \"level:1\"]\nschedule = \"swiss\"\n",
            "swiss",
        ),
        (
            "[dataset]\ngame = \"kalah:4x3\"\nout = \"rows\"\n",
            "how many rows",
        ),
        (
            "[report]\ndb = \"games.db\"\nout = \"x\"\n",
            "nothing to split into shards",
        ),
    ] {
        let place = Place::with(text);
        let (status, _, err) = kalahari(&["shards", "plan", &place.name("experiment.toml")]);
        assert!(status == 2 && err.contains(reason), "{text}: {err}");
    }
}

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

#[test]
fn kills_at_any_time_lose_and_duplicate_nothing() {
    let place = Place::with(&EXPERIMENT.replace("pairs = 6", "pairs = 40"));
    good(&["run", &place.name("experiment.toml")]);
    fs::rename(place.at("games.db"), place.at("whole.db")).expect("renamed");
    let start = |words: &[&str]| {
        Command::new(PROGRAM)
            .args(words)
            .env("KALAHARI_HOME", env!("CARGO_TARGET_TMPDIR"))
            .env("KALAHARI_NO_TABLES", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts")
    };
    let (experiment, folder, db) = (
        place.name("experiment.toml"),
        place.name("a"),
        place.name("games.db"),
    );
    let run = [
        "run",
        &experiment,
        "--shards",
        "9",
        "--shard",
        "0-8",
        "--out",
        &folder,
    ];
    let merge = ["merge", &folder, "--db", &db];
    for round in 0..12_u64 {
        // Two processes at the same time on the same work do not disturb each other.
        let mut both = [
            start(&run),
            start(if round % 3 == 0 { &run } else { &merge }),
        ];
        std::thread::sleep(Duration::from_millis(7 * round * round));
        for one in &mut both {
            // It may have ended already.
            let _ = one.kill();
            one.wait().expect("it ends");
        }
    }
    place.shard("0-8", 9, "a");
    let (status, said) = place.merge(&["a"], &["--db", "games.db"]);
    assert_eq!((status, &said["games"]), (0, &95.into()), "{said}");
    let (whole, merged) = (kept(&place.at("whole.db")), kept(&place.at("games.db")));
    assert!(merged == whole, "the stores differ");
}

#[test]
fn a_script_for_slurm() {
    let place = Place::with(EXPERIMENT);
    let experiment = place.name("experiment.toml");
    let out = place.name("it's/shards");
    bad(
        &["slurm", &experiment, "--shards", "10", "--out", &out],
        "without blanks and quotes",
    );
    bad(
        &["slurm", &experiment, "--shards", "10", "--time", "1 h"],
        "SLURM does not understand",
    );
    let script = good(&[
        "slurm",
        &experiment,
        "--shards",
        "10",
        "--out",
        &place.name("a"),
    ]);
    for word in [
        "#SBATCH --array=0-9\n",
        "afterany",
        &experiment,
        &place.name("games.db"),
    ] {
        assert!(script.contains(word), "{script}");
    }
    assert!(
        !script.contains('{') || !script.contains("{out}"),
        "{script}"
    );
    // What cannot be done in shards is refused before it is submitted.
    for (text, reason) in [
        (
            "[tournament]\nagents = [\"random\", \"level:1\"]\nschedule = \"swiss\"\ndb = \"x.db\"\n",
            "swiss",
        ),
        (
            "[tune]\nagent = \"mcts\"\nparams = \"alpha=0..1\"\nagainst = [\"random\"]\n",
            "not done in shards",
        ),
        (
            "[match]\nagents = [\"random\", \"nobody\"]\ndb = \"x.db\"\n",
            "nobody",
        ),
        (
            "[dataset]\ngame = \"kalah:4x3\"\nout = \"rows\"\n",
            "how many rows",
        ),
        (
            "[report]\ndb = \"games.db\"\nout = \"x\"\n",
            "nothing to split",
        ),
        (
            "[book]\ngame = \"kalah:4x3\"\nplies = 2\n",
            "out = \"FILE\"",
        ),
    ] {
        let wrong = Place::with(text);
        let (status, script, err) =
            kalahari(&["slurm", &wrong.name("experiment.toml"), "--shards", "3"]);
        assert!(
            status == 2 && script.is_empty() && err.contains(reason),
            "{text}: {err}"
        );
    }
    // A shell can parse it.
    fs::write(place.at("job.sh"), script).expect("written");
    let read = Command::new("bash")
        .arg("-n")
        .arg(place.at("job.sh"))
        .status();
    assert!(read.is_ok_and(|status| status.success()));
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

/// `shards status` and `merge` both refuse a pipe in the place of a shard, and neither waits for it.
#[cfg(unix)]
#[test]
fn a_pipe_is_refused_by_name() {
    let place = Place::with(EXPERIMENT);
    place.shard("0-1", 3, "a");
    let pipe = place.at("a").join("000002-of-000003.shard");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("it runs").success());
    let folder = place.name("a");
    let db = place.name("merged.db");
    for words in [
        &["shards", "status", &folder][..],
        &["merge", &folder, "--db", &db],
    ] {
        let (_, text, _) = kalahari(words);
        assert!(text.contains("a pipe, a socket or a device"), "{text}");
        assert!(text.contains("missing: 1 shard"), "{text}");
    }
    let experiment = place.name("experiment.toml");
    let words = [
        "run",
        &experiment,
        "--shards",
        "3",
        "--shard",
        "2",
        "--out",
        &folder,
    ];
    let (status, _, text) = kalahari(&words);
    assert!(
        status != 0 && text.contains("000002-of-000003.shard"),
        "{text}"
    );
    // A damaged store says what is wrong, and what to do.
    let mut bytes = fs::read(&db).expect("a store");
    let middle = bytes.len() / 2;
    bytes[4096..middle].fill(0x5a);
    fs::write(&db, bytes).expect("written");
    let (_, _, text) = kalahari(&["merge", &folder, "--db", &db]);
    assert!(
        text.contains("it is damaged") && text.contains("a good copy"),
        "{text}"
    );
}

#[test]
fn a_machine_without_the_tables_of_a_plan_builds_them() {
    let place = Place::with(
        r#"
game = "kalah:3x4"
openings = "random:2"
nodes = 100
db = "games.db"

[match]
agents = ["engine:hash=1", "level:2"]
pairs = 4
"#,
    );
    // The first machine has a table and makes the plan; the second has only the plan.
    let machine = |home: &str, arguments: &[&str]| {
        let output = Command::new(PROGRAM)
            .args(arguments)
            .env("KALAHARI_HOME", place.at(home))
            .env("KALAHARI_CACHE", place.at(home))
            .env_remove("KALAHARI_NO_TABLES")
            .stdin(Stdio::null())
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    fs::create_dir(place.at("one")).expect("made");
    fs::create_dir(place.at("two")).expect("made");
    let table = "tablebases/kalah-3-standard.tablebase";
    machine("one", &["tablebase", "build", "kalah:3", "--seeds", "9"]);
    assert!(place.at("one").join(table).exists());
    let experiment = place.name("experiment.toml");
    let folder = place.name("shards");
    for (home, shard) in [("one", "0"), ("two", "1")] {
        let words = ["run", &experiment, "--shards", "2", "--shard", shard];
        machine(
            home,
            &[&words[..], &["--out", &folder, "--threads", "1"]].concat(),
        );
    }
    let [one, two] =
        ["one", "two"].map(|home| fs::read(place.at(home).join(table)).expect("a table"));
    assert!(one == two, "the second machine has built the same table");
    let left = fs::read_dir(place.at("two").join("tablebases")).expect("a folder");
    assert_eq!(left.count(), 1, "no lock and no draft is left");
    machine("one", &["merge", &folder, "--db", &place.name("games.db")]);
}
