//! Matches: reproducible, resumable, each game counted once.

use kalahari_arena::pictures::gather;
use kalahari_arena::stats::{Decision, Sprt};
use kalahari_arena::{
    Adjudicate, ArenaError, Brief, Counter, Ending, GameRecord, Hands, Identity, MatchNews,
    MatchResult, MatchSpec, Openings, Repetition, Rules, Run, Schedule, Stopped, Store,
    TournamentRun, TournamentSpec, default_openings, play_games, run_match, run_tournament,
};
use kalahari_games::{Player, Verdict};
use kalahari_terms::Stop;
use std::time::Duration;

fn spec(a: &str, b: &str, game: &str, openings: Openings) -> MatchSpec {
    MatchSpec {
        agents: [a.parse().expect("an agent"), b.parse().expect("an agent")],
        game: game.parse().expect("a game"),
        openings,
        rng_seed: 7,
        rules: Rules::default(),
    }
}

fn run<'a>(
    games: u32,
    concurrency: usize,
    store: Option<&'a mut Store>,
    stop: &'a Stop,
) -> Run<'a> {
    Run {
        games,
        concurrency,
        sprt: None,
        store,
        mix: false,
        cache: None,
        stop,
    }
}

fn play(spec: &MatchSpec, games: u32, concurrency: usize) -> MatchResult {
    run_match(
        spec.clone(),
        run(games, concurrency, None, &Stop::new()),
        &mut |_| {},
    )
    .expect("a match")
}

/// The games of a match without the times of moves.
fn games(spec: &MatchSpec, games: u32, concurrency: usize) -> Vec<GameRecord> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("games.db")).expect("a store");
    let stop = Stop::new();
    let result = run_match(
        spec.clone(),
        run(games, concurrency, Some(&mut store), &stop),
        &mut |_| {},
    );
    timeless(store.games(&result.expect("a match").id).expect("games"))
}

/// Games without the times of moves.
fn timeless(mut records: Vec<GameRecord>) -> Vec<GameRecord> {
    for mv in records.iter_mut().flat_map(|record| &mut record.moves) {
        mv.micros = None;
    }
    records
}

#[test]
fn results_do_not_depend_on_concurrency() {
    for (a, b, game, openings) in [
        ("random", "level:1", "kalah:6x4", Openings::Start),
        ("random", "random", "isolation:queen", Openings::Random(2)),
        ("level:2", "level:3", "kalah:6x4", Openings::Balanced(4)),
        (
            "mcts:playouts=30",
            "level:2",
            "kalah:4x3",
            Openings::Random(3),
        ),
    ] {
        let spec = spec(a, b, game, openings);
        let one = games(&spec, 30, 1);
        assert_eq!(one.len(), 30);
        assert_eq!(one, games(&spec, 30, 4), "{a} {b}");
        // The two games of a pair swap seats and share the opening.
        for pair in one.chunks(2) {
            assert_eq!(pair[0].players[0].agent, a);
            assert_eq!(pair[1].players[1].agent, a);
            let book = |record: &GameRecord| record.moves[..record.book].to_vec();
            assert_eq!(book(&pair[0]), book(&pair[1]));
            assert!(pair.iter().all(|record| record.replay().is_ok()));
        }
        let other = MatchSpec {
            rng_seed: 8,
            ..spec
        };
        assert_ne!(one, games(&other, 30, 2));
    }
}

#[test]
fn every_random_pair_has_its_own_random_choices() {
    let records = games(
        &spec("random", "level:1", "kalah:6x4", Openings::Start),
        40,
        2,
    );
    let mut texts: Vec<String> = records.iter().map(GameRecord::moves_text).collect();
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 35);
}

#[test]
fn deterministic_agents_play_distinct_openings() {
    let result = play(
        &spec("level:1", "level:2", "kalah:6x4", Openings::Start),
        20,
        2,
    );
    assert_eq!(result.tally().games(), 20);
    assert_eq!(result.spec.openings, Openings::Balanced(6));
    assert!(result.notes.iter().any(|note| note.contains("one pair")));
    // A single pair from the start is what was asked for.
    let pair = play(
        &spec("level:1", "level:2", "kalah:6x4", Openings::Start),
        2,
        2,
    );
    assert_eq!(pair.spec.openings, Openings::Start);
    assert_eq!(pair.tally().games(), 2);
    // There are six openings of one move, so twelve games are enough.
    let few = play(
        &spec("level:1", "level:2", "kalah:6x4", Openings::Random(1)),
        100,
        2,
    );
    assert_eq!(few.tally().games(), 12);
    assert_eq!(few.stopped, Stopped::Finished);
    assert!(
        few.notes
            .iter()
            .any(|note| note.contains("only 6 distinct"))
    );
}

