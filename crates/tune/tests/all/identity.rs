//! Runs of a store: continued, begun anew if the program has changed, and mixed on request.

use kalahari_arena::{Identity, Openings, Rules};
use kalahari_terms::Stop;
use kalahari_tune::{Method, StoredSample, TuneResult, TuneRun, TuneSpec, TuneStore, run};

fn spec(games: u32) -> TuneSpec {
    TuneSpec {
        agent: "mcts:playouts=10".parse().expect("an agent"),
        space: "alpha=0..1".parse().expect("a box"),
        lines: Vec::new(),
        method: Method::Clop,
        opponents: vec!["random".parse().expect("an agent")],
        game: "kalah:3x2".parse().expect("a game"),
        openings: Openings::Random(1),
        rng_seed: 5,
        rules: Rules::default(),
        games,
    }
}

fn play(store: &mut TuneStore, games: u32, mix: bool) -> TuneResult {
    let stop = Stop::new();
    let how = TuneRun {
        concurrency: 1,
        store: Some(store),
        mix,
        cache: None,
        stop: &stop,
    };
    let spec = spec(games).checked(&Stop::new()).expect("a run");
    run(spec, how, &mut |_| {}).expect("a run")
}

#[test]
fn another_version_begins_a_new_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = TuneStore::open(&folder.path().join("tune.db")).expect("a store");
    let first = play(&mut store, 10, false);
    assert_eq!((first.samples, first.resumed), (5, 0));
    let more = play(&mut store, 20, false);
    assert_eq!((more.samples, more.resumed), (10, 5));
    assert!(more.notes.is_empty(), "{:?}", more.notes);

    let now = spec(10).identity().expect("an identity");
    let older = Identity {
        program: "0.0.1".to_owned(),
        ..now.clone()
    };
    let (id, note) = store.enter(&spec(10), &older, false).expect("a run");
    assert!(note.is_some_and(|note| note.contains("is 0.0.1") && note.contains("--mix")));
    assert_eq!(store.samples(id).expect("samples"), []);
    let (mixed, note) = store
        .enter(&spec(10), &Identity { search: 1, ..older }, true)
        .expect("a run");
    assert_eq!(mixed, id);
    assert!(note.is_some_and(|note| note.contains("search has changed")));
    // The run of this program is still there.
    assert_eq!(play(&mut store, 20, false).resumed, 10);
    assert_eq!(store.runs().expect("runs").len(), 2);
}

/// The tables as the first programs made them, with a run of one sample.
const OLD: &str = "
CREATE TABLE runs (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, method TEXT NOT NULL,
    space TEXT NOT NULL, game TEXT NOT NULL, opponents TEXT NOT NULL, lines TEXT NOT NULL, seed TEXT NOT NULL,
    games INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;
CREATE TABLE samples (run INTEGER NOT NULL REFERENCES runs, place INTEGER NOT NULL, number INTEGER NOT NULL,
    points TEXT NOT NULL, results TEXT NOT NULL, PRIMARY KEY (run, place), UNIQUE (run, number)) STRICT, WITHOUT ROWID;
INSERT INTO runs VALUES (1, 'clop alpha=0..1 | against random | mcts:playouts=10 | mcts:playouts=10 | kalah:3x2:standard | openings random:1 | seed 5 | each agent''s own | grace 200ms | adjudicate never',
    'mcts:playouts=10', 'clop', 'alpha=0..1', 'kalah:3x2:standard', 'random', '', '5', 2, 1700000000);
INSERT INTO samples VALUES (1, 0, 0, '0.5', 'WL');
PRAGMA application_id = 1262572629;
PRAGMA user_version = 1;
";

#[test]
fn an_older_store_is_read_and_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tune.db");
    let old = rusqlite::Connection::open(&file).expect("a file");
    old.execute_batch(OLD).expect("the old tables");
    drop(old);
    // Reading does not change the file.
    let before = std::fs::read(&file).expect("a file");
    let read = TuneStore::open_existing(&file).expect("an old store");
    assert_eq!(read.runs().expect("read").len(), 1);
    drop(read);
    assert_eq!(std::fs::read(&file).expect("a file"), before);
    let mut store = TuneStore::open(&file).expect("an old store");
    assert_eq!(store.runs().expect("runs")[0].samples, 1);
    let mixed = play(&mut store, 6, true);
    assert_eq!((mixed.samples, mixed.resumed), (3, 1));
    let anew = play(&mut store, 6, false);
    assert_eq!(anew.resumed, 0);
    assert!(anew.notes[0].starts_with("a new run begins after run 1"));
}

#[test]
fn a_second_process_at_one_run_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tune.db");
    let mut stores = [(); 2].map(|()| TuneStore::open(&file).expect("a store"));
    let identity = spec(10).identity().expect("an identity");
    let sample = StoredSample {
        number: 0,
        points: vec![vec![0.5]],
        results: vec![[1, 0, 1]],
    };
    let [first, second] = stores.each_mut().map(|store| {
        let (run, _) = store.enter(&spec(10), &identity, false).expect("a run");
        assert_eq!(store.samples(run).expect("samples"), []);
        (store, run)
    });
    first.0.add(first.1, 0, &sample).expect("the first");
    let error = second.0.add(second.1, 0, &sample).expect_err("the second");
    assert!(error.to_string().contains("another process"), "{error}");
    assert_eq!(second.0.samples(second.1).expect("samples"), [sample]);

    // A changed number is noticed.
    let other = rusqlite::Connection::open(&file).expect("a file");
    let change = "UPDATE samples SET points = '0.6'";
    other.execute_batch(change).expect("changed");
    let error = first.0.samples(first.1).expect_err("damaged");
    assert!(error.to_string().contains("damaged"), "{error}");
}
