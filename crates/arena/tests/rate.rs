//! Making ladders and rating agents on them.

use kalahari_agents::AgentSpec;
use kalahari_arena::rate::{Ladder, LadderSpec, RateSpec, Rated, RatingEnded, make_ladder, rate};
use kalahari_arena::{
    ArenaError, MatchSpec, Openings, Rules, Run, Store, TournamentRun, run_match,
};
use kalahari_terms::Stop;

fn agent(text: &str) -> AgentSpec {
    text.parse().expect("an agent")
}

fn run<'a>(store: Option<&'a mut Store>, stop: &'a Stop, concurrency: usize) -> TournamentRun<'a> {
    TournamentRun {
        concurrency,
        store,
        mix: false,
        cache: None,
        stop,
    }
}

fn small_ladder(store: Option<&mut Store>) -> Ladder {
    let spec = LadderSpec {
        game: "kalah:4x3".parse().expect("a game"),
        agents: [
            "level:0",
            "level:1",
            "level:3",
            "engine:nodes=300,tablebase=0,book=0",
        ]
        .map(agent)
        .to_vec(),
        openings: Openings::Random(4),
        rng_seed: 3,
        games: 20,
        rounds: 2,
        reach: 2,
    };
    let stop = Stop::new();
    let made = make_ladder(&spec, run(store, &stop, 2), &mut |_, _| {}).expect("made");
    assert!(made.whole);
    made.ladder.expect("every player has played")
}

fn rated(text: &str, ladder: &Ladder, store: Option<&mut Store>, concurrency: usize) -> Rated {
    let spec = RateSpec {
        agent: agent(text).into(),
        game: ladder.game,
        rules: Rules::default(),
        error: 70.0,
        games: 120,
    };
    let stop = Stop::new();
    rate(
        &spec,
        ladder,
        run(store, &stop, concurrency),
        &mut |_, _| {},
    )
    .expect("rated")
}

#[test]
fn a_ladder_is_the_same_twice_and_stronger_players_stand_higher() {
    let ladder = small_ladder(None);
    let place = tempfile::tempdir().expect("a directory");
    let mut store = Store::open(&place.path().join("games.db")).expect("a store");
    assert_eq!(small_ladder(Some(&mut store)), ladder);
    // All games are there already.
    assert_eq!(small_ladder(Some(&mut store)), ladder);
    assert_eq!(Ladder::read(&ladder.text()).expect("good"), ladder);
    let rating = |text: &str| {
        let found = ladder.rungs.iter().find(|rung| rung.agent == agent(text));
        found.expect("on the ladder").rating
    };
    assert_eq!(rating("level:0"), 0.0);
    assert!(rating("level:1") > 50.0);
    assert!(rating("level:3") > rating("level:1"));
}

#[test]
fn a_player_of_the_ladder_is_found_where_it_stands() {
    let ladder = small_ladder(None);
    let found = rated("level:2", &ladder, None, 2);
    let place = |text: &str| {
        let mut rungs = ladder.rungs.iter();
        rungs
            .find(|rung| rung.agent == agent(text))
            .expect("a rung")
            .rating
    };
    assert!(found.rating.elo > place("level:0"), "{:?}", found.rating);
    assert!(found.rating.elo < place("engine:nodes=300,tablebase=0,book=0") + 100.0);
    assert!(found.games() >= 24 && found.games() <= 120);
    assert!(
        found.met.len() > 1,
        "there should be more than one opponent"
    );
    match found.ended {
        RatingEnded::Precise => assert!(found.rating.error <= 70.0),
        ended => assert_eq!(ended, RatingEnded::Games),
    }
}