#[test]
fn a_game_played_before_is_not_counted_again() {
    // The second opening continues the first one with the move that level:1 would play, so both lead to the same game.
    let start = games(
        &spec("level:1", "level:1", "kalah:6x4", Openings::Start),
        1,
        1,
    );
    let (first_move, second_move) = (start[0].moves[0].mv, start[0].moves[1].mv);
    let lines = vec![
        first_move.to_string(),
        format!("{first_move} {second_move}"),
    ];
    let openings = Openings::Lines {
        name: "lines".to_owned(),
        lines,
    };
    let result = play(&spec("level:1", "level:1", "kalah:6x4", openings), 4, 2);
    assert_eq!(result.counter.repeats(), 2);
    assert_eq!(result.tally().games(), 2);
    assert_eq!(result.tally().pairs(), 1);
    assert_eq!(result.stopped, Stopped::Finished);
}

#[test]
fn games_of_programs_that_repeat_themselves_count_once() {
    let openings = Openings::Random(3);
    let played = games(&spec("level:1", "level:2", "kalah:6x4", openings), 4, 1);
    let again: Vec<GameRecord> = played
        .iter()
        .map(|game| {
            let number = game.number + 4;
            GameRecord {
                number,
                ..game.clone()
            }
        })
        .collect();
    let brief = |game: &GameRecord| Brief::new(game, Repetition::Possible).expect("finished");
    let mut counter = Counter::default();
    for game in played.iter().chain(&again) {
        counter.add(&brief(game));
    }
    assert_eq!(counter.tally().games(), 4);
    assert_eq!(counter.repeats(), 4);

    // The same opening continued differently: the programs vary, so every game counts, including earlier ones.
    let mut other = GameRecord {
        number: 8,
        ..played[0].clone()
    };
    other.moves.pop();
    counter.add(&brief(&other));
    assert_eq!(counter.tally().games(), 9);
    assert_eq!(counter.tally().pairs(), 4);
    assert_eq!(counter.repeats(), 0);
    counter.add(&brief(&other));
    assert_eq!(counter.tally().games(), 10);

    // The order does not matter.
    let mut counter = Counter::default();
    for game in again.iter().chain([&other]).chain(&played) {
        counter.add(&brief(game));
    }
    assert_eq!((counter.tally().games(), counter.repeats()), (9, 0));
}

#[test]
fn openings_of_a_file_are_read_and_bad_ones_refused() {
    let lines = |lines: &[&str]| Openings::Lines {
        name: "f".to_owned(),
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    };
    let good = lines(&[
        "2 5",
        "4 4 0 5 5 5 1 4 4 4 4 4 4 0 0",
        "0",
        "0",
        "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>",
    ]);
    let result = play(&spec("level:1", "level:2", "kalah:6x4", good), 100, 2);
    assert_eq!(result.tally().games(), 8);
    for bad in [
        &["2 2"][..],
        &["x"],
        &[],
        &["0 0 0 0 0 0 24 0 0 0 0 0 0 24 0"],
    ] {
        let result = run_match(
            spec("level:1", "level:2", "kalah:6x4", lines(bad)),
            run(4, 1, None, &Stop::new()),
            &mut |_| {},
        );
        assert!(matches!(result, Err(ArenaError::Openings(_))), "{bad:?}");
    }
    assert!(Openings::parse("no such file").is_err());
    assert!(Openings::parse("random:x").is_err());
    assert_eq!(
        Openings::parse("random:4").expect("known"),
        Openings::Random(4)
    );
}

#[test]
fn defaults_depend_on_chance() {
    let agents = |names: [&str; 2]| names.map(|name| name.parse().expect("an agent"));
    assert_eq!(
        default_openings(&agents(["random", "engine"])),
        Openings::Start
    );
    for random in ["level:0", "level:0,seed=3", "random:seed=3"] {
        assert_eq!(
            default_openings(&agents(["engine", random])),
            Openings::Start
        );
    }
    assert_eq!(
        default_openings(&agents(["engine", "level:1"])),
        Openings::Balanced(6)
    );
}

#[test]
fn the_search_for_openings_is_reported() {
    let spec = spec("level:1", "level:2", "kalah:6x4", Openings::Balanced(4));
    let (mut found, mut games) = (Vec::new(), 0);
    let stop = Stop::new();
    run_match(spec, run(8, 2, None, &stop), &mut |news| match news {
        MatchNews::Openings { found: now, wanted } => {
            assert_eq!((*wanted, games), (4, 0));
            found.push(*now);
        }
        MatchNews::Game(_) => games += 1,
    })
    .expect("a match");
    assert_eq!((games, found.last()), (8, Some(&4)));
    assert!(found.is_sorted(), "{found:?}");
}

