//! `kalahari train`: from the rows of a dataset to a net that plays.

use crate::support::{bad, good, json, kalahari, spawn, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Rows of a small board in a folder.
fn rows_of(game: &str, rows: &str, folder: &Path) {
    let label = "engine:nodes=200,hash=1,tablebase=0,book=0";
    let build = ["dataset", "build", game, "--label", label, "--rows", rows];
    good(&[&build[..], &["--out", text(folder)]].concat());
}

#[test]
fn a_net_is_trained_plays_and_overwrites_only_nets() {
    let folder = tempfile::tempdir().expect("a folder");
    let (rows, net) = (folder.path().join("rows"), folder.path().join("my.net"));
    rows_of("kalah:4x2", "300", &rows);
    let train = |out| {
        [
            "train",
            text(&rows),
            "--rounds",
            "2",
            "--hidden",
            "4",
            "--out",
            out,
        ]
    };
    good(&train(text(&net)));
    let agent = format!("engine:eval=net:{},depth=3", text(&net));
    assert!(good(&["analyze", "kalah:4x2", "--agent", &agent]).contains("Best move"));
    // A second training may overwrite the old net, but no other file.
    good(&train(text(&net)));
    let shard = rows.join("shard-00000.parquet");
    let before = std::fs::read(&shard).expect("a shard");
    bad(&train(text(&shard)), "a file that is not a net");
    bad(&train(text(&rows)), "a file that is not a net");
    // A missing folder may be a typing mistake, so it is not created.
    let lost = folder.path().join("no-such").join("my.net");
    bad(&train(text(&lost)), "there is no folder");
    assert!(!folder.path().join("no-such").exists());
    bad(&["train", "x", "--out", "y", "--hidden", "0"], "--hidden");
    bad(&["train", "x", "--out", "y", "--rate", "7"], "--rate");
    assert_eq!(std::fs::read(&shard).expect("a shard"), before);
}

/// A stored game whose rows are in two shards is not learned from in one and held out in the other: how the rows are cut into shards does not
/// matter.
#[test]
fn a_game_in_two_shards_stays_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let store = place("games.db");
    let play = ["match", "level:1", "random", "--game", "kalah:4x3"];
    let openings = ["--openings", "random:3", "--games", "100", "--db"];
    good(&[&play[..], &openings, &[text(&store)]].concat());
    let trained = ["17", "5000"].map(|per_shard| {
        let (rows, net) = (place(per_shard), place(&format!("{per_shard}.net")));
        let build = ["dataset", "build", "kalah:4x3", "--label", "exact"];
        let shards = ["--rows-per-shard", per_shard, "--from", text(&store)];
        good(&[&build[..], &shards, &["--out", text(&rows)]].concat());
        let train = ["train", text(&rows), "--rounds", "1", "--hidden", "4"];
        let said = json(&[&train[..], &["--json", "--out", text(&net)]].concat());
        let files = fs::read_dir(&rows).expect("a folder").count();
        let counts = ["positions", "held_out"].map(|name| said[name].as_u64());
        (files, counts, fs::read(net).expect("a net"))
    });
    let [(many, counts, net), (few, same_counts, same_net)] = trained;
    assert!(many > 20 * few, "{many} and {few} files");
    assert_eq!(counts, same_counts);
    assert!(net == same_net, "the nets differ");
}

/// Few rows, many units, many rounds.
#[test]
fn an_overfitted_training_names_its_best_round() {
    let folder = tempfile::tempdir().expect("a folder");
    let (rows, net) = (folder.path().join("rows"), folder.path().join("my.net"));
    rows_of("kalah:4x3", "400", &rows);
    let train = ["train", text(&rows), "--batch", "16", "--rate"];
    let train = [&train[..], &["0.01", "--out", text(&net), "--rounds"]].concat();
    let said = json(&[&train[..], &["60", "--json"]].concat());
    let error = |round: &serde_json::Value| round["held_out"].as_f64().expect("an error");
    let rounds = said["rounds"].as_array().expect("rounds");
    let best = said["best_round"].as_u64().expect("a round");
    let least = error(&rounds[best as usize - 1]);
    assert!(rounds.iter().all(|round| error(round) >= least), "{said}");
    assert!(error(&rounds[59]) > 1.01 * least, "{said}");
    let told = good(&[&train[..], &["60"]].concat());
    assert!(
        told.contains(&format!("after round {best} it was")),
        "{told}"
    );
    // No row of the error table names more seeds than the game has.
    let by_seeds = said["by_seeds"].as_array().expect("rows");
    assert!(by_seeds.iter().all(|row| row["most"].as_u64() <= Some(24)));
    // With one round, the last is the best: nothing is said.
    let told = good(&[&train[..], &["1"]].concat());
    assert!(!told.contains("it was"), "{told}");
}

