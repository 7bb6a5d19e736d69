//! Every command that writes files is run by two processes on the same file, which are killed again and again.

use crate::support::{PROGRAM, text};
use kalahari_exact::tablebase::Tablebase;
use kalahari_search::Rng;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// How often both processes are killed.
const KILLS: usize = 20;

fn command(arguments: &[&str], home: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments);
    command
        .env("KALAHARI_HOME", home)
        .env("KALAHARI_CACHE", home);
    command.stdin(Stdio::null());
    command
}

fn run(arguments: &[&str], home: &Path) -> Output {
    command(arguments, home).output().expect("the program runs")
}

fn good(arguments: &[&str], home: &Path) -> String {
    let output = run(arguments, home);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {err}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The JSON of a run without its times and without the counts that depend on what was there before.
fn timeless(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).expect("JSON");
    if let Some(object) = value.as_object_mut() {
        for key in ["seconds", "overhead", "resumed", "played"] {
            object.remove(key);
        }
    }
    value
}

/// Starts a command twice at once and kills both processes after at most `longest`, [`KILLS`] times; `whole` checks what they leave
/// behind. Returns how many processes were still running when they were killed.
fn kill_pairs(arguments: &[&str], home: &Path, longest: Duration, whole: impl Fn()) -> usize {
    let mut rng = Rng::new(arguments.len() as u64);
    let mut killed = 0;
    let start = || -> Child {
        let mut command = command(arguments, home);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("it runs")
    };
    for _ in 0..KILLS {
        let mut both = [start(), start()];
        sleep(longest.mul_f64(rng.below(1_000) as f64 / 1_000.0));
        for child in &mut both {
            killed += usize::from(child.try_wait().expect("a child").is_none());
            let _ = child.kill();
        }
        for mut child in both {
            child.wait().expect("a child");
        }
        whole();
    }
    assert!(
        killed > KILLS / 4,
        "only {killed} were running when they were killed"
    );
    killed
}

/// The games of a store as it exports them, without their times. No game may occur twice.
fn exported(db: &Path, home: &Path) -> Vec<String> {
    if !db.exists() {
        return Vec::new();
    }
    let output = run(
        &["records", "export", "--format", "csv", "--db", text(db)],
        home,
    );
    let err = String::from_utf8_lossy(&output.stderr);
    // The process was killed before it had created the tables.
    if !output.status.success() && err.contains("it is not a store") {
        return Vec::new();
    }
    assert!(output.status.success(), "{err}");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    // All columns except the seconds.
    let names: Vec<&str> = out.lines().next().unwrap_or_default().split(',').collect();
    let seconds = names.iter().position(|name| *name == "seconds");
    let seconds = seconds.expect("a column of seconds");
    let timeless = |line: &str| -> String {
        let mut words: Vec<&str> = line.split(',').collect();
        assert_eq!(words.len(), names.len(), "{line}");
        words.remove(seconds);
        words.join(",")
    };
    let games: Vec<String> = out.lines().skip(1).map(timeless).collect();
    let mut names: Vec<Vec<&str>> = games
        .iter()
        .map(|game| game.split(',').take(2).collect())
        .collect();
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all, "a game occurs twice");
    games
}

/// Checks that a command that plays games and stores them survives being killed.
fn games_survive(arguments: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let [db, straight] = ["games.db", "straight.db"].map(|name| home.join(name));
    let with = |db| [arguments, &["--json", "--db", text(db)]].concat();
    let truth = timeless(&good(&with(&straight), home));
    let games = exported(&straight, home);
    kill_pairs(&with(&db), home, Duration::from_millis(400), || {
        let found = exported(&db, home);
        assert!(found.iter().all(|game| games.contains(game)));
    });
    assert_eq!(timeless(&good(&with(&db), home)), truth);
    let mut found = exported(&db, home);
    let mut games = games;
    found.sort();
    games.sort();
    assert_eq!(found, games);
}

#[test]
#[ignore = "kills a command many times"]
fn a_match_survives_kills() {
    games_survive(&[
        "match",
        "random",
        "level:2",
        "--game",
        "kalah:6x4",
        "--games",
        "4000",
        "--openings",
        "random:4",
    ]);
}

#[test]
#[ignore = "kills a command many times"]
fn a_tournament_survives_kills() {
    games_survive(&[
        "tournament",
        "random",
        "level:1",
        "level:2",
        "--game",
        "kalah:6x4",
        "--games",
        "1000",
        "--openings",
        "random:4",
    ]);
}

