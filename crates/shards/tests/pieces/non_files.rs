//! Pipes, sockets, devices, folders and symlink loops in place of files: they are refused by name, and reading them never blocks.
#![cfg(unix)]

use crate::books;
use crate::findings::{claims_task, reviews_of};
use crate::support::*;
use kalahari_arena::Store;
use kalahari_shards::{
    Inspector, Machine, Place, Plan, PlanFile, Source as File, Targets, Task, Work, file_name,
    make, merge, survey,
};
use kalahari_terms::Stop;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

const KINDS: [&str; 5] = ["pipe", "socket", "device", "circle", "folder"];

/// Creates something that is not a regular file at this path.
fn put(kind: &str, path: &Path) {
    match kind {
        "pipe" => {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.expect("it runs").success());
        }
        "socket" => drop(UnixListener::bind(path).expect("a socket")),
        "device" => symlink("/dev/zero", path).expect("linked"),
        "circle" => symlink(path, path).expect("linked"),
        _ => fs::create_dir(path).expect("made"),
    }
}

fn remove(path: &Path) {
    match fs::symlink_metadata(path).expect("there").is_dir() {
        true => fs::remove_dir(path).expect("removed"),
        false => fs::remove_file(path).expect("removed"),
    }
}

#[test]
fn non_files_in_place_of_pieces_plans_and_rows() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let plan = Plan::new([rows_task(40), games_task(spec(), 2)]).expect("a plan");
    let places: Vec<Place> = Place::all(3).collect();
    for place in &places {
        make_at(&plan, *place, &at("a"));
    }
    let path = at("a").join(file_name(places[2]));
    let rows = at("a").join("rows-0/shard-00000.parquet");
    for kind in KINDS {
        for (file, place) in [(&path, places[2]), (&rows, places[0])] {
            let sound = fs::read(file).expect("a file");
            fs::remove_file(file).expect("removed");
            put(kind, file);
            let found = survey(&[at("a")]).expect("a survey");
            let why = refusals(&found);
            assert_eq!(
                (why.len(), &found.missing[..]),
                (1, &[place][..]),
                "{kind}: {why:?}"
            );
            assert!(
                why[0].contains(&file.display().to_string()),
                "{kind}: {why:?}"
            );
            let stop = Stop::new();
            let work = Work {
                inspector: &Inspector::new(&plan, []),
                source: &File::default(),
                machine: &Machine::this(None),
                place,
                folder: &at("a"),
                hands: &hands(&stop),
            };
            let refused = make(&work, &mut |_| ()).expect_err("refused").to_string();
            assert!(
                refused.contains(&file.display().to_string()),
                "{kind}: {refused}"
            );
            remove(file);
            fs::write(file, sound).expect("written");
        }
        fs::create_dir(at("planned")).expect("made");
        put(kind, &PlanFile::path(&at("planned")));
        let made = PlanFile {
            source: File::default(),
            plan: plan.clone(),
        };
        PlanFile::read(&at("planned")).expect_err(kind);
        made.write(&at("planned")).expect_err(kind);
        remove(&PlanFile::path(&at("planned")));
        fs::remove_dir(at("planned")).expect("removed");
    }
}

#[test]
fn non_files_in_place_of_merge_targets() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let (claims, _) = claims_task(&at("plan.proof"), 4);
    let tasks = [
        ("games", games_task(spec(), 2)),
        ("rows", rows_task(20)),
        ("claims", claims),
        ("reviews", Task::Reviews(reviews_of(&at("games.db")))),
        ("book", books::plan(2).tasks()[0].clone()),
    ];
    for (name, task) in tasks {
        let plan = Plan::new([task]).expect("a plan");
        make_at(&plan, Place::new(0, 1).expect("a place"), &at(name));
        for kind in KINDS {
            let beside: &[&str] = match name {
                "games" | "claims" => &["", "-wal", "-journal"],
                "rows" => &["", "/_manifest.json", "/shard-00000.parquet", "/_lock"],
                "book" => &["", ".progress"],
                _ => &[""],
            };
            for beside in beside {
                if (name, kind, *beside) == ("rows", "folder", "") {
                    continue;
                }
                let target = at("target");
                let place = at(&format!("target{beside}"));
                if beside.starts_with('/') {
                    fs::create_dir(&target).expect("made");
                }
                put(kind, &place);
                let mut found = survey(&[at(name)]).expect("a survey");
                let store = (name == "games").then(|| Store::open(&target));
                let refused = match store {
                    Some(Err(error)) => error.to_string(),
                    other => {
                        let mut store = other.map(|store| store.expect("a store"));
                        let targets = Targets {
                            store: store.as_mut(),
                            rows: Some(&target),
                            journal: Some(&target),
                            judged: Some(&target),
                            book: Some(&target),
                        };
                        match merge(&mut found, targets, &Stop::new(), &mut |_| ()) {
                            Err(error) => error.to_string(),
                            Ok(_) => refusals(&found).concat(),
                        }
                    }
                };
                let path = place.display().to_string();
                assert!(
                    refused.contains(&path),
                    "{name}, {kind}, {beside}: {refused}"
                );
                assert!(fs::symlink_metadata(&place).is_ok(), "it is left alone");
                remove(&place);
                if beside.starts_with('/') {
                    fs::remove_dir_all(&target).expect("removed");
                }
                for left in ["", "-wal", "-shm", ".progress"] {
                    let _ = fs::remove_file(at(&format!("target{left}")));
                }
            }
        }
    }
}
