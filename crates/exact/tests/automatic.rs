//! Automatic endgame tables: which process waits for which, which unfinished builds are continued, and which files are ignored.

use kalahari_exact::prover::{
    Maker, Notice, TablePolicy, automatic_seeds, game_is_under_way, listen_to_notices,
    set_table_policy, table_before_play, table_for_play, table_in_use,
};
use kalahari_exact::tablebase::{TableSpec, Tablebase, table_path};
use kalahari_terms::Stop;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The notices about tables being built: the family, the maker and the percentage done.
static MAKING: Mutex<Vec<(TableSpec, Maker, Option<u8>)>> = Mutex::new(Vec::new());
/// The warnings.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn builds_tables() {
    set_table_policy(TablePolicy::Build);
    listen_to_notices(|notice| match notice {
        Notice::Making {
            table,
            maker,
            percent,
        } => MAKING
            .lock()
            .expect("whole")
            .push((*table, *maker, *percent)),
        notice if notice.is_warning() => WARNINGS.lock().expect("whole").push(notice.to_string()),
        _ => {}
    });
}

fn told_of(family: TableSpec) -> Vec<(Maker, Option<u8>)> {
    let all = MAKING.lock().expect("whole");
    let of = all.iter().filter(|(table, _, _)| *table == family);
    of.map(|(_, maker, percent)| (*maker, *percent)).collect()
}

fn family(name: &str) -> TableSpec {
    name.parse().expect("a family")
}

fn make(home: &Path, family: TableSpec) {
    table_before_play(Some(home), family, &Stop::new());
    let used = table_in_use(Some(home), family).map(|(seeds, _)| seeds);
    assert_eq!(used, Some(automatic_seeds(family)));
}

#[test]
fn a_slow_builder_is_reported_and_not_waited_for() {
    builds_tables();
    let family = family("kalah:3");
    let home = tempfile::tempdir().expect("a folder");
    let path = table_path(home.path(), family);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    let lock = path.with_extension("building");
    fs::write(&lock, " 17").expect("written");
    let other = fs::File::open(&lock).expect("there");
    other.lock().expect("locked");
    make(home.path(), family);
    let told = told_of(family);
    assert_eq!(told.first(), Some(&(Maker::Another, Some(17))));
    assert!(told.contains(&(Maker::Here, Some(100))), "{told:?}");
    // The other process still holds its lock, but the table is there.
    assert!(path.exists() && lock.exists());
}

#[test]
fn the_unfinished_build_of_an_ended_program_is_continued() {
    builds_tables();
    let family = family("kalah:3:empty-capture");
    let home = tempfile::tempdir().expect("a folder");
    let path = table_path(home.path(), family);
    let part = path.with_extension("part");
    let most = automatic_seeds(family) - 2;
    let left = Tablebase::build(family, most, &Stop::new()).expect("built");
    left.save(&part).expect("saved");
    make(home.path(), family);
    // Only the rest had to be built.
    let first = told_of(family).into_iter().find_map(|(_, percent)| percent);
    assert!(first.is_some_and(|percent| percent > 50), "{first:?}");
    assert!(path.exists() && !part.exists());
    let whole = Tablebase::build(family, automatic_seeds(family), &Stop::new()).expect("built");
    let kept = Tablebase::open(&path, Some(family)).expect("whole");
    assert_eq!(kept.checksum(), whole.checksum());
}

#[test]
fn an_invalid_partial_table_is_built_anew() {
    builds_tables();
    let family = family("kalah:3:pre-move-empty");
    let home = tempfile::tempdir().expect("a folder");
    let part = table_path(home.path(), family).with_extension("part");
    fs::create_dir_all(part.parent().expect("a folder")).expect("made");
    fs::write(&part, "no table").expect("written");
    make(home.path(), family);
    assert!(!part.exists());
}

