//! Opening books checked against a full negamax, and their files against all kinds of damage.

use kalahari_exact::Watch;
use kalahari_exact::book::{Book, BookBuild, Walk, verify};
use kalahari_exact::prover::{Prover, ProverOptions, TableMemory, TablebasePolicy};
use kalahari_games::kalah::{CaptureRule, Kalah, KalahSpec, Packed, Wide};
use kalahari_games::{AnyGame, Game};
use kalahari_oracle::{ArrayKalah, KalahNegamax};
use kalahari_storage::{Damage, Trouble};
use kalahari_terms::Stop;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

fn spec(name: &str) -> KalahSpec {
    name.parse().expect("a game")
}

fn prover(game: KalahSpec) -> Prover {
    let options = ProverOptions {
        memory: TableMemory::Bytes(1 << 20),
        tablebase: TablebasePolicy::None,
        ..ProverOptions::without_files()
    };
    Prover::new(&AnyGame::new(game.into()), options)
}

fn begin(name: &str, plies: u32, path: &Path) -> BookBuild {
    let walk = Walk::of(spec(name), plies).expect("small");
    BookBuild::begin(walk, path).expect("begun")
}

fn build(name: &str, plies: u32, path: &Path) -> Book {
    let mut build = begin(name, plies, path);
    let done = build.run(&mut prover(spec(name)), 2, Watch::silent(&Stop::new()));
    assert!(done.expect("room on the disk"));
    build.finish().expect("written")
}

/// Visits every position within `plies` plies, known to the book or not, by walking the tree itself.
fn each_position(game: &Kalah<Packed>, at: Packed, plies: u32, each: &mut impl FnMut(Packed, u32)) {
    if game.is_over(&at) {
        return;
    }
    each(at, plies);
    if plies > 0 {
        for pit in game.moves(&at) {
            each_position(game, game.play_unchecked(&at, pit), plies - 1, each);
        }
    }
}

#[test]
fn every_position_and_move_has_the_value_of_a_plain_negamax() {
    let directory = tempfile::tempdir().expect("a directory");
    for rule in CaptureRule::ALL {
        for (pits, seeds, plies) in [(2, 3, 3), (3, 2, 4), (1, 5, 9), (4, 2, 2)] {
            let spec = KalahSpec::new(pits, seeds, rule).expect("a game");
            let path = directory.path().join(format!("{spec}"));
            let book = build(&spec.to_string(), plies, &path);
            let game = Kalah::<Packed>::new(spec).expect("fits");
            let wide = Kalah::<Wide>::wide(spec);
            let mut oracle = KalahNegamax::default();
            let mut met = std::collections::HashSet::new();
            each_position(&game, game.start(), plies, &mut |position, left| {
                let setup = game.setup(&position);
                let array = ArrayKalah::from_setup(spec, &setup);
                let expected = oracle.final_margin(&array);
                let text = game.position_text(&position);
                assert_eq!(
                    book.final_margin(&game, &position),
                    Some(expected),
                    "{text}"
                );
                let twin = wide.position(&setup).expect("the same game");
                assert_eq!(book.final_margin(&wide, &twin), Some(expected), "{text}");
                met.insert(game.rank(&position));
                let moves = book.moves(&game, &position);
                assert!(moves.is_some() || left == 0, "{text}");
                for (pit, value) in moves.into_iter().flatten() {
                    assert_eq!(value, oracle.margin_of_move(&array, pit.index()), "{text}");
                }
            });
            assert_eq!(met.len(), book.positions());
        }
    }
}

#[test]
fn a_book_knows_only_its_own_family() {
    let directory = tempfile::tempdir().expect("a directory");
    let book = build("kalah:3x2", 2, &directory.path().join("three.book"));
    let ask = |name: &str| {
        let game = Kalah::<Packed>::new(spec(name)).expect("fits");
        book.future_margin(&game, &game.start())
    };
    assert!(ask("kalah:3x2").is_some() && ask("kalah:3x2:standard+majority").is_some());
    assert_eq!(ask("kalah:3x2:empty-capture"), None);
    assert_eq!(ask("kalah:3x3"), None);
    assert_eq!(ask("kalah:4x2"), None);
}

#[test]
fn files_round_trip_and_verify() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("deep").join("four.book");
    let built = build("kalah:4x2", 4, &path);
    assert!(!progress_file(&path).exists());
    let read = Book::open(&path, Some(spec("kalah:4x2"))).expect("whole");
    assert_eq!(read.to_bytes(), built.to_bytes());
    assert_eq!((read.plies(), read.positions()), (4, built.positions()));
    let all = built.positions() as u64;
    let check = |book: &Book, sample| {
        let mut prover = prover(spec("kalah:4x2"));
        verify(book, &mut prover, sample, 1, Watch::silent(&Stop::new()))
    };
    assert_eq!(check(&read, None).expect("right"), all);
    assert_eq!(check(&read, Some(7)).expect("right"), 7);
    assert_eq!(check(&read, Some(10 * all)).expect("right"), all);

    // What a bug in the builder would look like: the checksums are right, a value is not.
    let mut bytes = fs::read(&path).expect("there");
    let values = bytes.len() - 4 - frontier("kalah:4x2", 4)..bytes.len() - 4;
    bytes[values.start] ^= 1;
    let checksum = crc32fast::hash(&bytes[values]);
    let end = bytes.len() - 4;
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    let wrong = Book::read(&path, &bytes, None).expect("checksums are right");
    let error = check(&wrong, None).expect_err("found").to_string();
    assert!(error.contains("the solver"), "{error}");
}