#[test]
#[ignore = "kills a command many times"]
fn a_tuning_run_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let run = |db: &str| -> Vec<String> {
        let words = [
            "tune",
            "run",
            "mcts:playouts=20",
            "--params",
            "alpha=0..1",
            "--against",
            "level:1",
            "--game",
            "kalah:4x3",
            "--openings",
            "random:2",
            "--games",
            "2000",
            "--concurrency",
            "1",
            "--json",
            "--db",
        ];
        let db = text(&home.join(db)).to_owned();
        words.map(str::to_owned).into_iter().chain([db]).collect()
    };
    let straight = run("straight.db");
    let straight: Vec<&str> = straight.iter().map(String::as_str).collect();
    let truth = timeless(&good(&straight, home));
    let killed = run("killed.db");
    let killed: Vec<&str> = killed.iter().map(String::as_str).collect();
    kill_pairs(&killed, home, Duration::from_millis(400), || {});
    assert_eq!(timeless(&good(&killed, home)), truth);
}

#[test]
#[ignore = "kills a command many times"]
fn a_tablebase_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let [file, straight] = ["table", "straight"].map(|name| home.join(name));
    let build = |seeds, file| {
        [
            "tablebase",
            "build",
            "kalah:5",
            "--seeds",
            seeds,
            "--file",
            text(file),
        ]
    };
    good(&build("10", &file), home);
    good(&build("17", &straight), home);
    kill_pairs(
        &build("17", &file),
        home,
        Duration::from_millis(900),
        || {
            let found = Tablebase::open(&file, None).expect("whole");
            assert!((10..=17).contains(&found.seeds()));
            if found.seeds() > 10 {
                fs::remove_file(&file).expect("removed");
                good(&build("10", &file), home);
            }
        },
    );
    good(&build("17", &file), home);
    assert!(fs::read(&file).expect("there") == fs::read(&straight).expect("there"));
    assert_eq!(fs::read_dir(home).expect("a folder").count(), 2);
}

#[test]
#[ignore = "kills a command many times"]
fn a_book_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let [file, straight] = ["a.book", "straight.book"].map(|name| home.join(name));
    let build = |file| {
        [
            "book",
            "build",
            "kalah:4x4",
            "--plies",
            "6",
            "--tablebase",
            "6",
            "--out",
            text(file),
        ]
    };
    good(&build(&straight), home);
    let truth = fs::read(&straight).expect("there");
    kill_pairs(&build(&file), home, Duration::from_millis(300), || {
        if let Ok(found) = fs::read(&file) {
            assert!(found == truth);
            fs::remove_file(&file).expect("removed");
        }
    });
    good(&build(&file), home);
    assert!(fs::read(&file).expect("there") == truth);
    assert_eq!(fs::read_dir(home).expect("a folder").count(), 2);
}

#[test]
#[ignore = "kills a command many times"]
fn a_solve_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let file = home.join("table");
    let solve = |option| {
        let common = [
            "solve",
            "kalah:5x3",
            "--value-only",
            "--json",
            "--memory",
            "16M",
        ];
        [&common[..], &["--tablebase", "10", option, text(&file)]].concat()
    };
    kill_pairs(&solve("--save"), home, Duration::from_millis(900), || {
        if file.exists() {
            let resumed = good(&solve("--resume"), home);
            assert!(resumed.contains("\"value\":6"), "{resumed}");
        }
    });
    assert!(good(&solve("--save"), home).contains("\"value\":6"));
    assert_eq!(fs::read_dir(home).expect("a folder").count(), 1);
}

#[test]
#[ignore = "kills a command many times"]
fn puzzles_survive_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let file = home.join("puzzles.txt");
    let old = include_str!("../../../study/data/puzzles.txt");
    fs::write(&file, old).expect("written");
    let build = ["puzzles", "build", "--seed", "2", "--out", text(&file)];
    kill_pairs(&build, home, Duration::from_secs(3), || {
        assert!(fs::read_to_string(&file).expect("there") == old);
    });
    // What the killed processes left behind does not disturb the next writer.
    let db = home.join("games.db");
    let play = [
        "match",
        "random",
        "random",
        "--game",
        "kalah:3x2",
        "--games",
        "2",
        "--db",
        text(&db),
    ];
    good(&play, home);
    good(
        &["records", "export", "--db", text(&db), "--out", text(&file)],
        home,
    );
    let drafts = fs::read_dir(home).expect("a folder").flatten();
    let drafts =
        drafts.filter(|entry| entry.file_name().to_string_lossy().contains("kalahari-tmp"));
    assert_eq!(drafts.count(), 0);
}