#[test]
fn a_tiny_game_falls_back_to_other_openings() {
    let result = play(
        &spec("level:1", "level:2", "kalah:1x1", Openings::Balanced(6)),
        10,
        1,
    );
    assert!(result.tally().games() <= 2);
    assert!(!result.notes.is_empty());
}

#[test]
fn a_store_resumes_and_counts_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    let spec = spec("random", "level:1", "kalah:4x3", Openings::Start);
    let stop = Stop::new();
    let whole = play(&spec, 60, 2);
    // Three runs: one is interrupted, one asks for fewer games, one for all.
    let mut store = Store::open(&file).expect("a store");
    let interrupt = Stop::new();
    let part = run_match(
        spec.clone(),
        run(60, 2, Some(&mut store), &interrupt),
        &mut |news| {
            if news.game().is_some_and(|progress| progress.finished >= 10) {
                interrupt.request();
            }
        },
    );
    let part = part.expect("a part");
    assert!(matches!(
        part.stopped,
        Stopped::Interrupted | Stopped::Finished
    ));
    drop(store);
    let mut store = Store::open(&file).expect("a store");
    run_match(
        spec.clone(),
        run(40, 2, Some(&mut store), &stop),
        &mut |_| {},
    )
    .expect("a match");
    let all = run_match(
        spec.clone(),
        run(60, 2, Some(&mut store), &stop),
        &mut |_| {},
    )
    .expect("a match");
    assert_eq!(all.tally(), whole.tally());
    assert!(all.resumed >= 40);
    let again = run_match(
        spec.clone(),
        run(60, 2, Some(&mut store), &stop),
        &mut |_| {},
    )
    .expect("a match");
    assert_eq!((again.played, again.resumed), (0, 60));
    assert_eq!(again.tally(), whole.tally());
    // Another limit is another match.
    let mut other = spec.clone();
    other.rules.limits.depth = Some(3);
    run_match(other, run(4, 2, Some(&mut store), &stop), &mut |_| {}).expect("a match");
    let matches = store.matches().expect("matches");
    assert_eq!(matches.iter().map(|m| m.games).collect::<Vec<_>>(), [60, 4]);
    assert_eq!(matches[0].results.iter().sum::<u64>(), 60);
    assert_eq!(matches[0].tally(), *whole.tally());
    // Writing a game again changes nothing, and a record can be read back from its text.
    let games = store.games(&all.id).expect("games");
    store.add(&games[3]).expect("no trouble");
    assert_eq!(store.games(&all.id).expect("games"), games);
    let text = games[3].to_string();
    assert_eq!(
        GameRecord::read_all(&text).expect("a record"),
        [games[3].clone()]
    );
}

#[test]
fn an_unfinished_game_counts_nowhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("games.db")).expect("a store");
    let spec = spec("random", "level:1", "kalah:4x3", Openings::Start);
    let stop = Stop::new();
    let played = run_match(spec, run(2, 1, Some(&mut store), &stop), &mut |_| {});
    let id = played.expect("a match").id;
    let mut record = store.games(&id).expect("games")[0].clone();
    record.number = 2;
    record.moves.pop();
    (record.winner, record.margin, record.ending) = (None, None, Ending::Unfinished);
    assert_eq!(record.result_text(), "*");
    for player in Player::BOTH {
        assert_eq!(record.verdict(player), None);
    }
    assert!(Brief::new(&record, Repetition::Chance).is_none());
    let refused = store.add(&record);
    assert!(matches!(refused, Err(ArenaError::Unfinished)));
    let matches = store.matches().expect("matches");
    assert_eq!(matches[0].games, 2);
    assert_eq!(matches[0].results.iter().sum::<u64>(), 2);
    // A drawn game is finished and counts.
    record.ending = Ending::Rules;
    assert_eq!(record.verdict(Player::First), Some(Verdict::Draw));
    store.add(&record).expect("a finished game");
    let tally = store.matches().expect("matches")[0].tally();
    assert_eq!((tally.games(), tally.pairs()), (3, 1));
}