/// Games of the store count even if the rating does not need them, such as those of shards or of a rating with a smaller error.
#[test]
fn all_games_of_the_store_count() {
    let ladder = small_ladder(None);
    let place = tempfile::tempdir().expect("a directory");
    let mut store = Store::open(&place.path().join("games.db")).expect("a store");
    let few = rated("level:1", &ladder, None, 1);
    // Every player is met equally often, as in shards.
    let stop = Stop::new();
    for rung in &ladder.rungs {
        let spec = MatchSpec {
            agents: [agent("level:1").into(), rung.agent.clone().into()],
            game: ladder.game,
            openings: ladder.openings.clone(),
            rng_seed: ladder.rng_seed,
            rules: Rules::default(),
        };
        let match_run = Run {
            games: 24,
            concurrency: 2,
            sprt: None,
            store: Some(&mut store),
            mix: false,
            cache: None,
            stop: &stop,
        };
        run_match(spec, match_run, &mut |_| {}).expect("played");
    }
    let there: u64 = store
        .matches()
        .expect("matches")
        .iter()
        .map(|m| m.games)
        .sum();
    let all = rated("level:1", &ladder, Some(&mut store), 2);
    let after: u64 = store
        .matches()
        .expect("matches")
        .iter()
        .map(|m| m.games)
        .sum();
    assert!(all.games() > few.games() && after <= 120, "{after}");
    assert!(u64::from(all.resumed) == there && all.met.len() == ladder.rungs.len());
    assert!(all.rating.error < few.rating.error || few.rating.error <= 70.0);
}

#[test]
fn a_rating_continues_where_it_was_stopped() {
    let ladder = small_ladder(None);
    let whole = rated("level:1", &ladder, None, 1);
    let place = tempfile::tempdir().expect("a directory");
    let mut store = Store::open(&place.path().join("games.db")).expect("a store");
    let spec = RateSpec {
        agent: agent("level:1").into(),
        game: ladder.game,
        rules: Rules::default(),
        error: 70.0,
        games: 120,
    };
    let stop = Stop::new();
    let mut played = 0;
    let cut = rate(
        &spec,
        &ladder,
        run(Some(&mut store), &stop, 2),
        &mut |_, game| {
            played += u32::from(game.is_some());
            if played == 13 {
                stop.request();
            }
        },
    );
    assert_eq!(cut.expect("a part").ended, RatingEnded::Interrupted);
    let again = rated("level:1", &ladder, Some(&mut store), 2);
    assert!(again.resumed >= 13, "{}", again.resumed);
    assert_eq!(again.rating, whole.rating);
    let tallies = |rated: &Rated| -> Vec<_> {
        let met = rated.met.iter();
        met.map(|met| (met.rung, *met.counter.tally())).collect()
    };
    assert_eq!(tallies(&again), tallies(&whole));
    let third = rated("level:1", &ladder, Some(&mut store), 1);
    assert_eq!(u64::from(third.resumed), third.games());
    assert_eq!(third.rating, whole.rating);
}

#[test]
fn a_ladder_of_another_game_is_refused() {
    let ladder = small_ladder(None);
    let spec = RateSpec {
        agent: agent("random").into(),
        game: "kalah:6x4".parse().expect("a game"),
        rules: Rules::default(),
        error: 40.0,
        games: 10,
    };
    let stop = Stop::new();
    let refused = rate(&spec, &ladder, run(None, &stop, 1), &mut |_, _| {});
    assert!(matches!(refused, Err(ArenaError::Match(_))));
}

#[test]
fn specs_are_read_and_written() {
    let text = r#"{"agent": "level:3", "game": "kalah:6x6:standard"}"#;
    let spec: RateSpec = serde_json::from_str(text).expect("a spec");
    assert_eq!((spec.error, spec.games), (40.0, 600));
    let again = serde_json::to_string(&spec).expect("written");
    assert_eq!(
        serde_json::from_str::<RateSpec>(&again).expect("read"),
        spec
    );
    assert!(serde_json::from_str::<RateSpec>(&text.replace("agent", "agents")).is_err());
    let usual = LadderSpec::usual("kalah:6x6".parse().expect("a game"));
    let again = serde_json::to_string(&usual).expect("written");
    assert_eq!(
        serde_json::from_str::<LadderSpec>(&again).expect("read"),
        usual
    );
}
