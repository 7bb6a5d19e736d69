//! Damaged, foreign, forged or absurd files are refused by name, and the rest is joined.

use crate::support::*;
use kalahari_arena::Store;
use kalahari_shards::{
    Inspector, Machine, Place, Plan, ShardError, Source as File, Targets, Task, Work, file_name,
    make, merge, survey,
};
use kalahari_terms::Stop;
use std::fs;
use std::path::Path;

#[test]
fn what_is_not_sound_is_refused_by_name_and_made_again() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let plan = Plan::new([games_task(spec(), 12)]).expect("a plan");
    let places: Vec<Place> = Place::all(6).collect();
    for place in &places {
        make_at(&plan, *place, &at("a"));
    }
    let path = |place: usize| at("a").join(file_name(places[place]));
    // Truncated, changed, empty, and another kind of file.
    let good = fs::read(path(0)).expect("there");
    fs::write(path(0), &good[..good.len() - 30]).expect("written");
    let mut changed = fs::read(path(1)).expect("there");
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(path(1), changed).expect("written");
    fs::write(path(2), "").expect("written");
    fs::write(path(3), "something else").expect("written");
    // A piece of another experiment.
    let other = Plan::new([games_task(spec(), 14)]).expect("a plan");
    make_at(&other, Place::new(0, 7).expect("a place"), &at("a"));
    let (joined, found) = merged(&[at("a")], &at("merged.db"));
    assert_eq!((joined.shards, found.refused.len()), (2, 5));
    for name in [
        path(0),
        path(1),
        path(2),
        path(3),
        at("a").join(file_name(Place::new(0, 7).expect("a place"))),
    ] {
        let name = name.display().to_string();
        assert!(
            found
                .refused
                .iter()
                .any(|refused| refused.why.to_string().contains(&name)),
            "{name}"
        );
    }
    assert_eq!(found.missing, places[..4]);
    // A piece of another experiment may be finished work: the message must not advise deleting it.
    let words: Vec<String> = found
        .refused
        .iter()
        .map(|one| one.why.to_string())
        .collect();
    let foreign = words.iter().find(|why| why.contains(&other.id()));
    let foreign = foreign.expect("it says which experiment");
    assert!(
        foreign.contains("left alone") && !foreign.contains("delete"),
        "{foreign}"
    );
    // Damaged pieces are made again; foreign files are left alone.
    for place in &places[..3] {
        assert!(!make_at(&plan, *place, &at("a")));
    }
    let stop = Stop::new();
    let work = Work {
        inspector: &Inspector::new(&plan, []),
        source: &File::default(),
        machine: &Machine::this(None),
        place: places[3],
        folder: &at("a"),
        hands: &hands(&stop),
    };
    assert!(matches!(make(&work, &mut |_| ()), Err(ShardError::File(_))));
    // A valid piece under the name of another: the message says which one it is.
    let named = fs::read(path(3)).expect("there");
    fs::copy(path(5), path(3)).expect("copied");
    let misnamed = make(&work, &mut |_| ()).expect_err("refused").to_string();
    let words = "a copy of shard 5 of 6, not of shard 3 of 6; it is left as it is";
    assert!(misnamed.contains(words), "{misnamed}");
    fs::write(path(3), named).expect("written");
    let (_, found) = merged(&[at("a")], &at("merged.db"));
    assert_eq!(found.missing, [places[3]]);
    // The same where the other piece was valid, too.
    fs::copy(path(4), path(5)).expect("copied");
    let work = Work {
        place: places[5],
        ..work
    };
    let refused = make(&work, &mut |_| ()).expect_err("refused").to_string();
    assert!(
        refused.contains("shard 4 of 6") && refused.contains("shard 5 of 6"),
        "{refused}"
    );
}

#[test]
fn a_machine_with_other_files_makes_nothing() {
    let there = folder();
    let Task::Games(mut games) = games_task(spec(), 4) else {
        unreachable!("games");
    };
    games.identity.program = "0.0.0".to_owned();
    let plan = Plan::new([Task::Games(games)]).expect("a plan");
    let stop = Stop::new();
    let work = Work {
        inspector: &Inspector::new(&plan, []),
        source: &File::default(),
        machine: &Machine::this(None),
        place: Place::new(0, 1).expect("a place"),
        folder: there.path(),
        hands: &hands(&stop),
    };
    let refused = make(&work, &mut |_| ()).expect_err("refused");
    assert!(refused.to_string().contains("0.0.0"), "{refused}");
    assert_eq!(fs::read_dir(there.path()).expect("a folder").count(), 0);
}

