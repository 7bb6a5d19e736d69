//! Any number of pieces, joined in any order, give what one machine would have made.

use crate::support::*;
use kalahari_arena::{MatchSpec, Run, Store, run_match};
use kalahari_dataset::{Build, build};
use kalahari_shards::{MergeError, Place, Plan, Targets, Task, file_name, merge, survey};
use kalahari_terms::Stop;
use std::fs;
use std::sync::Arc;

#[test]
fn pieces_of_matches_are_the_whole() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let stop = Stop::new();
    let mut store = Store::open(&at("whole.db")).expect("a store");
    let other = MatchSpec {
        rng_seed: 6,
        ..spec()
    };
    for one in [spec(), other.clone()] {
        let run = Run {
            games: 21,
            concurrency: 1,
            sprt: None,
            store: Some(&mut store),
            mix: false,
            cache: None,
            stop: &stop,
        };
        run_match(one, run, &mut |_| ()).expect("played");
    }
    let plan = Plan::new([games_task(spec(), 21), games_task(other, 21)]).expect("a plan");
    assert_eq!(plan.parts(), 22);
    for shard in [3, 0, 4, 1] {
        let place = Place::new(shard, 5).expect("a place");
        assert!(!make_at(&plan, place, &at("a")));
        assert!(make_at(&plan, place, &at("a")), "it already exists");
    }
    let (first, found) = merged(&[at("a")], &at("merged.db"));
    assert_eq!(found.missing, [Place::new(2, 5).expect("a place")]);
    assert!(found.refused.is_empty() && first.shards == 4 && first.games == first.new_games);
    assert!(!make_at(
        &plan,
        Place::new(2, 5).expect("a place"),
        &at("b")
    ));
    // A second copy of one piece in another folder.
    let double = file_name(Place::new(0, 5).expect("a place"));
    fs::copy(at("a").join(&double), at("b").join(&double)).expect("copied");
    for _ in 0..2 {
        let (all, found) = merged(&[at("b"), at("a")], &at("merged.db"));
        assert!(found.missing.is_empty() && found.refused.is_empty());
        assert_eq!((found.doubled, all.shards, all.games), (1, 5, 42));
    }
    let whole = kept(&at("whole.db"));
    assert_eq!(whole.len(), 42);
    assert_eq!(kept(&at("merged.db")), whole);
}

#[test]
fn pieces_of_different_sizes_are_counted_apart() {
    let there = folder();
    let plan = Plan::new([games_task(spec(), 12)]).expect("a plan");
    for (shard, shards) in [(0, 3), (1, 3), (2, 3), (0, 2)] {
        let place = Place::new(shard, shards).expect("a place");
        make_at(&plan, place, there.path());
    }
    let found = survey(&[there.path().to_owned()]).expect("a survey");
    assert_eq!((found.shards(), found.counted(3)), (Some(3), (3, 1)));
    assert!(found.missing.is_empty());
    let (joined, _) = merged(&[there.path().to_owned()], &there.path().join("games.db"));
    assert_eq!((joined.new_games, joined.shards), (12, 4));
}

#[test]
fn pieces_of_a_dataset_are_the_whole() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let task = rows_task(130);
    let Task::Rows(rows) = &task else {
        unreachable!("rows");
    };
    let whole = Build {
        recipe: rows.recipe.clone(),
        folder: &at("whole"),
        rows: Some(130),
        store: None,
        threads: 1,
        mix: false,
    };
    let whole = build(&whole, &Stop::new(), Arc::new(|_| ())).expect("built");
    let plan = Plan::new([task.clone()]).expect("a plan");
    for place in Place::all(3) {
        make_at(&plan, place, &at("a"));
        assert!(make_at(&plan, place, &at("a")));
    }
    let merge_all = || {
        let mut found = survey(&[at("a")]).expect("a survey");
        let folder = at("merged");
        let targets = Targets {
            rows: Some(&folder),
            ..Targets::default()
        };
        let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ());
        merged.map(|merged| (merged, found))
    };
    let (merged, _) = merge_all().expect("merged");
    assert_eq!((merged.files, merged.rows), (7, 130));
    merge_all().expect("merged again");
    let joined = kalahari_dataset::Manifest::read(&at("merged")).expect("a manifest");
    assert_eq!(joined, whole);
    for entry in &whole.shards {
        let read = |folder: &str| fs::read(at(folder).join(&entry.file)).expect("there");
        assert_eq!(read("merged"), read("whole"));
    }
    // If a file of rows is damaged, its piece counts as missing, and is made again.
    let spoiled = at("a").join("rows-0").join(&whole.shards[3].file);
    fs::write(&spoiled, "spoiled").expect("written");
    fs::remove_dir_all(at("merged")).expect("removed");
    let (merged, found) = merge_all().expect("merged");
    assert_eq!(
        (merged.shards, found.refused.len(), found.missing.len()),
        (2, 1, 1)
    );
    assert!(!make_at(&plan, found.missing[0], &at("a")));
    let (merged, found) = merge_all().expect("merged");
    assert!(merged.rows == 130 && found.missing.is_empty());
}

#[test]
fn a_missing_target_is_an_error() {
    let there = folder();
    let plan = Plan::new([games_task(spec(), 4)]).expect("a plan");
    make_at(&plan, Place::new(0, 1).expect("a place"), there.path());
    let paths = [there.path().to_owned()];
    let none = Targets::default();
    let mut found = survey(&paths).expect("a survey");
    let refused = merge(&mut found, none, &Stop::new(), &mut |_| ());
    assert!(matches!(refused, Err(MergeError::NoStore)));
    assert!(Plan::new([]).is_err());
}
