//! Pieces of an opening book: joined in any order they are the book that one machine builds.

use crate::support::*;
use kalahari_exact::Watch;
use kalahari_exact::book::{Book, BookBuild, Walk};
use kalahari_exact::prover::{Prover, ProverOptions, TablebasePolicy};
use kalahari_games::AnyGame;
use kalahari_games::kalah::KalahSpec;
use kalahari_shards::{
    Frontier, MergeError, Merged, Place, Plan, Survey, Targets, Task, file_name, merge, survey,
};
use kalahari_terms::Stop;
use std::fs;
use std::path::{Path, PathBuf};

fn game() -> KalahSpec {
    "kalah:4x3".parse().expect("a game")
}

pub(crate) fn plan(plies: u32) -> Plan {
    let stop = Stop::new();
    let walk = Walk::of(game(), plies).expect("small");
    let frontier = Frontier::planned(&walk, None, TablebasePolicy::None, &hands(&stop));
    Plan::new([Task::Frontier(frontier.expect("planned"))]).expect("a plan")
}

/// The book as one machine builds it.
fn whole(path: &Path, plies: u32) -> Book {
    let walk = Walk::of(game(), plies).expect("small");
    let mut build = BookBuild::begin(walk, path).expect("begun");
    let mut prover = Prover::new(&AnyGame::new(game().into()), ProverOptions::without_files());
    let stop = Stop::new();
    let finished = build.run(&mut prover, 2, Watch::silent(&stop));
    assert!(finished.expect("solved"));
    build.finish().expect("written")
}

pub(crate) fn join(folders: &[PathBuf], book: &Path) -> Result<(Merged, Survey), MergeError> {
    let mut found = survey(folders).expect("a survey");
    let targets = Targets {
        book: Some(book),
        ..Targets::default()
    };
    let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ())?;
    Ok((merged, found))
}

#[test]
fn pieces_of_a_book_are_the_book() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let plan = plan(4);
    let alone = whole(&at("alone.book"), 4);
    assert!(plan.parts() > 100);
    let (book, progress) = (at("joined.book"), at("joined.book.progress"));
    // Some pieces first: the book is not written until the rest is there.
    for shard in [3, 0] {
        make_at(&plan, Place::new(shard, 4).expect("a place"), &at("a"));
    }
    let (merged, found) = join(&[at("a")], &book).expect("merged");
    assert_eq!((merged.shards, found.missing.len()), (2, 2));
    assert!(merged.positions == merged.new_positions && merged.positions < plan.parts());
    assert!(!book.exists() && progress.exists());
    for shard in [2, 1] {
        make_at(&plan, Place::new(shard, 4).expect("a place"), &at("b"));
    }
    let (merged, found) = join(&[at("b")], &book).expect("merged");
    assert_eq!((merged.shards, found.missing.len()), (2, 2));
    assert!(!progress.exists());
    assert_eq!(
        fs::read(&book).expect("a book"),
        fs::read(at("alone.book")).expect("a book")
    );
    // Merged again: everything is already known.
    let (merged, found) = join(&[at("b"), at("a")], &book).expect("merged");
    assert_eq!((merged.positions, merged.new_positions), (plan.parts(), 0));
    assert!(found.missing.is_empty() && found.refused.is_empty());
    assert_eq!(
        Book::open(&book, None).expect("a book").positions(),
        alone.positions()
    );
}

#[test]
fn impossible_values_are_refused_by_name() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let plan = plan(2);
    let places: Vec<Place> = Place::all(3).collect();
    for place in &places {
        make_at(&plan, *place, &at("a"));
    }
    let path = at("a").join(file_name(places[1]));
    let sound = fs::read_to_string(&path).expect("a piece");
    let begin = sound.find("{\"margin\":").expect("a finding") + "{\"margin\":".len();
    let end = begin + sound[begin..].find('}').expect("its end");
    let value: i32 = sound[begin..end].parse().expect("a margin");
    // Values that are too large, and one of the wrong parity for an even number of seeds.
    for wrong in [1000, i32::MIN, i32::MAX, value + 1] {
        let text = format!("{}{wrong}{}", &sound[..begin], &sound[end..]);
        let (lines, _) = text.rsplit_once("sha256 ").expect("a checksum");
        write_with_sum(&path, lines);
        let book = at(&format!("{wrong}.book"));
        let (merged, found) = join(&[at("a")], &book).expect("merged");
        assert_eq!((merged.shards, found.refused.len()), (2, 1), "{wrong}");
        let why = found.refused[0].why.to_string();
        assert!(
            why.starts_with(&path.display().to_string())
                && why.contains("is not a possible value of position"),
            "{why}"
        );
        assert_eq!(found.missing, [places[1]]);
        assert!(!book.exists());
    }
    // A possible value that contradicts the known one.
    fs::write(&path, &sound).expect("written");
    let book = at("right.book");
    join(&[at("a")], &book).expect("merged");
    let text = format!("{}{}{}", &sound[..begin], -value - 2, &sound[end..]);
    let (lines, _) = text.rsplit_once("sha256 ").expect("a checksum");
    write_with_sum(&path, lines);
    let (_, found) = join(&[at("a")], &book).expect("merged");
    assert_eq!(found.refused.len(), 1);
    // A deeper book is not replaced.
    whole(&at("further.book"), 4);
    let refused = join(&[at("a")], &at("further.book")).expect_err("refused");
    assert!(refused.to_string().contains("4 plies"), "{refused}");
    assert!(matches!(
        merge(
            &mut survey(&[at("a")]).expect("a survey"),
            Targets::default(),
            &Stop::new(),
            &mut |_| ()
        ),
        Err(MergeError::NoBook)
    ));
}
