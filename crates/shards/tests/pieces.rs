//! Pieces made in any order, joined in any order, are the whole; what is not sound is refused by name.

use kalahari_arena::{
    GameRecord, Hands, Identity, MatchSpec, Openings, Rules, Run, Store, plan_match, run_match,
};
use kalahari_dataset::{Build, Format, Labels, Range, Recipe, Source, build};
use kalahari_exact::prover::{Prover, ProverOptions, TablebasePolicy, Wanted};
use kalahari_games::{Game, GameSpec};
use kalahari_prove::{Journal, Rules as ProofRules, Sample, Worker, WorkerOptions, check};
use kalahari_shards::{
    Claims, Finding, Found, Games, GamesToReview, Judgements, Machine, MergeError, Place, Plan,
    Reviews, Rows, ShardError, Source as File, Targets, Task, Work, file_name, make, merge, survey,
};
use kalahari_study::{GameToReview, ReviewSpec, review_games};
use kalahari_terms::{Limits, Stop};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn spec() -> MatchSpec {
    MatchSpec {
        agents: ["engine:hash=1", "mcts"].map(|agent| agent.parse().expect("an agent")),
        game: "kalah:4x3".parse().expect("a game"),
        openings: Openings::Random(3),
        rng_seed: 5,
        rules: Rules {
            limits: Limits {
                nodes: Some(60),
                ..Limits::NONE
            },
            ..Rules::default()
        },
    }
}

fn hands(stop: &Stop) -> Hands<'_> {
    Hands {
        threads: 2,
        cache: None,
        stop,
    }
}

fn games_task(spec: MatchSpec, games: u32) -> Task {
    let stop = Stop::new();
    let planned = plan_match(spec, games, &hands(&stop)).expect("a plan");
    let identity = planned.spec.identity().expect("an identity");
    Task::Games(Games {
        spec: planned.spec,
        identity,
        games: planned.games,
    })
}

fn rows_task(rows: u64) -> Task {
    let recipe = Recipe {
        game: "kalah:4x3".parse().expect("a game"),
        source: Source::Random,
        labels: Labels::Exact { tablebase: 6 },
        left: "2..6".parse::<Range>().expect("a range"),
        rows_per_shard: 20,
        rng_seed: 3,
        format: Format::Parquet,
    };
    let identity = kalahari_dataset::identity(&recipe).expect("an identity");
    Task::Rows(Rows {
        recipe,
        identity,
        rows,
    })
}

fn make_at(plan: &Plan, place: Place, folder: &Path) -> bool {
    let stop = Stop::new();
    let work = Work {
        plan,
        source: &File::default(),
        machine: &Machine::this(None),
        place,
        folder,
        hands: &hands(&stop),
    };
    make(&work, &mut |_| ()).expect("made").was_there
}

/// The games of a store without their times.
fn kept(file: &Path) -> Vec<GameRecord> {
    let store = Store::open_existing(file).expect("a store");
    let mut all = Vec::new();
    for one in store.matches().expect("matches") {
        all.extend(store.games(&one.id).expect("games"));
    }
    for game in &mut all {
        for mv in &mut game.moves {
            mv.micros = mv.micros.map(|_| 0);
        }
    }
    all.sort_by_key(|game| (game.match_id.clone(), game.number));
    all
}

