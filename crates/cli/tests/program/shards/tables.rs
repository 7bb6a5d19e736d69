//! The tables and books that a plan needs, on machines that have others or none.

use super::place::Place;
use crate::support::PROGRAM;
use std::fs;
use std::process::{Command, Stdio};

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