/// All files of a folder, by name.
fn files(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named = paths.map(|path| {
        let name = path.file_name().expect("a name").to_owned();
        (name, fs::read(path).expect("a file"))
    });
    named.collect()
}

#[test]
#[ignore = "kills a command many times"]
fn a_dataset_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let [rows, straight] = ["rows", "straight"].map(|name| home.join(name));
    let build = |folder| {
        let words = [
            "dataset",
            "build",
            "kalah:4x4",
            "--label",
            "engine:nodes=2000,hash=1",
            "--rows",
            "3000",
            "--rows-per-shard",
            "50",
            "--out",
        ];
        [&words[..], &[text(folder)]].concat()
    };
    good(&build(&straight), home);
    let truth = files(&straight);
    kill_pairs(&build(&rows), home, Duration::from_millis(400), || {
        let found = files(&rows);
        let whole = |name: &OsString| Path::new(name).extension() == Some("parquet".as_ref());
        let mut shards = found.iter().filter(|(name, _)| whole(name));
        assert!(shards.all(|(name, bytes)| truth.get(name) == Some(bytes)));
        // Almost all of it is there: start again from nothing.
        if 4 * found.len() > 3 * truth.len() {
            fs::remove_dir_all(&rows).expect("removed");
        }
    });
    good(&build(&rows), home);
    assert!(files(&rows) == truth);
}

#[test]
#[ignore = "kills a command many times"]
fn a_training_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let rows = home.join("rows");
    let nets = home.join("nets");
    let straight = home.join("straight.net");
    let words = ["dataset", "build", "kalah:4x4", "--rows", "2000", "--out"];
    let label = ["--label", "engine:nodes=200,hash=1,tablebase=0,book=0"];
    good(&[&words[..], &[text(&rows)], &label].concat(), home);
    let train = |net| {
        let words = ["train", text(&rows), "--rounds", "60", "--hidden", "16"];
        [&words[..], &["--out", net]].concat()
    };
    good(&train(text(&straight)), home);
    let truth = fs::read(&straight).expect("a net");
    fs::create_dir(&nets).expect("a folder");
    let net = nets.join("my.net");
    kill_pairs(&train(text(&net)), home, Duration::from_millis(400), || {
        if let Ok(found) = fs::read(&net) {
            assert!(found == truth);
            fs::remove_file(&net).expect("removed");
        }
    });
    good(&train(text(&net)), home);
    assert!(fs::read(&net).expect("a net") == truth);
    assert_eq!(fs::read_dir(&nets).expect("a folder").count(), 1);
}

#[test]
#[ignore = "kills a command many times"]
fn a_proof_in_pieces_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    let journal = home.join("journal");
    let prove = [
        "prove",
        "kalah:6x3",
        "--value",
        "--job-nodes",
        "1000",
        "--tablebase",
        "10",
        "--threads",
        "1",
        "--memory",
        "64M",
        "--json",
        "--journal",
        text(&journal),
    ];
    let check = |sample| {
        let words = ["prove", "--check", text(&journal), "--sample", sample];
        let output = run(&[&words[..], &["--tablebase", "10"]].concat(), home);
        let [out, err] = [output.stdout, output.stderr];
        let [out, err] = [out, err].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.success(), out, err)
    };
    let begin_anew = || {
        for part in ["journal", "journal-wal", "journal-shm"] {
            let _ = fs::remove_file(home.join(part));
        }
    };
    kill_pairs(&prove, home, Duration::from_millis(900), || {
        if !journal.exists() {
            return;
        }
        match check("0") {
            (true, out, _) => {
                assert!(out.ends_with("right\n"), "{out}");
                if out.contains("the value is") {
                    begin_anew();
                }
            }
            // The process was killed before it had written a row.
            (false, _, err) => assert!(
                err.contains("the description of its game and position")
                    || err.contains("is not a journal"),
                "{err}"
            ),
        }
    });
    good(&prove, home);
    let (right, out, err) = check("all");
    assert!(right && out.contains("the value is +2"), "{out}{err}");
    assert!(out.ends_with("right\n"), "{out}");
}