#[test]
fn games_are_a_function_of_the_spec_and_their_numbers() {
    for (openings, pairs) in [
        (Openings::Random(3), 12),
        (Openings::Balanced(3), 12),
        // There are six openings of one move, so later pairs start over with the first.
        (Openings::Random(1), 12),
    ] {
        let spec = spec("mcts:playouts=30", "random", "kalah:6x4", openings);
        let whole = games(&spec, 2 * pairs, 2);
        let stop = Stop::new();
        // Four shards in any order, with any number of threads, make up the match.
        let mut parts = Vec::new();
        for (start, threads) in [(3, 1), (0, 3), (2, 2), (1, 1)] {
            let size = pairs / 2;
            let hands = Hands {
                threads,
                cache: None,
                stop: &stop,
            };
            let numbers = start * size..(start + 1) * size;
            play_games(&spec, numbers, &hands, &mut |record| {
                parts.push(record);
                Ok(())
            })
            .expect("games");
        }
        parts.sort_by_key(|record| record.number);
        assert_eq!(timeless(parts), whole);
    }
}

#[test]
fn a_sinks_error_ends_the_games() {
    let spec = spec("random", "random", "kalah:6x4", Openings::Start);
    let stop = Stop::new();
    let hands = Hands {
        threads: 2,
        cache: None,
        stop: &stop,
    };
    let mut heard = 0;
    let result = play_games(&spec, 0..10_000, &hands, &mut |_| {
        heard += 1;
        Err(ArenaError::Interrupted)
    });
    assert!(matches!(result, Err(ArenaError::Interrupted)));
    assert_eq!(heard, 1);
    assert!(!stop.is_requested());
}

#[test]
fn foreign_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("text.db");
    std::fs::write(
        &text,
        "this is not a database, but it is long enough to look at".repeat(30),
    )
    .expect("written");
    assert!(Store::open(&text).is_err());
    assert!(Store::open_existing(&folder.path().join("none.db")).is_err());
    assert!(Store::open(&folder.path().join("no/such/folder.db")).is_err());
}

#[test]
fn majority_changes_margins_but_not_results() {
    let plain = spec("random", "level:1", "kalah:6x4", Openings::Start);
    let mut early = plain.clone();
    early.rules.adjudicate = Adjudicate::Majority;
    let (plain, early) = (games(&plain, 60, 2), games(&early, 60, 2));
    let mut shorter = 0;
    for (plain, early) in plain.iter().zip(&early) {
        assert_eq!(plain.winner, early.winner);
        assert!(early.moves.len() <= plain.moves.len());
        assert_eq!(early.moves[..], plain.moves[..early.moves.len()]);
        shorter += u32::from(early.ending == Ending::Majority);
    }
    assert!(shorter > 20);
    let mut queen = spec("random", "level:1", "isolation:queen", Openings::Start);
    queen.rules.adjudicate = Adjudicate::Majority;
    let refused = run_match(queen, run(2, 1, None, &Stop::new()), &mut |_| {});
    assert!(matches!(refused, Err(ArenaError::Match(_))));
}

#[test]
fn proven_games_end_early_with_the_same_winner() {
    let mut early = spec(
        "engine:depth=8",
        "engine:depth=10",
        "kalah:4x3",
        Openings::Random(3),
    );
    early.rules.adjudicate = Adjudicate::Proven;
    let records = games(&early, 20, 2);
    assert!(records.iter().any(|record| record.ending == Ending::Proven));
    assert!(records.iter().all(|record| record.margin.is_some()));
}

#[test]
fn a_proof_of_the_winner_alone_gives_no_margin() {
    let mut early = spec(
        "mcts:playouts=2000",
        "mcts:playouts=3000",
        "kalah:3x2",
        Openings::Random(2),
    );
    early.rules.adjudicate = Adjudicate::Proven;
    let mut proven = 0;
    for record in games(&early, 20, 2) {
        if record.ending == Ending::Proven {
            proven += 1;
            let margin = record.winner.is_none().then_some(0);
            assert_eq!(record.margin, margin, "{record}");
        }
    }
    assert!(proven > 0);
}

/// A match on a clock that no agent can keep to.
fn hurried(a: &str, b: &str) -> MatchSpec {
    let mut spec = spec(a, b, "kalah:6x6", Openings::Start);
    spec.rules = Rules {
        clock: Some("1us+0s".parse().expect("a clock")),
        grace: Duration::ZERO,
        ..Rules::default()
    };
    spec
}

#[test]
fn a_late_move_loses() {
    // The player that moves first loses, whether it has its own limits or not: the clock applies to both. (A level might
    // find a move within a microsecond.)
    for (agent, other) in [("mcts", "engine"), ("engine:depth=8", "mcts:playouts=9")] {
        let result = play(&hurried(agent, other), 4, 2);
        let [one, two] = result.counter.forfeits();
        assert_eq!((one.time, two.time), (2, 2), "{agent}");
        assert_eq!((one.total(), two.total()), (2, 2), "{agent}");
        let reason = result.counter.first_reason(0).unwrap_or_default();
        assert!(reason.contains("game 1: time: "), "{reason}");
    }
}

