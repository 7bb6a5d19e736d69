//! The tables and books that a plan needs, on machines that have others or none.

use super::place::Place;
use crate::support::PROGRAM;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A command on a machine with files of its own.
fn on(place: &Place, home: &str, arguments: &[&str]) -> Command {
    fs::create_dir_all(place.at(home)).expect("made");
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .env("KALAHARI_HOME", place.at(home))
        .env("KALAHARI_CACHE", place.at(home))
        .env_remove("KALAHARI_NO_TABLES")
        .stdin(Stdio::null());
    command
}

/// Runs a command on a machine with files of its own; it must succeed.
fn machine(place: &Place, home: &str, arguments: &[&str]) {
    let output = on(place, home, arguments).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// The files in a folder and below it, as paths from there.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => found.push(
                    path.strip_prefix(folder)
                        .expect("below")
                        .display()
                        .to_string(),
                ),
            }
        }
    }
    found.sort();
    found
}

const SMALL_MATCH: &str = r#"
game = "kalah:3x4"
openings = "random:2"
nodes = 100
db = "games.db"

[match]
agents = ["engine:hash=1", "level:2"]
pairs = 4
"#;

#[test]
fn a_machine_without_the_tables_of_a_plan_builds_them() {
    let place = Place::with(SMALL_MATCH);
    // The first machine has a table and makes the plan; the second has only the plan.
    let machine = |home: &str, arguments: &[&str]| machine(&place, home, arguments);
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

/// Engines use the opening books of their machine, so a machine without the book of the plan would play other games.
#[test]
fn a_machine_without_the_book_of_a_plan_builds_it() {
    let place = Place::with(SMALL_MATCH);
    machine(
        &place,
        "one",
        &["book", "build", "kalah:3x4", "--plies", "3"],
    );
    let (experiment, folder) = (place.name("experiment.toml"), place.name("shards"));
    for (home, shard) in [("one", "0"), ("two", "1")] {
        let words = ["run", &experiment, "--shards", "2", "--shard", shard];
        let place_of_shards = ["--out", &folder, "--threads", "1"];
        machine(&place, home, &[&words[..], &place_of_shards].concat());
    }
    let book = "books/kalah-3x4-standard.book";
    let read = |home: &str| fs::read(place.at(home).join(book)).expect("a book");
    assert!(read("one") == read("two"), "the books differ");
    let left = files(&place.at("two").join("books"));
    assert_eq!(left.len(), 1, "no lock and no draft is left: {left:?}");
    machine(
        &place,
        "one",
        &["merge", &folder, "--db", &place.name("games.db")],
    );
}

/// A machine has a table of its own that is smaller than the one that a proof was planned with. Two processes on it need the larger one at the same
/// time: it is built once, elsewhere, and the machine's own table stays.
#[test]
fn the_tables_of_a_machine_stay_as_they_are() {
    let place = Place::with(
        "[prove]\ngame = \"kalah:3x4\"\nat-least = 1\njournal = \"three.proof\"\njob-nodes = 50\njobs = 6\ntablebase = 9\n",
    );
    for (home, seeds) in [("one", "9"), ("two", "5")] {
        let build = ["tablebase", "build", "kalah:3", "--seeds", seeds];
        machine(&place, home, &build);
    }
    let table = "tablebases/kalah-3-standard.tablebase";
    let read = |home: &str, file: &str| fs::read(place.at(home).join(file)).expect("a table");
    let own = read("two", table);
    let (experiment, folder) = (place.name("experiment.toml"), place.name("shards"));
    let run = |home: &str, shard: &str| {
        let words = ["run", &experiment, "--shards", "3", "--shard", shard];
        let words = [&words[..], &["--out", &folder, "--threads", "1"]].concat();
        on(&place, home, &words).spawn().expect("the program runs")
    };
    let ends_well = |mut child: Child| child.wait().expect("it ends").success();
    assert!(ends_well(run("one", "0")));
    let both = ["1", "2"].map(|shard| run("two", shard));
    assert_eq!(both.map(ends_well), [true, true]);
    assert!(own == read("two", table), "its own table was changed");
    let built = format!("tables-of-shards/9/{table}");
    assert!(
        read("one", table) == read("two", &built),
        "the tables differ"
    );
    assert_eq!(files(&place.at("two")), [table, &built]);
    let journal = place.name("three.proof");
    machine(&place, "one", &["merge", &folder, "--journal", &journal]);
}
