//! A store keeps the identity of the players with a match: another program or an edited bot begins a new match.

use kalahari_arena::pictures::gather;
use kalahari_arena::{
    Identity, MatchResult, MatchSpec, Openings, Rules, Run, Schedule, Store, TournamentRun,
    TournamentSpec, run_match, run_tournament,
};
use kalahari_terms::Stop;
use std::path::Path;

fn spec(a: &str, b: &str) -> MatchSpec {
    MatchSpec {
        agents: [a, b].map(|agent| agent.parse().expect("an agent")),
        game: "kalah:4x3".parse().expect("a game"),
        openings: Openings::Random(2),
        rng_seed: 3,
        rules: Rules::default(),
    }
}

fn play(spec: &MatchSpec, store: &mut Store, games: u32, mix: bool) -> MatchResult {
    let run = Run {
        games,
        concurrency: 1,
        sprt: None,
        store: Some(store),
        mix,
        cache: None,
        stop: &Stop::new(),
    };
    run_match(spec.clone(), run, &mut |_| {}).expect("a match")
}

/// Writes a program that always gives the same answer. The remark is a comment to the shell.
fn write_bot(file: &Path, remark: &str) {
    let script = "while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; go*) echo bestmove 0;; quit) exit;; esac; done";
    std::fs::write(file, format!("{script}\n# {remark}\n")).expect("written");
}

#[cfg(unix)]
#[test]
fn an_edited_bot_begins_a_new_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("games.db")).expect("a store");
    let bot = folder.path().join("bot.sh");
    write_bot(&bot, "one");
    let spec = spec(&format!("ugi:sh {}", bot.display()), "random");
    let first = play(&spec, &mut store, 4, false);
    assert_eq!((first.resumed, first.played), (0, 4));
    let again = play(&spec, &mut store, 6, false);
    assert_eq!((again.id.as_str(), again.resumed), (first.id.as_str(), 4));
    assert!(again.notes.is_empty(), "{:?}", again.notes);

    write_bot(&bot, "two");
    let anew = play(&spec, &mut store, 4, false);
    assert_ne!(anew.id, first.id);
    assert_eq!((anew.resumed, anew.played), (0, 4));
    let note = &anew.notes[0];
    for word in [first.id.as_str(), "bot.sh has changed", "--mix"] {
        assert!(note.contains(word), "{note}");
    }
    // Nothing has changed since, so there is no note.
    assert!(play(&spec, &mut store, 4, false).notes.is_empty());

    write_bot(&bot, "three");
    let mixed = play(&spec, &mut store, 8, true);
    assert_eq!((mixed.id, mixed.resumed), (anew.id.clone(), 4));
    assert!(mixed.notes[0].contains("bot.sh has changed"));
    let matches = store.matches().expect("matches");
    let seen: Vec<_> = matches.iter().map(|m| (m.games, m.mixed)).collect();
    assert_eq!(seen, [(6, false), (8, true)]);
    assert!(matches.iter().all(|m| m.identity.is_some()));

    // The first version of the bot is back, and so is its match.
    write_bot(&bot, "one");
    let back = play(&spec, &mut store, 6, false);
    assert_eq!((back.id, back.resumed, back.played), (first.id, 6, 0));
}

#[cfg(unix)]
#[test]
fn both_versions_of_a_bot_are_in_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("games.db")).expect("a store");
    let bot = folder.path().join("bot.sh");
    write_bot(&bot, "one");
    let spec = spec(&format!("mine=ugi:sh {}", bot.display()), "random");
    let first = play(&spec, &mut store, 4, false);
    assert_eq!(first.spec.agents[0].label(), "mine");
    let games = store.games(&first.id).expect("games");
    assert_eq!(games[0].players[0].name, "mine");
    assert_eq!(games[1].players[1].name, "mine");
    assert!(games[0].players[0].agent.starts_with("ugi:sh "));
    // Another name does not make another match; tables show the new name from now on.
    let renamed = format!("ours=ugi:sh {}", bot.display());
    let renamed = play(&self::spec(&renamed, "random"), &mut store, 4, false);
    assert_eq!((&renamed.id, renamed.played), (&first.id, 0));
    assert_eq!(
        store.matches().expect("matches")[0].names,
        ["ours", "random"]
    );
    write_bot(&bot, "two");
    play(&spec, &mut store, 4, false);
    play(&spec, &mut store, 4, false);
    let matches = store.matches().expect("matches");
    assert_eq!(matches.len(), 2);
    assert_ne!(matches[0].versions[0], matches[1].versions[0]);
    assert_eq!(matches[0].versions[1], None);
    let data = gather(&store).expect("data");
    let mut names: Vec<&str> = data[0].players.iter().map(|p| p.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["mine v2", "ours v1", "random"]);
}