/// During a game the build takes half a minute. If the program ends before that, the finished levels are kept.
#[test]
fn a_build_beside_a_game_is_kept_level_by_level() {
    builds_tables();
    let family = family("kalah:4");
    let home = tempfile::tempdir().expect("a folder");
    let path = table_path(home.path(), family);
    game_is_under_way();
    let slot = table_for_play(Some(home.path()), family);
    let begin = Instant::now();
    while !path.with_extension("part").exists() {
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "nothing is kept"
        );
        assert!(
            slot.get().is_none() && !path.exists(),
            "the build was too fast to be beside a game"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let kept = Tablebase::open(&path.with_extension("part"), Some(family)).expect("whole");
    assert!(kept.seeds() > 0 && kept.seeds() < automatic_seeds(family));
}

#[test]
fn a_file_that_is_not_a_table_is_reported_once_and_ignored() {
    builds_tables();
    let family = family("kalah:2");
    let home = tempfile::tempdir().expect("a folder");
    let path = table_path(home.path(), family);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(&path, "no table").expect("written");
    make(home.path(), family);
    assert!(table_for_play(Some(home.path()), family).get().is_some());
    let name = path.display().to_string();
    let warnings = WARNINGS.lock().expect("whole");
    let about: Vec<_> = warnings
        .iter()
        .filter(|text| text.contains(&name))
        .collect();
    assert_eq!(about.len(), 1, "{warnings:?}");
    assert!(
        about[0].contains("`kalahari tablebase delete kalah:2:standard`"),
        "{about:?}"
    );
    assert_eq!(fs::read(&path).expect("there"), b"no table");
}

/// Puts a damaged table in place and returns whether a new one replaces it.
fn is_replaced(family: TableSpec, bytes: &[u8]) -> bool {
    let home = tempfile::tempdir().expect("a folder");
    let path = table_path(home.path(), family);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(&path, bytes).expect("written");
    make(home.path(), family);
    let name = path.display().to_string();
    let warnings = WARNINGS.lock().expect("whole");
    let about: Vec<_> = warnings
        .iter()
        .filter(|text| text.contains(&name))
        .collect();
    assert_eq!(about.len(), 1, "{warnings:?}");
    let left = fs::read(&path).expect("there");
    match left == bytes {
        true => {
            assert!(about[0].contains("tablebase delete"), "{about:?}");
            false
        }
        false => {
            let whole = Tablebase::open(&path, Some(family)).expect("whole");
            assert_eq!(whole.seeds(), automatic_seeds(family));
            assert!(
                about[0].ends_with("a new one is built in its place"),
                "{about:?}"
            );
            let folder = fs::read_dir(path.parent().expect("a folder")).expect("read");
            assert_eq!(folder.count(), 1, "no lock and no draft is left");
            true
        }
    }
}

#[test]
fn a_damaged_table_is_replaced_unless_it_was_larger() {
    builds_tables();
    let family = family("kalah:2:empty-capture");
    let folder = tempfile::tempdir().expect("a folder");
    let bytes_of = |seeds| {
        let path = folder.path().join("table");
        let table = Tablebase::build(family, seeds, &Stop::new()).expect("built");
        table.save(&path).expect("saved");
        fs::read(&path).expect("there")
    };
    let flipped = |mut bytes: Vec<u8>, place: usize| {
        bytes[place] ^= 1;
        bytes
    };
    let own = bytes_of(automatic_seeds(family));
    for bad in [
        flipped(own.clone(), 20),
        flipped(own.clone(), own.len() / 2),
        flipped(own.clone(), own.len() - 1),
        own[..own.len() / 2].to_vec(),
        own[..5].to_vec(),
        Vec::new(),
    ] {
        assert!(is_replaced(family, &bad));
    }
    // A user asked for a table this large, and may have waited long for it.
    let larger = bytes_of(automatic_seeds(family) + 4);
    assert!(!is_replaced(family, &flipped(larger.clone(), 5000)));
    assert!(!is_replaced(family, &larger[..own.len() / 2]));
    // A file of another kind may belong to the user.
    assert!(!is_replaced(family, &flipped(own, 3)));
}
