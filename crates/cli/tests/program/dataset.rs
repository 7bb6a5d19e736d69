//! `kalahari dataset`: what it makes, what it says, and that nothing is lost when it is killed.

use crate::support::{bad, good, json, kalahari, spawn, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The shards of a folder and its manifest, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named = paths.map(|path| {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        (name, fs::read(path).expect("a file"))
    });
    named.collect()
}

fn shards(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".parquet")).count()
}

const GAMES: [&str; 10] = [
    "dataset",
    "build",
    "kalah:4x4",
    "--label",
    "engine:nodes=4000,hash=1",
    "--rows",
    "1500",
    "--rows-per-shard",
    "150",
    "--out",
];

#[test]
fn a_killed_run_continues_and_nothing_is_lost() {
    let place = tempfile::tempdir().expect("a folder");
    let [whole, killed] = ["whole", "killed"].map(|name| place.path().join(name));
    let of = |folder| [&GAMES[..], &[folder]].concat();
    good(&of(text(&whole)));
    let mut kills = 0;
    for wanted in [1, 3, 6] {
        let mut child = spawn(&of(text(&killed)));
        let begin = Instant::now();
        while shards(&killed) < wanted
            && child.try_wait().expect("a child").is_none()
            && begin.elapsed() < Duration::from_secs(60)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        // On Unix this is SIGKILL.
        kills += usize::from(child.try_wait().expect("a child").is_none());
        child.kill().expect("killed");
        child.wait().expect("gone");
        for (name, bytes) in files(&killed) {
            if name.ends_with(".parquet") {
                assert_eq!(bytes, files(&whole)[&name], "{name} is not whole");
            }
        }
    }
    assert!(kills > 0, "every run finished before it was killed");
    let before = shards(&killed);
    let built = json(&[&of(text(&killed))[..], &["--json"]].concat());
    assert_eq!(built["rows"], 1500);
    assert_eq!(built["finished"], true);
    assert!(built["kept"].as_u64() >= Some(before as u64 - 1), "{built}");
    assert_eq!(files(&whole), files(&killed));
    // Another run has nothing to do.
    let again = json(&[&of(text(&killed))[..], &["--json"]].concat());
    assert_eq!(again["made"], 0);
    assert_eq!(again["kept"], 10);
    assert_eq!(files(&whole), files(&killed));
}

