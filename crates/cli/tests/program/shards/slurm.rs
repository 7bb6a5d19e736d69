//! The script for SLURM.

use super::place::{EXPERIMENT, Place};
use crate::support::{bad, good, kalahari};
use std::fs;
use std::process::Command;

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