/// Copies the pieces of a folder with their rows.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("copied")),
        }
    }
}

/// A second folder with an incomplete copy does not hide pieces of the first, in whichever order they are named.
#[test]
fn of_several_files_of_a_place_a_valid_one_is_used() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let plan = Plan::new([rows_task(100), games_task(spec(), 4)]).expect("a plan");
    let places: Vec<Place> = Place::all(7).collect();
    for place in &places {
        make_at(&plan, *place, &at("a"));
    }
    copy_folder(&at("a"), &at("b"));
    let rows = |number: u32| at("b").join(format!("rows-0/shard-{number:05}.parquet"));
    fs::remove_file(rows(0)).expect("removed");
    let bytes = fs::read(rows(1)).expect("there");
    fs::write(rows(1), &bytes[..bytes.len() / 2]).expect("written");
    fs::rename(rows(2), at("kept")).expect("renamed");
    fs::rename(rows(3), rows(2)).expect("renamed");
    fs::rename(at("kept"), rows(3)).expect("renamed");
    // A forged piece: all checksums are right, but a result is changed.
    craft(&at("b").join(file_name(places[6])), flipped);
    for (number, order) in [["a", "b"], ["b", "a"]].into_iter().enumerate() {
        let mut found = survey(&order.map(at)).expect("a survey");
        let mut store = Store::open(&at(&format!("{number}.db"))).expect("a store");
        let rows = at(&format!("rows-{number}"));
        let targets = Targets {
            store: Some(&mut store),
            rows: Some(&rows),
            ..Targets::default()
        };
        let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ()).expect("merged");
        assert_eq!((merged.shards, merged.rows, merged.games), (7, 100, 4));
        assert!(found.missing.is_empty() && found.doubled == 2);
        let refused = refusals(&found);
        assert_eq!(refused.len(), 5, "{refused:?}");
        for place in [0, 1, 2, 3, 6] {
            let name = at("b").join(file_name(places[place])).display().to_string();
            assert!(refused.iter().any(|why| why.starts_with(&name)), "{name}");
        }
    }
    // The incomplete copy alone: its invalid pieces are reported as missing before anything is joined.
    let found = survey(&[at("b")]).expect("a survey");
    assert_eq!(found.missing, places[..4]);
    assert_eq!((found.files.len(), found.refused.len()), (3, 4));
}

/// The lines of a piece with the result of one game reversed.
fn flipped(lines: &str) -> String {
    let (old, new) = match lines.contains("Result: 1-0") {
        true => ("Result: 1-0", "Result: 0-1"),
        false => ("Result: 0-1", "Result: 1-0"),
    };
    lines.replacen(old, new, 1)
}

