//! Ten thousand mutated inputs for every reader, in a few seconds. `scripts/fuzz` tries many more.

use kalahari_hostile::{Mutator, TARGETS, target_of};
use std::path::Path;

/// The number of inputs for each reader, unless `HOSTILE_INPUTS` says otherwise.
fn inputs() -> usize {
    let asked = std::env::var("HOSTILE_INPUTS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(10_000)
}

/// The good inputs of a reader: its folder in the corpus, and the inputs that the program generates.
fn good(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder.join(name))
        .map(|entries| {
            let entries = entries.map(|entry| entry.expect("a file").path());
            entries.collect()
        })
        .unwrap_or_default();
    // The same order on every machine.
    files.sort();
    let read = |file| std::fs::read(file).expect("an input");
    let mut good: Vec<Vec<u8>> = files.into_iter().map(read).collect();
    good.extend((target_of(name).expect("a reader").seeds)());
    good
}

fn throw_at(name: &str) {
    let target = target_of(name).expect("a reader");
    let good = good(name);
    assert!(!good.is_empty(), "{name}: no good input");
    good.iter().for_each(|input| (target.run)(input));
    let mut mutator = Mutator::new(good, 1);
    for _ in 0..inputs() {
        let input = mutator.next_input();
        let survived = std::panic::catch_unwind(|| (target.run)(&input));
        assert!(
            survived.is_ok(),
            "{name}: {:?}",
            String::from_utf8_lossy(&input)
        );
    }
}

macro_rules! readers {
    ($($test:ident: $name:literal),+ $(,)?) => {
        $(
            #[test]
            fn $test() {
                throw_at($name);
            }
        )+

        #[test]
        fn no_reader_is_left_out() {
            let tested = [$($name),+];
            assert_eq!(TARGETS.map(|target| target.name), tested);
        }
    };
}

readers! {
    games: "game",
    kalah_positions: "kalah-position",
    isolation_positions: "isolation-position",
    agents: "agent",
    commands_of_runners: "ugi-command",
    answers_of_engines: "ugi-answer",
    conversations: "ugi-session",
    lines_of_hosts_and_clients: "kgp",
    records: "record",
    flags: "flags",
    parameters: "parameters",
    specs_in_stores: "specs",
    puzzles: "puzzles",
    proofs: "proof",
    requests_and_frames: "wire",
    books: "book",
    tables: "table-files",
    nets: "net",
    shards: "shard",
    shards_of_text: "shard-csv",
    manifests: "manifest",
    trainings: "training",
    pieces_of_experiments: "pieces",
    names_of_a_server: "names",
    openings: "openings",
    weights_of_an_evaluation: "weights",
}
