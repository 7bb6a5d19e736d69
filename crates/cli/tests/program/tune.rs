//! Tuning from outside: the same seed, kill -9, refusals, pictures.

use crate::support::{PROGRAM, bad, good, json, spawn, text};
use serde_json::Value;
use std::time::Duration;

/// The JSON of a run without its times.
fn timeless(arguments: &[&str]) -> Value {
    let mut value = json(arguments);
    if let Some(object) = value.as_object_mut() {
        object.remove("seconds");
    }
    value
}

/// A run that plays quickly, on one thread.
fn quick<'a>(agent: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let base = [
        "tune",
        "run",
        agent,
        "--against",
        "level:1",
        "random",
        "--game",
        "kalah:4x3",
        "--openings",
        "random:2",
        "--concurrency",
        "1",
        "--json",
    ];
    [&base[..], more].concat()
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = |seed| {
        timeless(&quick(
            "mcts:playouts=20",
            &[
                "--params",
                "alpha=0..1,c=0.01..2:log",
                "--games",
                "60",
                "--seed",
                seed,
            ],
        ))
    };
    let one = run("1");
    assert_eq!(one, run("1"));
    assert_ne!(one["parameters"], run("2")["parameters"]);
    assert_eq!(one["games"], 60);
    assert_eq!(one["samples"], 30);
    let spsa = timeless(&quick(
        "mcts:playouts=20",
        &[
            "--params",
            "alpha=0..1",
            "--method",
            "spsa",
            "--games",
            "40",
        ],
    ));
    assert_eq!(spsa["samples"], 10);
    let line = spsa["lines"][0].as_str().expect("a line");
    assert!(line.starts_with("alpha, float, "), "{line}");
}

#[test]
fn killed_runs_continue_with_the_same_result() {
    let folder = tempfile::tempdir().expect("a folder");
    for method in ["clop", "spsa"] {
        let (db, whole) = (
            folder.path().join(format!("{method}-killed.db")),
            folder.path().join(format!("{method}-whole.db")),
        );
        let arguments = |db| {
            quick(
                "mcts:playouts=300",
                &[
                    "--params",
                    "alpha=0..1,c=0..2",
                    "--method",
                    method,
                    "--games",
                    "600",
                    "--db",
                    db,
                ],
            )
        };
        let mut kills = 0;
        for round in 0..12 {
            let mut child = spawn(&arguments(text(&db)));
            std::thread::sleep(Duration::from_millis(10 + 7 * round));
            kills += usize::from(child.try_wait().expect("a child").is_none());
            let _ = child.kill();
            child.wait().expect("a child");
        }
        let mut resumed = timeless(&arguments(text(&db)));
        let mut other = timeless(&arguments(text(&whole)));
        println!(
            "{method}: {kills} kills, {} samples were kept",
            resumed["resumed"]
        );
        assert!(kills > 0);
        for value in [&mut resumed, &mut other] {
            value["resumed"] = Value::Null;
        }
        assert_eq!(resumed, other);
    }
}

#[test]
fn another_program_may_be_the_opponent() {
    let opponent = format!("ugi:{PROGRAM} ugi --agent level:1");
    let found = json(&[
        "tune",
        "run",
        "mcts:playouts=20",
        "--params",
        "alpha=0..1",
        "--against",
        &opponent,
        "random",
        "--game",
        "kalah:4x3",
        "--openings",
        "random:2",
        "--games",
        "40",
        "--json",
    ]);
    assert_eq!(found["games"], 40);
    assert_eq!(found["interrupted"], false);
}

#[test]
fn wrong_runs_are_refused_in_one_line() {
    let run = |params, more: &[&str], reason| {
        let base = ["tune", "run", "mcts:playouts=20", "--params", params];
        bad(&[&base[..], more].concat(), reason);
    };
    let against = ["--against", "random"];
    run(
        "beta=0..1",
        &against,
        "no parameter 'beta'; there are alpha, c",
    );
    run("alpha=1..0", &against, "reversed");
    run("alpha=1..1", &against, "empty");
    run("alpha=0..2", &against, "from 0 to 1");
    run("alpha", &against, "name=low..high");
    run("alpha=0..1", &[], "--against");
    run("alpha=0..1", &["--against", "nobody"], "no agent 'nobody'");
    run(
        "alpha=0..1",
        &["--against", "ugi:/no/such/program"],
        "/no/such/program",
    );
    // It starts, but cannot play: an error before any game, not a series of losses.
    run(
        "alpha=0..1",
        &["--against", "random", "ugi:true"],
        "asked for the first move",
    );
    run(
        "alpha=0..1",
        &["--against", "random", "--method", "x"],
        "clop and spsa",
    );
    bad(
        &[
            "tune",
            "run",
            "random",
            "--params",
            "c=0..1",
            "--against",
            "random",
        ],
        "it has none",
    );
    bad(&["tune", "run", "mcts", "--against", "random"], "--params");
    bad(
        &["tune", "plot", "--db", "no/such.db", "--out", "x"],
        "no such file",
    );
    bad(&["params", "nobody"], "no agent 'nobody'");
    bad(
        &["analyze", "kalah", "--agent", "mcts:alpha=2"],
        "alpha must be from 0 to 1",
    );
}

#[test]
fn pictures_are_drawn_for_one_and_two_parameters() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, out) = (folder.path().join("tune.db"), folder.path().join("out"));
    for params in ["alpha=0..1", "alpha=0..1,c=0.01..2:log"] {
        timeless(&quick(
            "mcts:playouts=20",
            &["--params", params, "--games", "40", "--db", text(&db)],
        ));
        let files = good(&["tune", "plot", "--db", text(&db), "--out", text(&out)]);
        assert_eq!(files.lines().count(), 2);
        for file in files.lines() {
            let svg = std::fs::read_to_string(file).expect("a picture");
            assert!(svg.starts_with("<svg") && svg.contains("alpha"), "{file}");
        }
    }
    let list = good(&["tune", "plot", "--db", text(&db), "--list"]);
    assert_eq!(list.lines().count(), 2, "{list}");
}

#[test]
fn parameters_are_listed() {
    let mcts = good(&["params", "mcts:c=0.25"]);
    assert!(mcts.contains("alpha") && mcts.contains("0.86") && mcts.contains("0.25"));
    assert!(good(&["params", "alphabeta:eval=weighted"]).contains("weight"));
    assert!(good(&["params", "alphabeta:eval=again"]).contains("bonus"));
    let count = |spec| {
        json(&["params", spec, "--json"])["parameters"]
            .as_array()
            .map(Vec::len)
    };
    // A net has no numbers that are worth tuning; the handwritten evaluation has 26.
    assert_eq!(count("engine"), Some(2));
    assert_eq!(count("engine:eval=kalahari"), Some(28));
    assert!(good(&["params", "random"]).contains("nothing to tune"));
}
