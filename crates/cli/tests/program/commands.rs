//! The program from outside: what it prints, what it refuses, and that nothing makes it panic.

use crate::support::{PROGRAM, bad, good, good_reading, json, kalahari, kalahari_reading, spawn};
use proptest::prelude::*;
use std::time::Duration;

#[test]
fn perft_prints_json() {
    let out = good(&["perft", "kalah:6x4", "--depth", "4", "--json"]);
    let counts =
        "{\"game\":\"kalah:6x4:standard\",\"perft\":[6,35,185,942],\"made_by\":\"kalahari ";
    assert!(out.starts_with(counts) && out.ends_with("\"}\n"), "{out}");
}

#[test]
fn perft_counts_from_a_position() {
    let arguments = [
        "perft",
        "kalah:2x2",
        "--position",
        "0 1 4 1 1 1 0",
        "--depth",
        "2",
        "--json",
    ];
    assert!(good(&arguments).contains("[1,0]"));
}

#[test]
fn perft_of_large_boards() {
    assert!(good(&["perft", "kalah:12x12", "--depth", "4"]).contains("18921"));
    assert!(good(&["perft", "isolation:16x16:knight", "--depth", "3"]).contains("426720"));
}

#[test]
fn show_draws_kalah() {
    assert_eq!(
        good(&["show", "kalah:6x4", "--moves", "2 5"]),
        "\
kalah:6x4:standard

              5    4    3    2    1    0   player 1's pits  <- to move
             12   11   10    9    8    7   house numbers
     +----+----+----+----+----+----+----+----+
     |    |   4|   4|   5|   5|   5|   5|    |
  13 |   0+----+----+----+----+----+----+   2| 6
     |    |   4|   4|   0|   5|   5|   0|    |
     +----+----+----+----+----+----+----+----+
              0    1    2    3    4    5   player 0's pits

Player 1 to move. Legal moves: 0 1 2 3 4 5
Position: 4 4 0 5 5 0 2 5 5 5 5 4 4 0 1
"
    );
}

#[test]
fn show_draws_isolation() {
    assert_eq!(
        good(&["show", "isolation:3x4:queen", "--moves", "a1 c3 b2"]),
        "\
isolation:3x4:queen

     a b c d
   1 x . . .
   2 . 1 . .
   3 . . 2 .

1 is player 0, 2 is player 1; x and o are cells they left, # is removed

Player 1 to move. Legal moves: c1 c2 d2 a3 b3 d3
Position: x.../.1../..2. 1
"
    );
}

#[test]
fn show_says_who_won() {
    let finished = ["show", "kalah:2x2", "--position", "0 0 3 2 1 2 1"];
    assert!(good(&finished).contains("Game over: player 1 wins by 2."));
    assert!(good(&["show", "kalah:1x1", "--moves", "0"]).contains("Game over: a draw."));
    let stuck = ["show", "isolation:1x3:queen", "--position", "1x2 0"];
    assert!(good(&stuck).contains("Game over: player 1 wins."));
}