/// A right checksum does not make a piece without content valid, nor one with a wrong result.
#[test]
fn crafted_pieces_are_refused_and_made_again() {
    let there = folder();
    let plan = Plan::new([games_task(spec(), 4), rows_task(40)]).expect("a plan");
    let places: Vec<Place> = Place::all(2).collect();
    for place in &places {
        make_at(&plan, *place, there.path());
    }
    let path = |place: usize| there.path().join(file_name(places[place]));
    let (games, rows) = (path(0), path(1));
    type Change = fn(&str) -> String;
    let no_games: Change = |lines| {
        let (head, _) = lines.split_once("kalahari-record").expect("games");
        head.replace(r#""games":4,"found""#, r#""games":0,"found""#)
    };
    let no_rows: Change = |lines| {
        let at = lines.rfind(r#""rows":["#).expect("rows");
        format!("{}\"rows\":[]}}\n", &lines[..at])
    };
    let one_row_file: Change = |lines| lines.replace(r#""number":1,"#, r#""number":0,"#);
    let not_over: Change = |lines| {
        let cut = lines.trim_end().rfind('\n').expect("moves");
        lines[..=cut].to_owned()
    };
    let by_time: Change = |lines| flipped(&lines.replacen("Ending: rules", "Ending: time", 1));
    let margin: Change = |lines| {
        let begin = lines.find("Margin: ").expect("a margin");
        format!("{}Margin: 1{}", &lines[..begin], &lines[begin + 8..])
    };
    let cases: [(&Path, Change); 7] = [
        (&games, no_games),
        (&games, flipped),
        (&games, not_over),
        (&games, by_time),
        (&games, margin),
        (&rows, no_rows),
        (&rows, one_row_file),
    ];
    for (number, (path, change)) in cases.into_iter().enumerate() {
        craft(path, change);
        let mut found = survey(&[there.path().to_owned()]).expect("a survey");
        let mut store = Store::open(&there.path().join("games.db")).expect("a store");
        let rows = there.path().join("merged");
        let targets = Targets {
            store: Some(&mut store),
            rows: Some(&rows),
            ..Targets::default()
        };
        let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ()).expect("merged");
        let refused = refusals(&found);
        assert_eq!((merged.shards, refused.len()), (1, 1), "{number}");
        let name = path.display().to_string();
        assert!(refused[0].starts_with(&name), "{number}: {refused:?}");
        // The advice in the message works: the piece is made again.
        assert!(!make_at(&plan, found.missing[0], there.path()), "{number}");
    }
}

/// A file whose plan has absurdly large numbers, with the right checksum.
#[test]
fn absurd_numbers_are_refused_at_once() {
    let there = folder();
    let plan = Plan::new([games_task(spec(), 2), rows_task(40)]).expect("a plan");
    let place = Place::new(0, 2).expect("a place");
    make_at(&plan, place, there.path());
    let path = there.path().join(file_name(place));
    let sound = fs::read_to_string(&path).expect("a piece");
    let (lines, _) = sound.rsplit_once("sha256 ").expect("a checksum");
    for (old, new) in [
        (r#""shards":2"#, r#""shards":4294967295"#),
        (r#""games":2}"#, r#""games":4294967295}"#),
        (r#""rows":40}"#, r#""rows":18446744073709551615}"#),
        (r#""rows_per_shard":20"#, r#""rows_per_shard":0"#),
    ] {
        assert!(lines.contains(old), "{old} in {lines}");
        let mut spoiled = lines.replacen(old, new, 1);
        if new.contains("rows_per_shard") {
            let (old, new) = (r#""rows":40}"#, r#""rows":18446744073709551615}"#);
            spoiled = spoiled.replacen(old, new, 1);
        }
        write_with_sum(&path, &spoiled);
        let read = kalahari_shards::PlaceFile::read_content(&path);
        assert!(read.is_err(), "{new}: {read:?}");
        let found = survey(&[there.path().to_owned()]).expect("a survey");
        assert!(found.missing.len() <= 2, "{new}");
    }
}

/// Counts that overflow, and records where there should be none.
#[test]
fn pieces_without_content_must_end_after_their_header() {
    let there = folder();
    let plan = Plan::new([rows_task(40), games_task(spec(), 2)]).expect("a plan");
    let places: Vec<Place> = Place::all(3).collect();
    for place in &places {
        make_at(&plan, *place, there.path());
    }
    let path = |place: usize| there.path().join(file_name(places[place]));
    let merge_all = || {
        let mut found = survey(&[there.path().to_owned()]).expect("a survey");
        let mut store = Store::open(&there.path().join("games.db")).expect("a store");
        let rows = there.path().join("merged");
        let targets = Targets {
            store: Some(&mut store),
            rows: Some(&rows),
            ..Targets::default()
        };
        let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ()).expect("merged");
        (merged.shards, refusals(&found))
    };
    // The first piece has rows only: a game after its header means that the file was edited.
    let games = fs::read_to_string(path(2)).expect("a piece");
    let (records, _) = games.rsplit_once("sha256 ").expect("a checksum");
    let records = &records[records.find("kalahari-record").expect("games")..];
    let sound = fs::read(path(0)).expect("a piece");
    for behind in [records, "something\n"] {
        craft(&path(0), |lines| format!("{lines}{behind}"));
        let (shards, refused) = merge_all();
        assert_eq!((shards, refused.len()), (2, 1), "{behind}: {refused:?}");
        fs::write(path(0), &sound).expect("written");
    }
    // A count of findings for a place that has none, and one so large that adding it to the games overflows.
    for found in ["1", "18446744073709551615"] {
        craft(&path(2), |lines| {
            lines.replacen(r#""found":0"#, &format!("\"found\":{found}"), 1)
        });
        let (shards, refused) = merge_all();
        assert_eq!((shards, refused.len()), (2, 1), "{found}: {refused:?}");
        fs::write(path(2), &games).expect("written");
    }
    assert_eq!(merge_all(), (3, Vec::new()));
}