fn merged(paths: &[PathBuf], db: &Path) -> (kalahari_shards::Merged, kalahari_shards::Survey) {
    let mut found = survey(paths).expect("a survey");
    let mut store = Store::open(db).expect("a store");
    let targets = Targets {
        store: Some(&mut store),
        ..Targets::default()
    };
    let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ()).expect("merged");
    (merged, found)
}

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
        assert!(make_at(&plan, place, &at("a")), "it is there");
    }
    let (first, found) = merged(&[at("a")], &at("merged.db"));
    assert_eq!(found.missing, [Place::new(2, 5).expect("a place")]);
    assert!(found.refused.is_empty() && first.shards == 4 && first.games == first.new_games);
    assert!(!make_at(
        &plan,
        Place::new(2, 5).expect("a place"),
        &at("b")
    ));
    // One of them a second time, elsewhere.
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
fn what_is_not_sound_is_refused_by_name_and_made_again() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let plan = Plan::new([games_task(spec(), 12)]).expect("a plan");
    let places: Vec<Place> = Place::all(6).collect();
    for place in &places {
        make_at(&plan, *place, &at("a"));
    }
    let path = |place: usize| at("a").join(file_name(places[place]));
    // Cut off, changed, empty, another kind of file.
    let good = fs::read(path(0)).expect("there");
    fs::write(path(0), &good[..good.len() - 30]).expect("written");
    let mut changed = fs::read(path(1)).expect("there");
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(path(1), changed).expect("written");
    fs::write(path(2), "").expect("written");
    fs::write(path(3), "something else").expect("written");
    // One of another experiment.
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
    // What belongs to another experiment is somebody's work: nobody is told to delete it.
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
    // What is damaged is made again; what is foreign is left alone.
    for place in &places[..3] {
        assert!(!make_at(&plan, *place, &at("a")));
    }
    let stop = Stop::new();
    let work = Work {
        plan: &plan,
        source: &File::default(),
        machine: &Machine::this(None),
        place: places[3],
        folder: &at("a"),
        hands: &hands(&stop),
    };
    assert!(matches!(make(&work, &mut |_| ()), Err(ShardError::File(_))));
    // A sound piece under another's name: it says which one it is.
    let named = fs::read(path(3)).expect("there");
    fs::copy(path(5), path(3)).expect("copied");
    let misnamed = make(&work, &mut |_| ()).expect_err("refused").to_string();
    let words = "a copy of shard 5 of 6, not of shard 3 of 6; it is left as it is";
    assert!(misnamed.contains(words), "{misnamed}");
    fs::write(path(3), named).expect("written");
    let (_, found) = merged(&[at("a")], &at("merged.db"));
    assert_eq!(found.missing, [places[3]]);
    // A right one under another's name.
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
fn a_machine_with_other_files_makes_nothing() {
    let there = folder();
    let Task::Games(mut games) = games_task(spec(), 4) else {
        unreachable!("games");
    };
    games.identity.program = "0.0.0".to_owned();
    let plan = Plan::new([Task::Games(games)]).expect("a plan");
    let stop = Stop::new();
    let work = Work {
        plan: &plan,
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
    // A file of rows that is damaged: its piece is missing, and made again.
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
fn what_is_needed_is_asked_for() {
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

/// Writes the lines of a piece with the right checksum.
fn write_with_sum(path: &Path, lines: &str) {
    use sha2::{Digest, Sha256};
    let sum = Sha256::digest(lines.as_bytes());
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(path, format!("{lines}sha256 {sum}\n")).expect("written");
}

/// Changes the lines of a piece, and puts its checksum right.
fn craft(path: &Path, change: impl FnOnce(&str) -> String) {
    let sound = fs::read_to_string(path).expect("a piece");
    let (lines, _) = sound.rsplit_once("sha256 ").expect("a checksum");
    let changed = change(lines);
    assert_ne!(changed, lines);
    write_with_sum(path, &changed);
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

fn refusals(found: &kalahari_shards::Survey) -> Vec<String> {
    let refused = found.refused.iter();
    refused.map(|refused| refused.why.to_string()).collect()
}

/// A second folder that is half copied hides nothing of the first, whichever is named first.
#[test]
fn of_several_files_of_a_place_a_sound_one_is_taken() {
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
    // A crafted one: all checksums fit, but the result is another.
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
    // The half copy by itself: what is not sound is missing, before anything is joined.
    let found = survey(&[at("b")]).expect("a survey");
    assert_eq!(found.missing, places[..4]);
    assert_eq!((found.files.len(), found.refused.len()), (3, 4));
}

/// The lines of a piece where the first game has another result.
fn flipped(lines: &str) -> String {
    let (old, new) = match lines.contains("Result: 1-0") {
        true => ("Result: 1-0", "Result: 0-1"),
        false => ("Result: 0-1", "Result: 1-0"),
    };
    lines.replacen(old, new, 1)
}

/// Checksums that fit do not make a piece of an empty file, nor a result of a wrong one.
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
        // What the advice says is done, not passed over.
        assert!(!make_at(&plan, found.missing[0], there.path()), "{number}");
    }
}

/// A file whose plan has numbers that nobody can mean, with the right checksum.
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

/// The jobs of a proof of a small board, and what its value is.
fn claims_task(journal: &Path, wanted: usize) -> (Task, i32) {
    let game: GameSpec = "kalah:4x3".parse().expect("a game");
    let rules = ProofRules::new(game).expect("Kalah");
    let start = rules.game().start();
    let mut prover = Prover::new(rules.game(), ProverOptions::without_files());
    let proof = prover.prove(&start, &Wanted::VALUE, &Stop::new());
    let value = proof.expect("proven").bounds.exact().expect("a value");
    let (spec, position) = (rules.game().spec(), rules.game().position_text(&start));
    let options = WorkerOptions {
        prover: ProverOptions {
            tablebase: TablebasePolicy::None,
            ..ProverOptions::without_files()
        },
        job_nodes: 2_000,
        name: "plan".to_owned(),
    };
    let stop = Stop::new();
    let opened = Journal::open(journal, spec, &position).expect("a journal");
    let mut worker = Worker::new(journal, opened, options, |_| (), &stop, &mut |_| ());
    let worker = worker.as_mut().expect("a worker");
    let list = worker.list_jobs(value, wanted).expect("jobs");
    let task = Task::Claims(Claims {
        game: spec,
        position,
        goal: value,
        job_nodes: 2_000,
        memory: 1 << 20,
        tablebase: 0,
        splits: list.splits,
        claims: list.claims,
        identity: Identity::of(&[], spec).expect("an identity"),
    });
    (task, value)
}

/// Rounds of jobs prove the value; pieces in any order, any number of times.
#[test]
fn pieces_of_a_proof_are_joined_in_its_journal() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let journal = at("four.proof");
    let mut decided = None;
    for round in 0..40 {
        let (task, value) = claims_task(&journal, 12);
        let Task::Claims(claims) = &task else {
            unreachable!("claims");
        };
        if claims.claims.is_empty() {
            break;
        }
        let plan = Plan::new([task.clone()]).expect("a plan");
        let folder = at(&format!("round-{round}"));
        for place in Place::all(3) {
            make_at(&plan, place, &folder);
            assert!(make_at(&plan, place, &folder), "it is there");
        }
        let path = |shard| folder.join(file_name(Place::new(shard, 3).expect("a place")));
        let join = |target: &Path| {
            let mut found = survey(std::slice::from_ref(&folder)).expect("a survey");
            let targets = Targets {
                journal: Some(target),
                ..Targets::default()
            };
            let merged = merge(&mut found, targets, &Stop::new(), &mut |_| ());
            merged.map(|merged| (merged, found))
        };
        if round == 0 {
            // One that is cut off is refused by name, the rest is joined; the same piece made again is the same.
            let sound = fs::read_to_string(path(1)).expect("a piece");
            fs::write(path(1), &sound[..sound.len() - 9]).expect("written");
            let (merged, found) = join(&journal).expect("merged");
            assert_eq!(
                (merged.shards, found.refused.len(), found.missing.len()),
                (2, 1, 1)
            );
            make_at(&plan, found.missing[0], &folder);
            let plain = |text: &str| -> Vec<(u64, Finding)> {
                let lines = text.lines().skip(2);
                let found = lines.filter_map(|line| serde_json::from_str::<Found>(line).ok());
                let found = found.map(|mut found| {
                    if let Finding::Claim(decided) = &mut found.finding {
                        decided.time = Duration::ZERO;
                    }
                    (found.part, found.finding)
                });
                found.collect()
            };
            let again = fs::read_to_string(path(1)).expect("a piece");
            assert!(!plain(&again).is_empty());
            assert_eq!(plain(&again), plain(&sound));
            // A journal of another proof refuses.
            let other = at("other.proof");
            let game = "kalah:4x4".parse().expect("a game");
            let start = "4 4 4 4 0 4 4 4 4 0 0";
            Journal::open(&other, game, start).expect("a journal");
            assert!(matches!(join(&other), Err(MergeError::Prove(_))));
        }
        let (merged, found) = join(&journal).expect("merged");
        assert!(found.missing.is_empty());
        assert_eq!(merged.claims, plan.parts());
        let (again, _) = join(&journal).expect("merged");
        assert_eq!(again.new_claims, 0, "nothing is new");
        let opened = Journal::open_existing(&journal).expect("a journal");
        let goals = opened.goals().expect("read");
        let goal = goals.iter().find(|goal| goal.margin == value);
        decided = goal.expect("the goal").holds;
        if decided.is_some() {
            break;
        }
    }
    assert_eq!(decided, Some(true));
    let opened = Journal::open_existing(&journal).expect("a journal");
    let mut prover = || {
        let game = opened.rules().game();
        Ok(Prover::new(game, ProverOptions::without_files()))
    };
    let checked = check(
        &opened,
        &mut prover,
        Sample::All,
        &Stop::new(),
        &mut |_, _, _| (),
    );
    assert!(checked.expect("right").finished);
}

/// Games judged in pieces are judged as by one machine.
#[test]
fn pieces_of_a_review_are_the_whole() {
    let there = folder();
    let at = |name: &str| there.path().join(name);
    let db = at("games.db");
    let mut store = Store::open(&db).expect("a store");
    let stop = Stop::new();
    let run = Run {
        games: 6,
        concurrency: 2,
        sprt: None,
        store: Some(&mut store),
        mix: false,
        cache: None,
        stop: &stop,
    };
    run_match(spec(), run, &mut |_| ()).expect("played");
    drop(store);
    let games = GamesToReview {
        db: Some(db.clone()),
        ..GamesToReview::default()
    };
    let how = ReviewSpec {
        nodes: 300,
        tables: false,
    };
    let reviews = Reviews::planned(games, how).expect("a plan");
    let read = reviews.read().expect("games");
    let to_judge: Vec<GameToReview> = read.into_iter().map(|(_, game)| game).collect();
    let whole = review_games(&how, &to_judge, 1, &stop, &mut |_| ()).expect("judged");
    let plan = Plan::new([Task::Reviews(reviews.clone())]).expect("a plan");
    for place in Place::all(4) {
        make_at(&plan, place, &at("a"));
    }
    let file = at("games.judged");
    let join = || {
        let mut found = survey(&[at("a")]).expect("a survey");
        let targets = Targets {
            judged: Some(&file),
            ..Targets::default()
        };
        merge(&mut found, targets, &Stop::new(), &mut |_| ()).expect("merged")
    };
    assert_eq!(join().judged, 6);
    assert_eq!(join().judged, 6, "and again");
    let joined = Judgements::open(&file, &reviews).expect("judged games");
    assert_eq!(joined.games.len(), 6);
    for game in whole {
        let kept = &joined.games[&(game.game as u64)];
        let moves = kept.moves(&to_judge[game.game]).expect("its moves");
        assert_eq!(moves, game.moves);
    }
    // Other games, or judged otherwise: another plan.
    let other = Reviews {
        nodes: 301,
        ..reviews
    };
    assert!(Judgements::open(&file, &other).is_err());
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, &text[..text.len() / 2]).expect("written");
    assert!(Judgements::read(&file).is_err());
}