#[test]
fn a_clock_lasts_for_the_whole_game() {
    let mut timed = spec("engine", "mcts", "kalah:4x3", Openings::Random(2));
    timed.rules.clock = Some("3s+5ms".parse().expect("a clock"));
    let records = games(&timed, 4, 2);
    assert!(records.iter().all(|record| record.ending == Ending::Rules));
}

#[test]
fn a_test_always_stops_the_match_at_the_same_game() {
    let spec = spec("level:4", "level:1", "kalah:6x4", Openings::Random(4));
    let sprt: Sprt = "elo0=0,elo1=50".parse().expect("a test");
    let decided = |concurrency| {
        let stop = Stop::new();
        let mut run = run(2_000, concurrency, None, &stop);
        run.sprt = Some(sprt);
        run_match(spec.clone(), run, &mut |_| {}).expect("a match")
    };
    let (one, many) = (decided(1), decided(4));
    assert_eq!(one.stopped, Stopped::Decided(Decision::H1));
    assert_eq!(one.tally(), many.tally());
    assert!(one.tally().games() < 1_000);
}

#[test]
fn impossible_agents_are_an_error_before_any_game() {
    let result = run_match(
        spec("random", "level:13", "kalah:6x4", Openings::Start),
        run(4, 1, None, &Stop::new()),
        &mut |_| {},
    );
    assert!(matches!(result, Err(ArenaError::Agent(_))));
    let none = run_match(
        spec("random", "random", "kalah:6x4", Openings::Start),
        run(0, 1, None, &Stop::new()),
        &mut |_| {},
    );
    assert!(none.is_err());
}

#[test]
fn tournaments_rank_levels() {
    for (schedule, meetings) in [
        (Schedule::RoundRobin, 6),
        (Schedule::Gauntlet, 3),
        (Schedule::Swiss, 4),
    ] {
        let spec = TournamentSpec {
            agents: ["level:4", "random", "level:2", "level:1"]
                .map(|name| name.parse().expect("an agent"))
                .to_vec(),
            game: "kalah:6x4".parse().expect("a game"),
            openings: Some(Openings::Random(4)),
            rng_seed: 1,
            rules: Rules::default(),
            schedule,
            games: 40,
            rounds: 0,
        };
        let stop = Stop::new();
        let run = TournamentRun {
            concurrency: 2,
            store: None,
            mix: false,
            cache: None,
            stop: &stop,
        };
        let played = run_tournament(&spec, run, &mut |_, _| {}).expect("a tournament");
        assert_eq!(played.meetings.len(), meetings);
        assert_eq!(played.standings.len(), 4);
        let elo = |agent: usize| {
            let found = played.standings.iter().find(|s| s.agent == agent);
            found.expect("every agent has a standing").elo
        };
        assert!(elo(0) > elo(1));
        let (tally, margin) = played.head_to_head(0, 1).expect("they met");
        assert_eq!(
            played.head_to_head(1, 0).expect("they met").0,
            tally.opposite()
        );
        assert!(margin.is_some_and(|margin| margin > 0.0));
        if schedule != Schedule::Gauntlet {
            assert_eq!(played.standings[0].agent, 0);
            assert_eq!(played.standings[3].agent, 1);
        }
    }
}

#[test]
fn a_report_does_not_count_what_repeats() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("games.db")).expect("a store");
    let spec = spec("level:1", "level:2", "kalah:6x4", Openings::Random(3));
    let played = games(&spec, 4, 1);
    let identity =
        Identity::of(&spec.agents.clone().map(|agent| agent.spec), spec.game).expect("an identity");
    let match_id = store.begin(&spec, &identity).expect("begun");
    let numbered = |game: &GameRecord, number: u32| GameRecord {
        number,
        match_id: match_id.clone(),
        ..game.clone()
    };
    for (number, game) in (0..).zip(played.iter().chain(&played)) {
        store.add(&numbered(game, number)).expect("added");
    }
    let data = &gather(&store).expect("data")[0];
    assert_eq!((data.games, data.repeats), (4, 4));
    assert_eq!(data.lengths.len(), 4);

    // The same opening continued differently: the players vary, so every game counts.
    let mut other = numbered(&played[0], 8);
    other.moves.truncate(other.book + 3);
    (other.ending, other.margin) = (Ending::Resigned, None);
    store.add(&other).expect("added");
    let data = &gather(&store).expect("data")[0];
    assert_eq!((data.games, data.repeats), (9, 0));
}
