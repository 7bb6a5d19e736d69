//! Games in shards: in any order, twice, damaged, killed.

use super::place::{EXPERIMENT, Place, kept};
use crate::support::{PROGRAM, bad, good, json, kalahari};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

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
