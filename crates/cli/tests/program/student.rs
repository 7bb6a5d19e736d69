//! What a student with a bot does: check, match, edit, match again, a class tournament.
#![cfg(unix)]

use crate::support::PROGRAM;
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A bot as a course asks for it, with this choice among the legal pits.
fn bot(choice: &str) -> String {
    format!(
        "import time\n\
         class Node:\n    pass\n\
         class ai:\n\
         \x20   def __init__(self):\n        self.log = open('time.txt', 'a')\n\
         \x20   def move(self, a, b, a_fin, b_fin, t):\n\
         \x20       print('thinking')\n\
         \x20       legal = [i for i in range(len(a)) if a[i] > 0]\n\
         \x20       return {choice}\n"
    )
}

/// Runs the program in a folder: its exit status, standard output and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(PROGRAM)
        .args(arguments)
        .current_dir(folder)
        .env("KALAHARI_HOME", folder.join("home"))
        .env("KALAHARI_NO_TABLES", "1")
        .env("KALAHARI_CACHE", env!("CARGO_TARGET_TMPDIR"))
        .timeout(Duration::from_secs(600))
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let status = output.status.code().expect("an exit status, not a signal");
    (status, text(output.stdout), text(output.stderr))
}

fn good(folder: &Path, arguments: &[&str]) -> String {
    let (status, out, err) = run(folder, arguments);
    assert_eq!(status, 0, "{arguments:?}: {out}{err}");
    out
}

/// The command that a message names after `word`, split into words.
fn next(text: &str, word: &str) -> Vec<String> {
    let place = text.find(word).unwrap_or_else(|| panic!("{word}: {text}"));
    let line = text[place + word.len()..]
        .lines()
        .next()
        .unwrap_or_default();
    let words = line.trim().strip_prefix("kalahari ").expect("a command");
    words.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_path_of_a_new_student() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let file = folder.join("mybot.py");
    fs::write(&file, bot("legal[0]")).expect("written");

    let checked = good(folder, &["check", "mybot.py"]);
    assert!(
        checked.starts_with("mybot (py:mybot.py), kalah:6x6:standard, 1s a move\n"),
        "{checked}"
    );
    assert!(!checked.contains("WRONG"), "{checked}");
    for words in [
        "first move",
        "against random",
        "one legal move",
        "extra turn",
        "asked twice",
        "memory",
    ] {
        assert!(checked.contains(words), "{words}: {checked}");
    }
    // Every message names the next command; nothing else is needed.
    let words = next(&checked, "Next: ");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let played = good(folder, &words);
    assert!(
        played.starts_with("Results of mybot vs level:2"),
        "{played}"
    );
    assert!(played.contains("20 games in"), "{played}");
    assert!(
        good(folder, &words).contains("20 games are from earlier runs"),
        "nothing has changed"
    );

    fs::write(&file, bot("legal[-1]")).expect("written");
    let edited = good(folder, &words);
    assert!(edited.contains("mybot.py has changed"), "{edited}");
    assert!(edited.contains("20 games in"), "new games: {edited}");
    for version in ["mybot v1 vs level:2", "mybot v2 vs level:2", "(now)"] {
        assert!(edited.contains(version), "both versions: {edited}");
    }
    let listed = good(folder, &["records", "list", "--db", "games.db"]);
    assert_eq!(listed.matches("mybot vs level:2").count(), 2, "{listed}");
    assert!(!folder.join("time.txt").exists());
}