#[cfg(unix)]
#[test]
fn programs_name_themselves_and_broken_ones_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let named = folder.path().join("named.sh");
    write_bot(&named, "one");
    let text = std::fs::read_to_string(&named).expect("there");
    let text = text.replace("echo ugiok", "echo id name Mighty: 2; echo ugiok");
    std::fs::write(&named, text).expect("written");
    let broken = folder.path().join("broken.sh");
    std::fs::write(&broken, "echo no idea >&2; exit 3").expect("written");
    let mut store = Store::open(&folder.path().join("games.db")).expect("a store");
    let (named, broken) = (named.display(), broken.display());
    let played = play(
        &spec(&format!("ugi:sh {named}"), "random"),
        &mut store,
        2,
        false,
    );
    assert_eq!(played.spec.agents[0].label(), "Mighty 2");

    let stop = Stop::new();
    let run = Run {
        games: 2,
        concurrency: 1,
        sprt: None,
        store: None,
        mix: false,
        cache: None,
        stop: &stop,
    };
    let refused = run_match(
        spec(&format!("ugi:sh {broken}"), "random"),
        run,
        &mut |_| {},
    );
    let refused = refused.expect_err("it never answered").to_string();
    assert!(refused.contains("no idea"), "{refused}");

    let tournament = |agents: &[String]| {
        let spec = TournamentSpec {
            agents: agents
                .iter()
                .map(|a| a.parse().expect("an agent"))
                .collect(),
            game: "kalah:4x3".parse().expect("a game"),
            openings: None,
            rng_seed: 1,
            rules: Rules::default(),
            schedule: Schedule::RoundRobin,
            games: 2,
            rounds: 0,
        };
        let run = TournamentRun {
            concurrency: 2,
            store: None,
            mix: false,
            cache: None,
            stop: &stop,
        };
        run_tournament(&spec, run, &mut |_, _| {})
    };
    let agents = [
        format!("ugi:sh {named}"),
        format!("bad=ugi:sh {broken}"),
        "random".to_owned(),
    ];
    let played = tournament(&agents).expect("two play");
    let labels: Vec<String> = played.agents.iter().map(|agent| agent.label()).collect();
    assert_eq!(labels, ["Mighty 2", "random"]);
    assert_eq!(played.left_out[0].agent.label(), "bad");
    assert!(played.left_out[0].reason.to_string().contains("no idea"));
    assert!(tournament(&agents[1..]).is_err(), "only one agent is left");
    let same = ["x=level:1", "x=level:2"].map(str::to_owned);
    assert!(
        tournament(&same)
            .expect_err("one name")
            .to_string()
            .contains("called 'x'")
    );
}

#[test]
fn another_version_begins_a_new_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("games.db")).expect("a store");
    let spec = spec("random", "level:1");
    let now = spec.identity().expect("an identity");
    let older = Identity {
        program: "0.0.1".to_owned(),
        search: 1,
        ..now.clone()
    };
    let before = store.resume(&spec, &older, false).expect("a match");
    assert_eq!(before.id, spec.id(&older));
    let anew = play(&spec, &mut store, 2, false);
    assert_eq!(anew.id, spec.id(&now));
    let note = &anew.notes[0];
    for word in [before.id.as_str(), "was 0.0.1", "search has changed"] {
        assert!(note.contains(word), "{note}");
    }
    // A match with the same identity is preferred to any other, even with `mix`.
    assert_eq!(play(&spec, &mut store, 2, true).resumed, 2);
}

