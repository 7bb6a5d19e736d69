//! The operator's store over HTTP.

use crate::common::Running;
use kalahari_arena::stats::{EloModel, Tally};
use kalahari_arena::{
    Ending, GameRecord, MatchSpec, Openings, RecordedMove, Rules, Store, Summary, Who,
};
use kalahari_games::Player;
use serde_json::json;

fn spec() -> MatchSpec {
    MatchSpec {
        agents: ["level:1", "level:0"].map(|agent| agent.parse().expect("an agent")),
        game: "kalah:6x4".parse().expect("a game"),
        openings: Openings::parse("random:2").expect("openings"),
        rng_seed: 1,
        rules: Rules::default(),
    }
}

fn record(match_id: &str, number: u32) -> GameRecord {
    let players = ["level:1", "level:0"].map(Who::from);
    GameRecord {
        game: "kalah:6x4".parse().expect("a game"),
        players: if number.is_multiple_of(2) {
            players
        } else {
            [players[1].clone(), players[0].clone()]
        },
        start: None,
        book: 1,
        // Each pair has its own opening: games that repeat others are not counted.
        moves: [["2", "5"], ["1", "5"]][number as usize / 2]
            .map(|mv| RecordedMove::book(mv.parse().expect("a move")))
            .to_vec(),
        winner: Some(Player::First),
        margin: Some(4),
        ending: Ending::Rules,
        detail: String::new(),
        match_id: match_id.to_owned(),
        number,
        rng_seed: 1,
    }
}

#[test]
fn a_store_is_shown_with_its_pictures_and_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    let mut store = Store::open(&file).expect("a store");
    let identity = spec().identity().expect("an identity");
    let resumed = store.resume(&spec(), &identity, false).expect("a match");
    for number in 0..4 {
        store.add(&record(&resumed.id, number)).expect("a game");
    }
    let server = Running::start(Some(file), |_| {});
    assert_eq!(server.get("/api/v1/meta").ok()["arena"], true);
    let seen = server.get("/api/v1/arena").ok();
    assert_eq!(seen["games"][0]["games"], 4);
    assert_eq!(
        seen["games"][0]["players"].as_array().map(Vec::len),
        Some(2)
    );
    let entry = &seen["matches"][0];
    assert_eq!((&entry["wins"], &entry["losses"]), (&json!(2), &json!(2)));
    // Both games of each opening were won by the same seat: two even pairs say more than four single games.
    let pairs = Tally {
        pentanomial: [0, 0, 2, 0, 0],
        ..Tally::of_games(2, 0, 2)
    };
    let expected = Summary::new(&pairs, EloModel::default(), None);
    assert_eq!(entry["elo_error"], json!(expected.elo_error));
    assert_ne!(
        expected.elo_error,
        Summary::new(&Tally::of_games(2, 0, 2), EloModel::default(), None).elo_error
    );
    let plots = seen["games"][0]["plots"].as_array().expect("plots");
    assert_eq!(plots.len(), 5);
    for plot in plots {
        let picture = server.get(plot["url"].as_str().expect("an address"));
        assert_eq!(picture.status, 200);
        assert!(picture.head.contains("image/svg+xml"));
        assert!(picture.body.contains("<svg"));
    }
    let id = entry["id"].as_str().expect("an id");
    let games = server
        .get(&format!("/api/v1/arena/matches/{id}?from=1&count=2"))
        .ok();
    assert_eq!(games["total"], 4);
    assert_eq!(games["games"].as_array().map(Vec::len), Some(2));
    let line = &games["games"][0]["line"];
    assert_eq!(
        server.post("/api/v1/line", line).ok()["moves"],
        json!(["2", "5"])
    );
    for path in [
        "/api/v1/arena/plots/nothing.svg",
        "/api/v1/arena/plots/..%2Fgames.db",
        "/api/v1/arena/matches/nothing",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}