#[test]
fn exact_rows_are_made_described_and_merged() {
    let place = tempfile::tempdir().expect("a folder");
    let exact = place.path().join("exact");
    let made = good(&[
        "dataset",
        "build",
        "kalah:4x3",
        "--out",
        text(&exact),
        "--from",
        "random",
        "--seeds",
        "6..15",
        "--label",
        "exact",
        "--rows",
        "500",
        "--tablebase",
        "8",
    ]);
    assert!(made.contains("500 rows"), "{made}");
    let info = json(&["dataset", "info", text(&exact), "--json"]);
    for (name, count) in [
        ("rows", 500),
        ("proven", 500),
        ("duplicates", 0),
        ("shards", 1),
    ] {
        assert_eq!(info[name], count, "{info}");
    }
    assert_eq!(info["left"]["6"], 50, "{info}");
    assert_eq!(info["labels"]["tablebase"], 150, "{info}");
    let games = place.path().join("games");
    good(&[
        "dataset",
        "build",
        "kalah:4x3",
        "--out",
        text(&games),
        "--label",
        "engine:depth=3,hash=1",
        "--rows",
        "200",
        "--format",
        "csv",
    ]);
    let csv = fs::read_to_string(games.join("shard-00000.csv")).expect("there");
    assert!(
        csv.starts_with("position,own_0,own_1,own_2,own_3,own_store,other_0,"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 201);
    let all = place.path().join("all.parquet");
    let merged = json(&[
        "dataset",
        "merge",
        text(&exact),
        text(&games),
        "--out",
        text(&all),
        "--json",
    ]);
    let rows = merged["rows"].as_u64().zip(merged["duplicates"].as_u64());
    assert!(
        rows.is_some_and(|(rows, twice)| rows + twice == 700),
        "{merged}"
    );
    let info = good(&["dataset", "info", text(&all)]);
    assert!(
        info.contains("kalah:4x3:standard") && info.contains("search"),
        "{info}"
    );
    // A flipped bit is found, and the shard is named.
    let shard = exact.join("shard-00000.parquet");
    let mut bytes = fs::read(&shard).expect("there");
    bytes[1000] ^= 4;
    fs::write(&shard, bytes).expect("written");
    let (status, _, err) = kalahari(&["dataset", "info", text(&exact)]);
    assert_eq!(status, 1, "{err}");
    assert!(
        err.contains("shard-00000.parquet") && err.contains("checksum"),
        "{err}"
    );
}

#[test]
fn mistakes_are_explained() {
    let place = tempfile::tempdir().expect("a folder");
    let out = place.path().join("out");
    let build = |more: &[&'static str], reason: &str| {
        bad(
            &[&["dataset", "build", "--out", text(&out)][..], more].concat(),
            reason,
        );
    };
    build(&["kalah:6x6"], "--rows");
    build(
        &["kalah:6x6", "--rows", "9", "--label", "engine:time=1s"],
        "nodes=",
    );
    build(&["kalah:6x6", "--rows", "9", "--label", "engin"], "engin");
    build(&["kalah:6x6", "--rows", "9", "--seeds", "30..10"], "10..30");
    build(
        &["kalah:6x6", "--rows", "9", "--seeds", "10..80"],
        "2 to 72 seeds",
    );
    build(&["kalah:6x6", "--rows", "9", "--cells", "3"], "--seeds");
    build(&["isolation", "--rows", "9", "--seeds", "3"], "--cells");
    build(&["kalah:6x6", "--rows", "9", "--random", "120%"], "25%");
    build(&["kalah:6x6", "--from", "no-such.db"], "no-such.db");
    bad(&["dataset", "info", text(&out)], "dataset build");
    bad(
        &["dataset", "merge", text(&out), "--out", "x.csv"],
        ".parquet",
    );
}

/// What pandas, polars and DuckDB see. Each is tried only if pip can install it.
#[test]
#[ignore = "slow: installs pandas, polars and DuckDB into a virtual environment"]
fn python_opens_the_files() {
    let place = tempfile::tempdir().expect("a folder");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.is_ok_and(|output| {
            let ok = output.status.success();
            if !ok {
                eprintln!("{}", String::from_utf8_lossy(&output.stderr));
            }
            ok
        })
    };
    let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    let python = venv.join("bin/python");
    if !python.exists() && !run("python3", &["-m", "venv", text(&venv)]) {
        eprintln!("skipped: no python3 with venv");
        return;
    }
    let exact = place.path().join("exact");
    let cells = place.path().join("cells");
    for (game, folder, range) in [
        ("kalah:4x3", &exact, ["--seeds", "6..15"]),
        ("isolation:4x4", &cells, ["--cells", "2..6"]),
    ] {
        let out = [
            "dataset",
            "build",
            game,
            "--out",
            text(folder),
            "--from",
            "random",
            "--label",
            "exact",
        ];
        good(&[&out[..], &range, &["--rows", "100"]].concat());
    }
    for (package, script) in [
        (
            "pandas pyarrow",
            "import pandas as pd, sys
df = pd.read_parquet(sys.argv[1])
assert len(df) == 100 and df.key.is_unique and df.key.dtype == 'uint64' and df.own_0.dtype == 'int16', df.dtypes
values = df[[f'value_{i}' for i in range(4)]]
assert (values.max(axis=1) == df.value).all()
pits = df[[f'own_{i}' for i in range(4)]].to_numpy()
assert ((pits > 0) == values.notna().to_numpy()).all()
cells = pd.read_parquet(sys.argv[2]).explode(['moves', 'values'])
assert cells.groupby('key')['values'].max().notna().all()",
        ),
        (
            "polars",
            "import polars as pl, sys
df = pl.read_parquet(sys.argv[1] + '/*.parquet')
assert df.height == 100 and df['key'].n_unique() == 100
assert pl.read_parquet(sys.argv[2] + '/*.parquet').explode(['moves', 'values']).height > 100",
        ),
        (
            "duckdb",
            "import duckdb, sys
assert duckdb.sql(f\"select count(distinct key), max(value) from '{sys.argv[1]}/*.parquet'\").fetchone()[0] == 100
assert duckdb.sql(f\"select count(*) from (select unnest(moves) from '{sys.argv[2]}/*.parquet')\").fetchone()[0] > 100",
        ),
    ] {
        let pip = ["-m", "pip", "install", "--quiet"];
        let packages: Vec<&str> = package.split(' ').collect();
        if !run(text(&python), &[&pip[..], &packages].concat()) {
            eprintln!("skipped: pip cannot install {package}");
            continue;
        }
        let seen = run(text(&python), &["-c", script, text(&exact), text(&cells)]);
        assert!(seen, "{package}");
    }
}