/// The tables as the first programs made them, with a match of two games.
const OLD: &str = "
CREATE TABLE agents (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE matches (id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL,
    agent_a INTEGER NOT NULL REFERENCES agents, agent_b INTEGER NOT NULL REFERENCES agents, openings TEXT NOT NULL,
    seed TEXT NOT NULL, limits TEXT NOT NULL, adjudicate TEXT NOT NULL, created INTEGER NOT NULL) STRICT;
CREATE TABLE openings (id INTEGER PRIMARY KEY, game TEXT NOT NULL, start TEXT NOT NULL, moves TEXT NOT NULL,
    position TEXT NOT NULL, UNIQUE (game, start, moves)) STRICT;
CREATE TABLE games (match TEXT NOT NULL REFERENCES matches, number INTEGER NOT NULL,
    opening INTEGER NOT NULL REFERENCES openings, first INTEGER NOT NULL REFERENCES agents,
    second INTEGER NOT NULL REFERENCES agents, result TEXT NOT NULL, margin INTEGER, score_a REAL NOT NULL,
    margin_a INTEGER, ending TEXT NOT NULL, detail TEXT NOT NULL, book INTEGER NOT NULL, plies INTEGER NOT NULL,
    moves TEXT NOT NULL, times TEXT NOT NULL, opinions TEXT NOT NULL, seconds REAL NOT NULL, played INTEGER NOT NULL,
    PRIMARY KEY (match, number)) STRICT, WITHOUT ROWID;
INSERT INTO agents VALUES (1, 'random'), (2, 'level:1');
INSERT INTO matches VALUES ('00112233aabbccdd',
    'random | level:1 | kalah:4x3:standard | openings random:2 | seed 3 | each agent''s own | grace 200ms | adjudicate never',
    'kalah:4x3:standard', 1, 2, 'random:2', '3', 'each agent''s own', 'never', 1700000000);
INSERT INTO openings VALUES (1, 'kalah:4x3:standard', '', '1 0', '');
INSERT INTO games VALUES
    ('00112233aabbccdd', 0, 1, 1, 2, '0-1', -4, 0, -4, 'rules', '', 2, 3, '1 0 0', '- - 12', '- - eval:3', 1.2e-5, 1),
    ('00112233aabbccdd', 1, 1, 2, 1, '1/2-1/2', 0, 0.5, 0, 'rules', '', 2, 2, '1 0', '- -', '- -', 0.0, 1);
PRAGMA application_id = 1262570561;
PRAGMA user_version = 1;
";

#[test]
fn an_older_store_is_read_and_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    let old = rusqlite::Connection::open(&file).expect("a file");
    old.execute_batch(OLD).expect("the old tables");
    drop(old);
    // Reading does not change the file.
    let before = std::fs::read(&file).expect("a file");
    let read = Store::open_existing(&file).expect("an old store");
    assert_eq!(read.matches().expect("read").len(), 1);
    drop(read);
    assert_eq!(std::fs::read(&file).expect("a file"), before);
    let mut store = Store::open(&file).expect("an old store");
    let matches = store.matches().expect("matches");
    assert_eq!((matches[0].games, matches[0].results), (2, [0, 1, 1]));
    assert!(matches[0].identity.is_none() && !matches[0].mixed);
    let games = store.games("00112233aabbccdd").expect("games");
    assert_eq!(games[0].moves_text(), "1 0 0");
    assert!(games[0].moves[2].score.is_some());

    let spec = spec("random", "level:1");
    let mixed = play(&spec, &mut store, 4, true);
    assert_eq!((mixed.id.as_str(), mixed.resumed), ("00112233aabbccdd", 2));
    let anew = play(&spec, &mut store, 4, false);
    assert_eq!(anew.resumed, 0);
    assert!(anew.notes[0].contains("00112233aabbccdd"));
    drop(store);
    // Once upgraded it stays so, and a version newer than this program's is refused.
    assert_eq!(
        Store::open(&file)
            .expect("a store")
            .matches()
            .expect("matches")
            .len(),
        2
    );
    let newer = rusqlite::Connection::open(&file).expect("a file");
    newer.pragma_update(None, "user_version", 99).expect("set");
    let error = Store::open(&file).expect_err("too new").to_string();
    assert!(error.contains("version 99"), "{error}");
}
