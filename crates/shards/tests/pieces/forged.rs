//! Pieces with right checksums whose games cannot be games of their match: `shards status` and `merge` both refuse them.

use crate::support::*;
use kalahari_arena::{Adjudicate, Hands, MatchSpec, Openings, Rules, plan_match};
use kalahari_shards::{Games, Place, PlaceFile, Plan, PlanFile, Task, file_name, inspect, survey};
use kalahari_terms::Stop;
use std::path::Path;

/// What `shards status` and `merge` refuse in a folder; asserts that both refuse the same.
fn said(folder: &Path, db: &Path) -> Vec<String> {
    let mut looked = survey(&[folder.to_owned()]).expect("a survey");
    inspect(&mut looked, &Stop::new()).expect("inspected");
    let (_, joined) = merged(&[folder.to_owned()], db);
    assert_eq!(refusals(&looked), refusals(&joined));
    assert_eq!(looked.missing, joined.missing);
    refusals(&looked)
}

/// The head of a piece and its records.
fn records(lines: &str) -> (String, Vec<String>) {
    let begin = lines.find("kalahari-record").expect("games");
    let (head, games) = lines.split_at(begin);
    let games = games.split("kalahari-record").skip(1);
    let games = games.map(|game| format!("kalahari-record{game}"));
    (head.to_owned(), games.collect())
}

fn changed(lines: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let (head, mut games) = records(lines);
    change(&mut games);
    head + &games.concat()
}

/// A record with another value in one header line.
fn with(record: &str, header: &str, value: &str) -> String {
    let lines = record.lines().map(|line| match line.starts_with(header) {
        true => format!("{header}{value}"),
        false => line.to_owned(),
    });
    lines.map(|line| line + "\n").collect()
}

/// A record that stops some moves before its end.
fn cut(record: &str, moves: usize) -> String {
    let lines: Vec<&str> = record.trim_end().lines().collect();
    lines[..lines.len() - moves]
        .iter()
        .map(|line| format!("{line}\n"))
        .collect()
}