#[test]
fn a_class_of_eight_with_two_broken_bots() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let written = good(folder, &["init", "class-tournament"]);
    assert!(written.contains("bots"), "{written}");
    let (status, _, err) = run(folder, &["init", "class-tournament"]);
    assert_eq!(status, 2, "{err}");
    let dry = next(&written, "Then: ");
    let dry: Vec<&str> = dry.iter().map(String::as_str).collect();
    let (status, out, err) = run(folder, &dry);
    assert_eq!(status, 2, "there are no bots yet: {out}");
    assert!(err.contains("bots"), "{err}");

    for (name, choice) in [
        ("anna.py", "legal[0]"),
        ("bert.py", "legal[-1]"),
        ("carl.py", "max(legal, key=lambda i: a[i])"),
        ("dora.py", "min(legal, key=lambda i: a[i])"),
        ("emil/ai.py", "legal[len(legal) // 2]"),
        ("fred/ai.py", "str(legal[0])"),
        ("gina.py", "undefined_name"),
    ] {
        let file = folder.join("bots").join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, bot(choice)).expect("written");
    }
    fs::write(
        folder.join("bots/hugo.py"),
        "def move(state)\n    return 0\n",
    )
    .expect("written");
    // A shorter one: fewer games.
    let toml = folder.join("class-tournament.toml");
    let text = fs::read_to_string(&toml)
        .expect("there")
        .replace("games = 10", "games = 2");
    // Fewer starts of Python.
    let text = text.replace("schedule = \"round-robin\"", "schedule = \"gauntlet\"");
    let text = text
        .replace("balanced:6", "random:4")
        .replace("seed = 1\n", "seed = 1\nconcurrency = 1\n");
    fs::write(&toml, text.clone()).expect("written");

    let told = good(folder, &dry);
    for words in [
        "emil (py:bots/emil/ai.py)",
        "7 meetings of 2 games: 14 games",
        "Nothing was played",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let ran = good(folder, &["run", "class-tournament.toml"]);
    for words in [
        "gauntlet of 8 agents",
        "Left out: gina (py:bots/gina.py): ",
        "NameError",
        "Left out: hugo (py:bots/hugo.py): ",
        "SyntaxError",
        "Results are in results",
    ] {
        assert!(ran.contains(words), "{words}: {ran}");
    }
    for file in [
        "1-tournament.txt",
        "1-tournament.csv",
        "experiment.toml",
        "report/index.html",
    ] {
        assert!(folder.join("results").join(file).exists(), "{file}");
    }
    let json = fs::read_to_string(folder.join("results/1-tournament.json")).expect("there");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["origin"]["experiment"], text);
    assert_eq!(json["origin"]["program"], env!("CARGO_PKG_VERSION"));
    assert!(
        json["origin"]["machine"]
            .as_str()
            .is_some_and(|words| words.contains("core"))
    );
    assert_eq!(json["result"]["left_out"].as_array().map(Vec::len), Some(2));
    let page = fs::read_to_string(folder.join("results/report/index.html")).expect("there");
    for words in ["Our class", "kalahari 0.", "random:4", "emil"] {
        assert!(page.contains(words), "{words} is on the page");
    }
    // From another folder it is the same experiment, and nothing is left to play.
    let above = folder.parent().expect("a folder");
    let toml = toml.to_str().expect("UTF-8");
    let again = good(above, &["run", toml, "--json"]);
    let again: Value = serde_json::from_str(again.lines().next().expect("a line")).expect("JSON");
    assert_eq!(again["standings"].as_array().map(Vec::len), Some(8));
}

#[test]
fn a_check_says_what_is_wrong() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    for (source, words) in [
        (
            bot("legal[0] if a_fin < 3 else 17"),
            "it made an illegal move",
        ),
        (bot("legal[1]"), "IndexError"),
        (bot("time.sleep(0.5) or legal[0]"), "it was late"),
        ("import nothing_there\n".to_owned(), "ModuleNotFoundError"),
    ] {
        fs::write(folder.join("bad.py"), source).expect("written");
        let arguments = [
            "check",
            "bad.py",
            "--game",
            "kalah:6x4",
            "--time",
            "100ms",
            "--for",
            "10s",
        ];
        let (status, out, err) = run(folder, &arguments);
        assert_eq!(status, 1, "{out}{err}");
        assert!(
            out.contains("WRONG") && out.contains(words),
            "{words}: {out}"
        );
        assert!(
            err.contains("bad would lose games through its own fault"),
            "{err}"
        );
        assert!(out.contains("kalahari check bad.py"), "{out}");
        // The fault comes first, and no line is called good beside it.
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[1].starts_with("WRONG"), "{out}");
        assert!(!lines.iter().any(|line| line.starts_with("good")), "{out}");
    }
    let (status, _, err) = run(folder, &["check", "missing.py"]);
    assert_eq!(status, 2);
    let full = folder.canonicalize().expect("a path").join("missing.py");
    assert!(
        err.contains(&format!("there is no file {}", full.display())),
        "{err}"
    );
    let late = ["match", "bad.py", "random", "--time", "100ms"];
    fs::write(folder.join("bad.py"), bot("time.sleep(2) or legal[0]")).expect("written");
    let (status, _, err) = run(folder, &late);
    assert_eq!(status, 2);
    assert!(err.contains("try --time 5s"), "{err}");
    // A match that never began leaves no store behind.
    let kept = [&late[..], &["--db", "none.db"]].concat();
    assert_eq!(run(folder, &kept).0, 2);
    let kept = ["match", "gone.py", "random", "--db", "none.db"];
    assert_eq!(run(folder, &kept).0, 2);
    assert!(!folder.join("none.db").exists());
    let (status, _, err) = run(folder, &["review"]);
    assert_eq!(status, 2);
    assert!(err.contains("--db games.db"), "{err}");
    let json = ["check", "level:1", "--game", "kalah:4x3", "--json"];
    let json: Value = serde_json::from_str(&good(folder, &json)).expect("JSON");
    assert_eq!(
        (&json["can_play"], &json["won"]),
        (&Value::Bool(true), &json["won"])
    );
}