fn frontier(name: &str, plies: u32) -> usize {
    Walk::of(spec(name), plies).expect("small").frontier().len()
}

fn progress_file(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.progress", path.display()))
}

fn is_length(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Damaged(Damage::Length { .. }))
}

fn refused(path: &Path, wanted: &str) -> Trouble {
    let error = Book::open(path, Some(spec(wanted))).expect_err("refused");
    assert!(error.to_string().contains("three.book"), "{error}");
    error.trouble
}

#[test]
fn bad_files_are_told_apart() {
    use Trouble::{Damaged, Foreign, Missing};
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("three.book");
    assert!(matches!(refused(&path, "kalah:3x3"), Missing));
    build("kalah:3x3", 3, &path);
    let whole = fs::read(&path).expect("there");
    for other in ["kalah:3x3:empty-capture", "kalah:3x4", "kalah:4x3"] {
        assert!(matches!(refused(&path, other), Foreign(_)), "{other}");
    }
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).expect("written");
        let trouble = refused(&path, "kalah:3x3");
        assert!(is_length(&trouble), "{length}: {trouble:?}");
    }
    fs::write(&path, [&whole[..], &[0]].concat()).expect("written");
    assert!(is_length(&refused(&path, "kalah:3x3")));
    for place in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[place] ^= 4;
        fs::write(&path, flipped).expect("written");
        match (place, refused(&path, "kalah:3x3")) {
            (0..8, Foreign(kalahari_storage::Foreign::Kind)) | (_, Damaged(_)) => {}
            (_, trouble) => panic!("{place}: {trouble:?}"),
        }
    }
}

#[test]
fn a_stopped_build_continues() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("four.book");
    let (name, plies) = ("kalah:4x2", 5);
    let all = frontier(name, plies);
    let mut first = begin(name, plies, &path);
    let (stop, solved) = (Stop::new(), AtomicUsize::new(0));
    let stop_after_a_third = |positions: u64| {
        if solved.fetch_add(positions as usize, Ordering::Relaxed) == all / 3 {
            stop.request();
        }
    };
    let watch = Watch {
        stop: &stop,
        done: &stop_after_a_third,
    };
    let done = first.run(&mut prover(spec(name)), 2, watch).expect("room");
    let left = first.left();
    assert!(!done && left < all && left > 0);
    // No other build may write at the same time.
    let walk = Walk::of(spec(name), plies).expect("small");
    let error = BookBuild::begin(walk, &path).expect_err("busy").to_string();
    assert!(error.contains("another build"), "{error}");
    drop(first);
    assert!(!path.exists());

    let second = begin(name, plies, &path);
    assert_eq!((second.left(), second.damaged_records()), (left, 0));
    drop(second);
    // A journal of another depth is neither used nor deleted.
    let walk = Walk::of(spec(name), plies - 1).expect("small");
    let error = BookBuild::begin(walk, &path).expect_err("foreign");
    assert!(matches!(error.trouble, Trouble::Foreign(_)), "{error}");
    let text = error.to_string();
    assert!(text.contains("with 5 plies, not of kalah:4x2"), "{text}");
    assert!(text.contains("delete it to start over"), "{text}");

    let book = build(name, plies, &path);
    let straight = build(name, plies, &directory.path().join("straight.book"));
    assert_eq!(book.to_bytes(), straight.to_bytes());
}

/// A process that dies while it writes leaves only the beginning of its data.
#[test]
fn a_journal_that_ends_anywhere_is_used_as_far_as_it_goes() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("three.book");
    let (name, plies) = ("kalah:3x2", 3);
    let mut whole = begin(name, plies, &path);
    assert!(
        whole
            .run(&mut prover(spec(name)), 1, Watch::silent(&Stop::new()))
            .expect("room")
    );
    drop(whole);
    let journal = fs::read(progress_file(&path)).expect("there");
    let all = frontier(name, plies);
    let head = journal.len() - 9 * all;
    let left_after = |bytes: &[u8]| {
        fs::write(progress_file(&path), bytes).expect("written");
        let build = begin(name, plies, &path);
        (build.left(), build.damaged_records())
    };
    for length in 0..=journal.len() {
        let records = length.saturating_sub(head);
        let torn = usize::from(records % 9 > 0);
        assert_eq!(left_after(&journal[..length]), (all - records / 9, torn));
        // The incomplete record is removed, so that the next record can be read.
        assert_eq!(begin(name, plies, &path).damaged_records(), 0);
    }
    for place in head..journal.len() {
        let mut flipped = journal.clone();
        flipped[place] ^= 16;
        assert_eq!(left_after(&flipped), (1, 1), "{place}");
    }
    let expected = build(name, plies, &directory.path().join("straight.book"));
    assert_eq!(build(name, plies, &path).to_bytes(), expected.to_bytes());
}