/// A record without one header line.
fn without(record: &str, header: &str) -> String {
    let lines = record.lines().filter(|line| !line.starts_with(header));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_a_match_decides_is_checked() {
    let there = folder();
    let plan = Plan::new([games_task(spec(), 8)]).expect("a plan");
    let place = Place::new(0, 2).expect("a place");
    for place in Place::all(2) {
        make_at(&plan, place, there.path());
    }
    let path = there.path().join(file_name(place));
    let db = there.path().join("games.db");
    assert_eq!(said(there.path(), &db), Vec::<String>::new());
    let sound = std::fs::read(&path).expect("a piece");
    type Forge = fn(&mut Vec<String>);
    let cases: [(&str, Forge); 9] = [
        ("the seats", |games| {
            let first = with(&games[0], "First: ", "mcts");
            games[0] = with(&first, "Second: ", "engine:hash=1");
        }),
        ("another agent", |games| {
            games[0] = with(&games[0], "Second: ", "random")
        }),
        ("the seed", |games| {
            games[1] = with(&games[1], "Seed: ", "6")
        }),
        ("the opening's length", |games| {
            games[1] = with(&games[1], "Book: ", "2")
        }),
        ("the opening of another number", |games| {
            games[0] = with(&games[2], "Number: ", "1");
            games[1] = with(&games[3], "Number: ", "2");
        }),
        ("a proof", |games| {
            let ended = with(&cut(&games[0], 2), "Ending: ", "proven");
            games[0] = without(&ended, "Margin: ");
        }),
        ("a resignation", |games| {
            let ended = with(&cut(&games[0], 2), "Ending: ", "resigned");
            games[0] = without(&ended, "Margin: ");
        }),
        ("a majority", |games| {
            games[0] = with(&cut(&games[0], 1), "Ending: ", "majority")
        }),
        ("too late without a clock", |games| {
            let ended = with(&cut(&games[0], 2), "Ending: ", "time");
            games[0] = without(&ended, "Margin: ");
        }),
    ];
    for (what, forge) in cases {
        craft(&path, |lines| changed(lines, forge));
        let refused = said(there.path(), &db);
        assert_eq!(refused.len(), 1, "{what}: {refused:?}");
        let name = path.display().to_string();
        assert!(refused[0].starts_with(&name), "{what}: {refused:?}");
        // The forged piece is made again.
        assert!(!make_at(&plan, place, there.path()), "{what}");
        assert_eq!(said(there.path(), &db), Vec::<String>::new(), "{what}");
    }
    assert_eq!(
        std::fs::read(&path).expect("a piece").len() / 100,
        sound.len() / 100
    );
}

/// Genuine games that were adjudicated early are accepted; forged adjudications are not.
#[test]
fn adjudicated_games_must_agree_with_their_scores() {
    let there = folder();
    for adjudicate in [Adjudicate::Proven, Adjudicate::Majority] {
        let at = there.path().join(adjudicate.name());
        let spec = MatchSpec {
            agents: ["engine:nodes=3000,hash=1", "engine:nodes=5000,hash=1"]
                .map(|agent| agent.parse().expect("an agent")),
            game: "kalah:4x4".parse().expect("a game"),
            openings: Openings::Random(4),
            rules: Rules {
                adjudicate,
                ..Rules::default()
            },
            ..spec()
        };
        let plan = Plan::new([games_task(spec, 20)]).expect("a plan");
        let place = Place::new(0, 1).expect("a place");
        make_at(&plan, place, &at);
        let path = at.join(file_name(place));
        let db = there.path().join(format!("{adjudicate}.db"));
        assert_eq!(said(&at, &db), Vec::<String>::new());
        let (_, content) = PlaceFile::read_content(&path).expect("a piece");
        let is_early = |game: &kalahari_arena::GameRecord| game.ending.name() == adjudicate.name();
        let number = content
            .games
            .iter()
            .position(is_early)
            .unwrap_or_else(|| panic!("{adjudicate} ended no game"));
        // A wrong margin, a wrong winner, and an end that came too early.
        for forge in [
            (|game: &str| with(game, "Margin: ", "99")) as fn(&str) -> String,
            |game| match game.contains("Result: 1-0") {
                true => with(game, "Result: ", "0-1"),
                false => with(game, "Result: ", "1-0"),
            },
            |game| cut(game, 1),
        ] {
            let sound = std::fs::read(&path).expect("a piece");
            craft(&path, |lines| {
                changed(lines, |games| games[number] = forge(&games[number]))
            });
            assert_eq!(said(&at, &db).len(), 1, "{adjudicate}");
            std::fs::write(&path, sound).expect("written");
        }
    }
}

/// Verdicts on balanced openings are kept beside the pieces, so balanced openings are checked, too.
#[test]
fn balanced_openings_are_those_of_their_numbers() {
    let there = folder();
    let stop = Stop::new();
    let hands = Hands {
        cache: Some(PlanFile::openings_folder(there.path())),
        ..hands(&stop)
    };
    let spec = MatchSpec {
        openings: Openings::Balanced(3),
        ..spec()
    };
    let planned = plan_match(spec, 6, &hands).expect("a plan");
    let task = Games::planned(planned).expect("an identity");
    let plan = Plan::new([Task::Games(task)]).expect("a plan");
    let place = Place::new(0, 1).expect("a place");
    make_at(&plan, place, there.path());
    let db = there.path().join("games.db");
    assert_eq!(said(there.path(), &db), Vec::<String>::new());
    let path = there.path().join(file_name(place));
    craft(&path, |lines| {
        changed(lines, |games| {
            let [one, two] = [2, 3].map(|game| games[game].clone());
            games[0] = with(&one, "Number: ", "1");
            games[1] = with(&two, "Number: ", "2");
        })
    });
    let refused = said(there.path(), &db);
    assert!(refused[0].contains("opening for its number"), "{refused:?}");
}