#[test]
fn a_folder_may_be_a_bot_and_gives_it_its_name() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    for name in ["bots/bob/ai.py", "bots/eve/main.py"] {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, bot("legal[0]")).expect("written");
    }
    let quick = ["--game", "kalah:4x3", "--for", "1s"];
    let checked = good(folder, &[&["check", "bots/bob"], &quick[..]].concat());
    assert!(checked.starts_with("bob (py:bots/bob/ai.py)"), "{checked}");
    let games = ["--game", "kalah:4x3", "--games", "2"];
    for (agents, names) in [
        (["bots/bob", "bots/eve"], "Results of bob vs eve"),
        (["bots/bob", "random"], "Results of bob vs random"),
        (["x=bots/bob", "bots/eve/main.py"], "Results of x vs eve"),
    ] {
        let played = good(folder, &[&["match"], &agents[..], &games[..]].concat());
        assert!(played.starts_with(names), "{played}");
    }
    for bots in [&["bots"][..], &["bots/bob", "bots/eve"]] {
        let table = [&["tournament"], bots, &games[..], &["--csv"]].concat();
        let table = good(folder, &table);
        assert!(
            table.contains(",bob,") && table.contains(",eve,"),
            "{table}"
        );
    }
    // Several steps of the same kind, each with its own results.
    fs::write(
        folder.join("two.toml"),
        "game = \"kalah:4x3\"\ngames = 2\nout = \"found\"\ndb = \"two.db\"\n\
         [[match]]\nagents = [\"bots/bob\", \"random\"]\n\
         [[match]]\nagents = [\"bots/eve\", \"random\"]\n",
    )
    .expect("written");
    let out = good(folder, &["run", "two.toml"]);
    assert!(out.contains("Step 2 of 2"), "{out}");
    for (file, name) in [("found/1-match.txt", "bob"), ("found/2-match.txt", "eve")] {
        let kept = fs::read_to_string(folder.join(file)).expect("kept");
        assert!(kept.starts_with(&format!("Results of {name}")), "{kept}");
    }
}

#[test]
fn experiments_are_refused_by_name() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    for (text, words) in [
        (
            "[match]\nagents = ['level:1']\n",
            "x.toml: [match] needs two agents, such as agents = ",
        ),
        (
            "[match]\nagents = ['level:1', 'nobody']\n",
            "no agent 'nobody'",
        ),
        (
            "[match]\nagents = ['level:1', 'random']\ngames = 'many'\n",
            "many",
        ),
        (
            "[tournament]\nagents = ['level:1', 'random']\nschedule = 'none'\n",
            "schedules are",
        ),
        ("[nothing]\n", "there is no [nothing]"),
        ("[match\n", "TOML parse error at line 1"),
    ] {
        fs::write(folder.join("x.toml"), text).expect("written");
        let (status, out, err) = run(folder, &["run", "x.toml"]);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(
            err.contains(words) && err.lines().count() == 1,
            "{words}: {err}"
        );
    }
    let (status, _, err) = run(folder, &["run", "nothing.toml"]);
    assert_eq!(status, 2);
    assert!(err.contains("kalahari init"), "{err}");
}

#[test]
fn every_kind_of_step_runs() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let text = "
title = 'All of it'
game = 'kalah:4x2'
seed = 3
out = 'results'

[agents]
deep = 'level:3'
flat = 'level:1'

[match]
agents = ['deep', 'flat']
pairs = 3
openings = 'random:2'
db = 'games.db'

[tune]
agent = 'mcts:playouts=20'
params = 'alpha=0..1'
against = ['flat']
games = 4

[dataset]
out = 'rows'
from = 'random'
label = 'exact'
seeds = '2..6'
rows = 50
format = 'csv'

[prove]
value = true
journal = 'x.proof'

[book]
plies = 2
out = 'x.book'

[report]
db = 'games.db'
out = 'pictures'
";
    fs::write(folder.join("all.toml"), text).expect("written");
    let out = good(folder, &["run", "all.toml"]);
    for words in [
        "All of it\nStep 1 of 6: kalahari match ",
        "Results of deep vs flat",
        "Step 6 of 6",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    for file in [
        "results/1-match.json",
        "results/2-tune.json",
        "results/3-dataset.txt",
        "results/4-prove.json",
        "results/5-book.txt",
        "pictures/index.html",
        "rows",
        "x.book",
    ] {
        assert!(folder.join(file).exists(), "{file}");
    }
}

#[test]
fn results_beside_experiments_do_not_overwrite_them() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let text =
        "game = 'kalah:4x2'\nout = '.'\n[match]\nagents = ['level:1', 'random']\ngames = 2\n";
    fs::write(folder.join("experiment.toml"), "precious").expect("written");
    fs::write(folder.join("other.toml"), text).expect("written");
    good(folder, &["run", "other.toml"]);
    let kept = fs::read_to_string(folder.join("experiment.toml")).expect("there");
    assert_eq!(kept, "precious");
}