#[test]
fn show_prints_json_and_literals() {
    let json = good(&["show", "kalah:2x2", "--position", "0 0 3 2 1 2 1", "--json"]);
    assert!(
        json.contains(r#""over":true,"winner":1,"margin":-2"#),
        "{json}"
    );
    let moves = ["show", "kalah:6x4", "--moves", "2 5", "--kgp"];
    assert_eq!(good(&moves), "<6,0,2,5,5,5,5,4,4,4,4,0,5,5,0>\n");
}

#[test]
fn games_lists_every_rule() {
    let list = good(&["games"]);
    for rule in [
        "standard",
        "empty-capture",
        "pre-move-empty",
        "+majority",
        "trail",
        "classic",
        "queen",
        "knight",
    ] {
        assert!(list.contains(rule), "{rule}");
    }
}

#[test]
fn bad_games_are_refused() {
    for (game, reason) in [
        ("kalah:0x4", "from 1 to 12"),
        ("kalah:6x", "seeds is missing"),
        ("kalah:99x1", "more than 12"),
        ("kalah:6x4:russian", "unknown rule"),
        ("isolation:1x1", "at least 2 cells"),
        ("go", "unknown game"),
    ] {
        bad(&["perft", game, "--depth", "2"], reason);
        bad(&["show", game], reason);
    }
}

#[test]
fn bad_positions_are_refused() {
    let show = |position, reason| bad(&["show", "kalah:6x4", "--position", position], reason);
    show("4 4 4 4 4 4 0 4 4 4 4 4 0", "15 numbers");
    show("-4 4 4 4 4 4 8 4 4 4 4 4 4 0 0", "negative");
    show(
        "4 4 4 4 4 4 99999999999999999999 4 4 4 4 4 4 0 0",
        "more than",
    );
    show("4 4 4 4 4 4 1 4 4 4 4 4 4 0 0", "49 seeds");
    show("4 4 4 4 4 4 0 4 4 4 4 4 4 0 2", "0 or 1");
    let more = [
        "show",
        "kalah:6x4",
        "--position",
        "4 4 4 4 4 4 1 4 4 4 4 4 4 0 0",
        "--any-total",
    ];
    assert!(good(&more).contains("Player 0 to move"));
}

#[test]
fn illegal_moves_are_refused() {
    bad(
        &["show", "kalah:6x4", "--moves", "2 2"],
        "that pit is empty",
    );
    bad(&["show", "kalah:6x4", "--moves", "6"], "numbered 0 to 5");
    bad(&["show", "kalah:1x1", "--moves", "0 0"], "the game is over");
    bad(&["show", "kalah:6x4", "--moves", "-1"], "negative");
    bad(
        &["show", "isolation:3x3", "--moves", "b2"],
        "cannot go to b2",
    );
    bad(
        &["show", "isolation:3x3", "--moves", "pass"],
        "nowhere to go",
    );
}

#[test]
fn bad_arguments_are_refused_in_one_line() {
    bad(&["perft", "kalah"], "--depth");
    bad(&["perft", "kalah", "--depth", "0"], "1..=200");
    bad(&["perft", "kalah", "--depth", "999999999999"], "1..=200");
    bad(&["show", "kalah", "--foo"], "--foo");
    bad(&["shw"], "shw");
}

#[test]
fn help_has_examples() {
    for command in [
        "games", "show", "perft", "agents", "analyze", "eval", "nodes", "bench",
    ] {
        assert!(
            good(&[command, "--help"]).contains("Examples:"),
            "{command}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn no_text_makes_it_panic(
        game in "(kalah|isolation)(:[0-9]{1,2}x[0-9]{1,2})?(:[a-z+-]{0,12})?",
        position in proptest::option::of("[^\\x00]{0,40}"),
        moves in "[^\\x00]{0,20}",
    ) {
        let mut arguments = vec!["show", &game, "--moves", &moves];
        if let Some(position) = &position {
            arguments.extend(["--position", position]);
        }
        let (status, _, err) = kalahari(&arguments);
        prop_assert!(status == 0 || status == 2, "{err}");
        prop_assert!(err.lines().count() <= 1, "{err}");
    }
}

#[test]
fn eval_prints_one_value_per_pit() {
    assert_eq!(good(&["eval", "kalah", "--eval", "again"]), "7 1 1 1 1 1\n");
    let two = [
        "eval",
        "kalah:2x2",
        "--position",
        "0 3 1 1 1 2 0",
        "--eval",
        "stores",
    ];
    assert!(good(&two).starts_with("- "));
    let cells = json(&["eval", "isolation:3x3", "--eval", "mobility", "--json"]);
    assert_eq!(cells["moves"]["b1"], 0, "{cells}");
    bad(
        &["eval", "kalah", "--eval", "mobility"],
        "no evaluation 'mobility'",
    );
}

#[test]
fn nodes_are_counted() {
    let position = "0 2 3 2 1 13 17 11 0 2 9 0 0 12 0";
    let counts = json(&["nodes", position, "--depth", "8", "--json"]);
    assert_eq!(counts["minimax"], 139_078);
    assert_eq!(counts["alphabeta"], 9_342);
    let counts = json(&["nodes", position, "--depth", "10", "--json", "--no-minimax"]);
    assert_eq!(
        (&counts["minimax"], &counts["alphabeta"]),
        (&serde_json::Value::Null, &serde_json::json!(78_466))
    );
    bad(&["nodes", "1 2 3", "--depth", "3"], "3 numbers");
    bad(
        &["nodes", position, "--depth", "3", "--rule", "x"],
        "unknown rule",
    );
}

#[test]
fn nodes_reads_many_lines() {
    let input = "# two positions\n4 4 4 4 4 4 0 4 4 4 4 4 4 0 0\n\n6 6 6 6 6 6 0 0 7 7 7 7 7 1 1\n";
    let out = good_reading(&["nodes", "--depth", "2", "--json"], input);
    assert_eq!(out.lines().count(), 2);
}

#[test]
fn analyze_prints_json() {
    // Two seeds in play: 1 in pit 5 goes to the store and ends the game.
    let position = "0 0 0 0 0 1 23 0 0 0 0 0 1 23 0";
    let analysis = json(&["analyze", "kalah:6x4", "--position", position, "--json"]);
    assert_eq!(analysis["best"], 5);
    assert_eq!(analysis["value"], 0);
    assert_eq!(analysis["proven"], true);
    assert_eq!(analysis["unit"], "margin");
    assert_eq!(analysis["pv"], serde_json::json!([5]));
    assert_eq!(
        analysis["moves"],
        serde_json::json!([null, null, null, null, null, 0])
    );

    let over = json(&[
        "analyze",
        "kalah:2x2",
        "--position",
        "0 0 3 2 1 2 1",
        "--json",
    ]);
    assert_eq!(
        (&over["best"], &over["value"]),
        (&serde_json::Value::Null, &serde_json::json!(2))
    );
    assert_eq!(over["moves"], serde_json::json!([null, null]));
    assert_eq!(over["pv"], serde_json::json!([]));

    let small = json(&["analyze", "isolation:3x3:queen", "--json"]);
    assert_eq!(
        (&small["value"], &small["unit"]),
        (&serde_json::json!(1), &serde_json::json!("result"))
    );
    assert_eq!(small["moves"].as_object().expect("an object").len(), 9);
}

#[test]
fn agents_agree_at_a_depth() {
    let value = |agent: &str| {
        let analysis = json(&[
            "analyze",
            "kalah:6x5",
            "--agent",
            agent,
            "--depth",
            "6",
            "--json",
        ]);
        (analysis["value"].clone(), analysis["moves"].clone())
    };
    for eval in ["stores", "weighted", "again", "kalahari", "hash"] {
        let minimax = value(&format!("minimax:eval={eval}"));
        assert_eq!(value(&format!("alphabeta:eval={eval}")), minimax);
        assert_eq!(value(&format!("engine:exact-depth=1,eval={eval}")), minimax);
    }
}

#[test]
fn analyze_reads_many_positions() {
    let engine = "engine:depth=4";
    let arguments = [
        "analyze",
        "kalah:2x2",
        "--positions",
        "-",
        "--agent",
        engine,
    ];
    let input = "2 2 0 2 2 0 0\n0 0 3 2 1 2 1\n1 1 1 2 2 1 1\n";
    let out = good_reading(&arguments, input);
    assert_eq!(out.lines().count(), 3);
    assert!(out.lines().all(|line| line.starts_with('{')));
}

#[test]
fn bad_agents_are_refused() {
    let analyze = |agent, reason| bad(&["analyze", "kalah", "--agent", agent], reason);
    analyze("genius", "no agent 'genius'");
    analyze("", "name is missing");
    analyze("level:13", "level:0 to level:12");
    analyze("level", "level:0 to level:12");
    analyze("engine:depth=x", "depth=x");
    analyze("engine:depth=0", "from 1 to 1000");
    analyze("engine:tme=1s", "unknown option 'tme'");
    analyze("engine:time=5", "not a time");
    analyze("engine:eval=phased", "no evaluation 'phased'");
    analyze("mcts:alpha=2", "from 0 to 1");
    analyze("mcts:playout=odd", "random, greedy or cut:K");
    analyze("alphabeta:depth=2,depth=3", "twice");
    bad(&["analyze", "kalah", "--time", "5"], "not a time");
}

#[test]
fn mcts_and_levels_analyze() {
    let analysis = json(&[
        "analyze",
        "kalah",
        "--agent",
        "mcts:playouts=2000",
        "--json",
    ]);
    assert_eq!(analysis["unit"], "winshare");
    assert_eq!(analysis["nodes"], 2_000);
    let again = json(&[
        "analyze",
        "kalah",
        "--agent",
        "mcts:playouts=2000",
        "--json",
    ]);
    assert_eq!(
        analysis["moves"], again["moves"],
        "the same seed, the same playouts"
    );
    json(&["analyze", "isolation", "--agent", "level:3", "--json"]);
    json(&["analyze", "kalah", "--agent", "level:0", "--json"]);
}

#[test]
fn agents_are_listed() {
    let list = good(&["agents"]);
    for name in [
        "random",
        "level",
        "minimax",
        "alphabeta",
        "mcts",
        "engine",
        "kalahari",
        "phased",
        "seed000",
        "seed001",
        "seed002",
        "seed003",
        "seed004",
    ] {
        assert!(list.contains(name), "{name}");
    }
}

#[test]
fn bad_lines_are_named() {
    let run = |input: Vec<u8>| {
        let arguments = ["analyze", "kalah:2x2", "--positions", "-", "--depth", "2"];
        let (status, _, err) = kalahari_reading(&arguments, input);
        assert_eq!((status, err.lines().count()), (2, 1), "{err}");
        err
    };
    assert!(run(b"2 2 0 2 2 0 0\n2 2 0 2 2 0 5\n".to_vec()).contains("line 2"));
    assert!(run(vec![b'1'; 1 << 20]).contains("longer than"));
    assert!(run(vec![0xff, 0xfe, b'\n']).contains("cannot be read"));
}

#[test]
fn solve_prints_json() {
    let out = good(&["solve", "kalah:2x2", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["value"], -2);
    assert_eq!(report["proven"], true);
    assert_eq!(report["unit"], "margin");
    assert_eq!(report["game"], "kalah:2x2:standard");
    assert_eq!(report["moves"].as_array().map(Vec::len), Some(2));
    let over = good(&[
        "solve",
        "kalah:2x2",
        "--position",
        "0 0 5 0 0 3 1",
        "--json",
    ]);
    let report: serde_json::Value = serde_json::from_str(&over).expect("JSON");
    assert_eq!(report["value"], -2);
    assert_eq!(report["pv"], serde_json::json!([]));
    assert_eq!(report["moves"], serde_json::json!([null, null]));
    assert!(report["best"].is_null());
    let trail = good(&["solve", "isolation:3x3", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&trail).expect("JSON");
    assert_eq!(report["value"], 1);
    assert_eq!(report["moves"]["b1"], 1);
}

#[test]
fn solve_reads_many_positions() {
    let arguments = ["solve", "kalah:2x2", "--positions", "-"];
    let (_, text, _) = kalahari_reading(&arguments, "2 2 0 2 2 0 0\n\n0 0 5 0 0 3 1\n");
    let values: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["value"].clone())
        .collect();
    assert_eq!(values, [-2, -2]);
}

/// A bad line is found before the first position is solved, and named by its number in the file.
#[test]
fn solve_refuses_a_bad_line_before_any_work() {
    for (game, input) in [
        ("kalah:2x2", "2 2 0 2 2 0 0\n# a note\n\n1 2 3\n"),
        (
            "kalah:2x2",
            "2 2 0 2 2 0 0\n2 2 0 2 2 0 0\n\n9 9 9 9 9 9 0\n",
        ),
        ("isolation:3x3", "1../.../..2 0\n\n\nnonsense\n"),
    ] {
        let arguments = ["solve", game, "--positions", "-"];
        let (status, out, err) = kalahari_reading(&arguments, input);
        assert_eq!((status, out.as_str()), (2, ""), "{game}: {err}");
        assert!(err.contains("line 4"), "{err}");
    }
}

/// Positions with few seeds of a game with many take small tables; those for its start would take gigabytes and minutes.
#[test]
fn solve_sizes_its_tables_to_the_positions() {
    let input = "0 0 2 0 1 3 30 1 0 0 4 0 1 30 0\n1 2 2 0 1 3 26 1 0 3 4 2 1 26 1\n";
    let out = good_reading(&["solve", "kalah:6x6", "--positions", "-"], input);
    assert_eq!(out.lines().count(), 2);
    for line in out.lines() {
        let report: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(report["proven"], true);
        assert!(report["tablebase_seeds"].as_u64() < Some(12), "{report}");
    }
}

#[test]
fn solve_agrees_with_and_without_the_book() {
    let home = tempfile::tempdir().expect("a folder");
    let solve = |more: &[&str]| -> serde_json::Value {
        let output = assert_cmd::Command::new(PROGRAM)
            .args(["solve", "kalah:4x3", "--json"])
            .args(more)
            .env("KALAHARI_HOME", home.path())
            .output()
            .expect("the program runs");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    assert_eq!(solve(&[])["source"], "solver");
    let built = assert_cmd::Command::new(PROGRAM)
        .args(["book", "build", "kalah:4x3", "--plies", "3"])
        .env("KALAHARI_HOME", home.path())
        .output()
        .expect("the program runs");
    assert!(built.status.success());
    let (known, anew) = (solve(&[]), solve(&["--no-book"]));
    assert_eq!(known["source"], "book");
    assert_eq!(known["nodes"], 0);
    assert_eq!(anew["source"], "solver");
    for what in ["value", "moves", "lower", "upper", "unit", "proven"] {
        assert_eq!(known[what], anew[what], "{what}");
    }
    assert!(known["depth"].as_u64() < anew["depth"].as_u64());
}

#[test]
fn tablebase_refuses_what_it_cannot_do() {
    bad(
        &["tablebase", "build", "kalah:7", "--seeds", "5"],
        "1 to 6 pits",
    );
    bad(&["tablebase", "build", "kalah:6", "--seeds", "99"], "99");
    bad(
        &["tablebase", "info", "kalah:6", "--file", "/no/such/file"],
        "no such tablebase",
    );
    bad(&["solve", "kalah:2x2", "--memory", "lots"], "bad size");
    bad(&["solve", "kalah:2x2", "--position", "1 2"], "numbers");
}

#[test]
fn a_build_that_is_killed_leaves_a_whole_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("table");
    let path = file.to_str().expect("UTF-8");
    good(&[
        "tablebase",
        "build",
        "kalah:4",
        "--seeds",
        "10",
        "--file",
        path,
    ]);
    for pause in (0..120).step_by(8) {
        let mut child = spawn(&[
            "tablebase",
            "build",
            "kalah:4",
            "--seeds",
            "22",
            "--file",
            path,
            "--json",
        ]);
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().expect("killed or gone");
        child.wait().expect("gone");
        let info = good(&["tablebase", "info", "kalah:4", "--file", path, "--json"]);
        assert!(
            info.contains("\"seeds\":10") || info.contains("\"seeds\":22"),
            "{info}"
        );
    }
    good(&[
        "tablebase",
        "build",
        "kalah:4",
        "--seeds",
        "22",
        "--file",
        path,
    ]);
    good(&[
        "tablebase",
        "verify",
        "kalah:4",
        "--sample",
        "1000",
        "--file",
        path,
    ]);
}

#[test]
fn reproduce_prints_tables() {
    let page = good(&["reproduce", "--quick", "--only", "nodes,random"]);
    assert_eq!(page.matches("(exact)").count(), 24, "{page}");
    assert!(page.contains("| random - level 5 | 6x6 |"), "{page}");
}

#[test]
fn proven_values_come_with_tight_bounds() {
    let position = "0 2 1 1 0 0 2 1 1 0 0";
    let game = "kalah:4x1:empty-capture";
    let told = json(&["analyze", game, "--position", position, "--json"]);
    assert_eq!((&told["proven"], &told["value"]), (&true.into(), &0.into()));
    assert_eq!(told["bounds"], serde_json::json!([0, 0]));
    let bounds = serde_json::json!([null, [-4, -4], [-2, -2], [0, 0]]);
    assert_eq!(told["move_bounds"], bounds);
}

#[test]
fn an_analysis_without_nodes_says_so() {
    let out = good(&["analyze", "kalah:6x4", "--nodes", "0"]);
    assert!(out.contains("Nothing was searched"), "{out}");
    assert!(!out.contains("Best move"), "{out}");
    bad(
        &["analyze", "kalah:6x4", "--depth", "0"],
        "--depth <N>: 0 is not in",
    );
}
