//! One store used by many programs at once, and stores that were damaged.

use kalahari_arena::{
    ArenaError, GameRecord, MatchSpec, Openings, Rules, Run, Store, StoredMatch, run_match,
};
use kalahari_terms::Stop;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

fn spec(rng_seed: u64) -> MatchSpec {
    MatchSpec {
        agents: ["random", "level:1"].map(|agent| agent.parse().expect("an agent")),
        game: "kalah:3x2".parse().expect("a game"),
        openings: Openings::Random(2),
        rng_seed,
        rules: Rules::default(),
    }
}

fn play(file: &Path, rng_seed: u64, games: u32) -> Result<u32, ArenaError> {
    let mut store = Store::open(file)?;
    let run = Run {
        games,
        concurrency: 1,
        sprt: None,
        store: Some(&mut store),
        mix: false,
        cache: None,
        stop: &Stop::new(),
    };
    Ok(run_match(spec(rng_seed), run, &mut |_| {})?.played)
}

/// Everything that a store contains.
fn all(file: &Path) -> Result<Vec<(StoredMatch, Vec<GameRecord>)>, ArenaError> {
    let store = Store::open_existing(file)?;
    store.check()?;
    let matches = store.matches()?.into_iter();
    matches
        .map(|found| Ok((found.clone(), store.games(&found.id)?)))
        .collect()
}

#[test]
fn many_matches_at_one_store_wait_for_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    thread::scope(|scope| {
        let file = &file;
        // Two runs of each match: a game that both play is stored once.
        let runs: Vec<_> = (0..8)
            .map(|number| scope.spawn(move || play(file, number / 2, 40)))
            .collect();
        for run in runs {
            run.join().expect("no panic").expect("a match");
        }
    });
    let found = all(&file).expect("a store");
    assert_eq!(found.len(), 4);
    for (found, games) in found {
        assert_eq!((found.games, games.len()), (40, 40));
        assert!(
            (0..)
                .zip(&games)
                .all(|(number, game)| game.number == number)
        );
    }
}

#[test]
fn readers_do_not_wait_and_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    play(&file, 1, 4).expect("a match");
    let before = fs::read(&file).expect("there");
    let writer = rusqlite::Connection::open(&file).expect("a file");
    writer.execute_batch("BEGIN IMMEDIATE").expect("begun");
    let begin = Instant::now();
    assert_eq!(all(&file).expect("a store")[0].1.len(), 4);
    assert!(begin.elapsed() < Duration::from_secs(10));
    drop(writer);
    let mut store = Store::open_existing(&file).expect("a store");
    let game = store.matches().expect("matches")[0].id.clone();
    let game = store.games(&game).expect("games").remove(0);
    assert!(store.add(&game).is_err());
    drop(store);
    assert_eq!(fs::read(&file).expect("there"), before);
}

/// Single bits are changed all over the file: either everything is read as it was written, or reading fails.
#[test]
fn a_changed_bit_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    for rng_seed in 1..4 {
        play(&file, rng_seed, 10).expect("a match");
    }
    let whole = fs::read(&file).expect("there");
    let truth = all(&file).expect("a store");
    let damaged = folder.path().join("damaged.db");
    let mut refused = 0;
    // The step is odd, so that every bit of a byte gets its turn.
    for place in (0..8 * whole.len()).step_by((8 * whole.len() / 500) | 1) {
        let mut bytes = whole.clone();
        bytes[place / 8] ^= 1 << (place % 8);
        fs::write(&damaged, bytes).expect("written");
        match all(&damaged) {
            Ok(found) => assert_eq!(found, truth, "bit {place}"),
            Err(_) => refused += 1,
        }
        for left in ["damaged.db-wal", "damaged.db-shm"] {
            let _ = fs::remove_file(folder.path().join(left));
        }
    }
    assert!(refused > 30, "only {refused} were noticed");
}
