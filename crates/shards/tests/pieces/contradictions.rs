//! Pieces that contradict each other, or the file that they are merged into: the later one is refused, and both are named.

use crate::books;
use crate::findings::{claims_task, reviews_of};
use crate::support::*;
use kalahari_prove::Journal;
use kalahari_shards::{
    Finding, Found, Judgements, Merged, Place, Plan, Survey, Targets, Task, file_name, inspect,
    merge, survey,
};
use kalahari_terms::Stop;
use std::fs;
use std::path::{Path, PathBuf};

fn place(shard: u32, shards: u32) -> Place {
    Place::new(shard, shards).expect("a place")
}

/// The refusals of a merge; asserts that `inspect` refuses the same.
fn refused(found: &Survey, folders: &[PathBuf]) -> Vec<String> {
    let mut looked = survey(folders).expect("a survey");
    inspect(&mut looked, &Stop::new()).expect("inspected");
    assert_eq!(refusals(&looked), refusals(found));
    refusals(found)
}

fn names_both(why: &str, one: &Path, other: &Path) {
    let [one, other] = [one, other].map(|path| path.display().to_string());
    assert!(
        why.starts_with(&one) && why.contains(&format!("contradicts {other}")),
        "{why}"
    );
    assert!(
        why.contains("one of the two is wrong") && !why.contains("damaged"),
        "{why}"
    );
}

/// Changes every finding of a piece that the change applies to, and corrects the checksum.
fn alter(path: &Path, change: impl Fn(&mut Finding) -> bool) {
    let mut changes = 0;
    craft(path, |lines| {
        let lines = lines
            .lines()
            .map(|line| match serde_json::from_str::<Found>(line) {
                Ok(mut found) => {
                    changes += usize::from(change(&mut found.finding));
                    serde_json::to_string(&found).expect("written") + "\n"
                }
                Err(_) => format!("{line}\n"),
            });
        lines.collect()
    });
    assert!(changes > 0);
}

#[test]
fn two_values_of_a_position() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let plan = books::plan(2);
    for place in [place(0, 1), place(1, 3)] {
        make_at(&plan, place, &at("a"));
    }
    let path = at("a").join(file_name(place(1, 3)));
    alter(&path, |finding| match finding {
        Finding::Margin(margin) => {
            *margin = if *margin > 0 {
                *margin - 2
            } else {
                *margin + 2
            };
            true
        }
        _ => false,
    });
    let (merged, found) = books::join(&[at("a")], &at("x.book")).expect("merged");
    let why = refused(&found, &[at("a")]);
    assert_eq!((merged.shards, why.len()), (1, 1), "{why:?}");
    names_both(&why[0], &path, &at("a").join(file_name(place(0, 1))));
    // If the wrong piece was merged first, the correct one contradicts the book.
    fs::create_dir(at("wrong")).expect("made");
    fs::copy(&path, at("wrong").join(file_name(place(1, 3)))).expect("copied");
    books::join(&[at("wrong")], &at("y.book")).expect("merged");
    make_at(&plan, place(0, 3), &at("wrong"));
    fs::remove_file(&path).expect("removed");
    let (merged, found) = books::join(&[at("a")], &at("y.book")).expect("merged");
    assert_eq!(merged.shards, 0);
    let honest = at("a").join(file_name(place(0, 1)));
    names_both(&refusals(&found)[0], &honest, &at("y.book"));
}