#[test]
fn a_killed_training_continues_and_ends_with_the_same_net() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let (rows, whole, killed) = (place("rows"), place("whole.net"), place("killed.net"));
    rows_of("kalah:4x3", "1500", &rows);
    let train = |out| {
        let options = ["--rounds", "60", "--hidden", "64", "--batch", "64", "--out"];
        [&["train", text(&rows)][..], &options, &[out]].concat()
    };
    let plain = json(&[&train(text(&whole))[..], &["--json"]].concat());
    assert!(plain["quantised_mean"].as_f64() <= Some(0.05), "{plain}");
    assert!(plain["quantised_largest"].as_f64() <= Some(0.5), "{plain}");
    let kept = place("killed.net.training");
    let mut kills = 0;
    for _ in 0..4 {
        let before = fs::read(&kept).unwrap_or_default();
        let mut child = spawn(&train(text(&killed)));
        let begin = Instant::now();
        // Waits until one more round has been saved.
        while fs::read(&kept).unwrap_or_default() == before
            && child.try_wait().expect("a child").is_none()
            && begin.elapsed() < Duration::from_secs(60)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        // On Unix this is SIGKILL.
        kills += usize::from(child.try_wait().expect("a child").is_none());
        child.kill().expect("killed");
        child.wait().expect("gone");
        if killed.exists() {
            assert_eq!(
                fs::read(&killed).expect("whole"),
                fs::read(&whole).expect("a net")
            );
        }
    }
    assert!(kills > 0, "every run finished before it was killed");
    good(&train(text(&killed)));
    assert_eq!(
        fs::read(&killed).expect("a net"),
        fs::read(&whole).expect("a net")
    );
    assert!(
        !kept.exists(),
        "the net is written, so the saved training is removed"
    );
}

#[test]
fn useless_shards_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let (rows, net) = (place("rows"), place("my.net"));
    rows_of("kalah:4x2", "300", &rows);
    let shard = fs::read(rows.join("shard-00000.parquet")).expect("a shard");
    let named = |name: &str, bytes: &[u8]| {
        let path = place(name);
        fs::write(&path, bytes).expect("written");
        path
    };
    // A shard of another run in the place of one of this run.
    rows_of("kalah:4x2", "300", &place("swapped"));
    rows_of("kalah:4x2", "200", &place("fewer"));
    fs::copy(
        place("fewer").join("shard-00000.parquet"),
        place("swapped").join("shard-00000.parquet"),
    )
    .expect("copied");
    let train = ["train", text(&place("swapped")), "--out", text(&net)].map(str::to_owned);
    bad(&train.each_ref().map(String::as_str), "shard-00000.parquet");
    let mut flipped = shard.clone();
    flipped[shard.len() / 2] ^= 4;
    rows_of("kalah:5x2", "50", &place("five"));
    rows_of("kalah:4x2:empty-capture", "50", &place("rule"));
    rows_of("isolation:4x4", "50", &place("isolation"));
    let csv = [
        "--format",
        "csv",
        "--rows",
        "20",
        "--out",
        text(&place("csv")),
    ]
    .map(str::to_owned);
    let csv: Vec<&str> = csv.iter().map(String::as_str).collect();
    good(
        &[
            &["dataset", "build", "kalah:4x2", "--label", "level:2"][..],
            &csv,
        ]
        .concat(),
    );
    let lines = fs::read_to_string(place("csv").join("shard-00000.csv")).expect("a shard");
    let header = lines.lines().next().expect("a header").to_owned() + "\n";
    let inner = |name: &str| place(name).join("shard-00000.parquet");
    let cases: [(PathBuf, &str); 9] = [
        (
            named("short.parquet", &shard[..shard.len() / 2]),
            "short.parquet",
        ),
        (named("flipped.parquet", &flipped), "flipped.parquet"),
        (named("nothing.parquet", b""), "nothing.parquet"),
        (named("other.parquet", b"hello"), "other.parquet"),
        (
            named("csv/shard-00000.csv", header.as_bytes()),
            "shard-00000.csv",
        ),
        (place("nowhere"), "nowhere"),
        (inner("five"), "5x2"),
        (inner("rule"), "empty-capture"),
        (inner("isolation"), "Kalah only"),
    ];
    for (path, reason) in cases {
        // Good rows before the bad shard do not hide it.
        let train = ["train", text(&rows), text(&path), "--rounds", "1", "--out"];
        let (status, _, err) = kalahari(&[&train[..], &[text(&net)]].concat());
        assert_ne!(status, 0, "{}", path.display());
        assert!(err.contains(text(&path)) && err.contains(reason), "{err}");
        assert!(!net.exists(), "{}", path.display());
    }
}