#[test]
fn two_answers_to_a_claim() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let (task, _) = claims_task(&at("plan.proof"), 12);
    let plan = Plan::new([task]).expect("a plan");
    let join = |folder: &str, journal: &str| -> (Merged, Survey) {
        let mut found = survey(&[at(folder)]).expect("a survey");
        let journal = at(journal);
        let targets = Targets {
            journal: Some(&journal),
            ..Targets::default()
        };
        let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ()).expect("merged");
        (merged, found)
    };
    for place in [place(0, 1), place(0, 2), place(1, 2)] {
        make_at(&plan, place, &at("a"));
    }
    assert_eq!(refusals(&join("a", "sound.proof").1), Vec::<String>::new());
    let path = at("a").join(file_name(place(1, 2)));
    alter(&path, |finding| match finding {
        Finding::Claim(decided) => {
            decided.holds = decided.holds.map(|holds| !holds);
            decided.holds.is_some()
        }
        _ => false,
    });
    let (merged, found) = join("a", "x.proof");
    let why = refused(&found, &[at("a")]);
    assert_eq!((merged.shards, why.len()), (2, 1), "{why:?}");
    names_both(&why[0], &path, &at("a").join(file_name(place(0, 1))));
    assert!(
        why[0].contains("holds") && why[0].contains("fails"),
        "{why:?}"
    );
    // Merged alone, it contradicts only the journal, which keeps what it has.
    let rows = |journal: &str| {
        let journal = Journal::open_existing(&at(journal)).expect("a journal");
        kalahari_prove::export(&journal).expect("a text")
    };
    let before = rows("sound.proof");
    fs::create_dir(at("wrong")).expect("made");
    let wrong = at("wrong").join(file_name(place(1, 2)));
    fs::copy(&path, &wrong).expect("copied");
    let (merged, found) = join("wrong", "sound.proof");
    assert_eq!(merged.shards, 0);
    names_both(&refusals(&found)[0], &wrong, &at("sound.proof"));
    assert_eq!(rows("sound.proof"), before);
    // A claim that is reported as given up, although its nodes were not spent.
    fs::copy(at("a").join(file_name(place(0, 2))), &wrong).expect("copied");
    fs::rename(&wrong, at("wrong").join(file_name(place(0, 2)))).expect("renamed");
    alter(
        &at("wrong").join(file_name(place(0, 2))),
        |finding| match finding {
            Finding::Claim(decided) => {
                (decided.holds, decided.nodes) = (None, 1);
                true
            }
            _ => false,
        },
    );
    let (merged, found) = join("wrong", "y.proof");
    assert_eq!((merged.shards, refusals(&found).len()), (0, 1));
}

#[test]
fn a_forged_review_is_refused_and_the_rest_kept() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let reviews = reviews_of(&at("games.db"));
    let plan = Plan::new([Task::Reviews(reviews.clone())]).expect("a plan");
    for place in Place::all(3) {
        make_at(&plan, place, &at("a"));
    }
    let path = at("a").join(file_name(place(1, 3)));
    let file = at("games.judged");
    let join = |file: &Path| {
        let mut found = survey(&[at("a")]).expect("a survey");
        let targets = Targets {
            judged: Some(file),
            ..Targets::default()
        };
        let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ()).expect("merged");
        (merged, found)
    };
    let sound = fs::read_to_string(&path).expect("a piece");
    let cut_off = |text: &str| text.replace("\"ply\":4,", "\"ply\":77,");
    let no_score = |text: &str| text.replacen("\"best\":\"", "\"best\":\"much ", 1);
    let forges: [&dyn Fn(&str) -> String; 2] = [&cut_off, &no_score];
    for forge in forges {
        craft(&path, forge);
        let (merged, found) = join(&file);
        let why = refused(&found, &[at("a")]);
        assert_eq!((merged.judged, why.len()), (4, 1), "{why:?}");
        assert!(why[0].starts_with(&path.display().to_string()), "{why:?}");
        fs::write(&path, &sound).expect("written");
    }
    // A line with illegal moves.
    craft(&path, |text| {
        text.replacen("\"line\":[", "\"line\":[\"0\",\"0\",\"0\",\"0\",", 1)
    });
    assert_eq!(join(&file).0.judged, 4);
    // Without the games, what can be checked without them is still checked.
    fs::rename(at("games.db"), at("elsewhere.db")).expect("renamed");
    fs::write(&path, &sound).expect("written");
    craft(&path, no_score);
    assert_eq!(join(&at("other.judged")).0.judged, 4);
    fs::rename(at("elsewhere.db"), at("games.db")).expect("renamed");
    fs::write(&path, &sound).expect("written");
    assert_eq!(join(&file).0.judged, 6);
    let joined = Judgements::open(&file, &reviews).expect("judged games");
    assert_eq!(joined.games.len(), 6);
}
