//! Clients of the Kalah Game Protocol: their boards, and specs of them that are wrong.

use kalahari_agents::{AgentSpec, Player, board_of, setup_of};
use kalahari_games::kalah::KalahSetup;
use kalahari_games::{AnyGame, View};

#[test]
fn boards_travel_there_and_back() {
    let game = AnyGame::new("kalah:3x4".parse().expect("a game"));
    for text in ["1 2 3 10 4 2 0 2 0", "1 2 3 10 4 2 0 2 1"] {
        let setup: KalahSetup = text.parse().expect("a position");
        let board = board_of(&setup).expect("a board");
        assert_eq!(board.to_string(), setup.protocol_literal());
        assert_eq!(setup_of(&board, setup.player), Some(setup.clone()));
        assert!(game.position(&View::Kalah(setup)).is_ok());
    }
}

#[test]
fn specs_say_what_is_wrong() {
    let of = |spec: &str, game: &str| {
        let spec: AgentSpec = spec.parse().expect("a spec");
        let game = AnyGame::new(game.parse().expect("a game"));
        let built = Player::new(&spec, &game, 1);
        built.err().map(|error| error.to_string())
    };
    assert_eq!(
        of("kgp:alice,listen=127.0.0.1:0,wait=1s", "kalah:6x4"),
        None
    );
    for (spec, game, problem) in [
        ("kgp", "kalah:6x4", "a client's name"),
        ("kgp:a,wait=x", "kalah:6x4", "not a time"),
        ("kgp:a,listen=here", "kalah:6x4", "listen=here"),
        ("kgp:a,depth=3", "kalah:6x4", "unknown option 'depth'"),
        ("kgp:a,listen=127.0.0.1:0", "isolation", "standard only"),
        (
            "kgp:a,listen=127.0.0.1:0",
            "kalah:6x4:empty-capture",
            "standard only",
        ),
    ] {
        let found = of(spec, game).expect(spec);
        assert!(found.contains(problem), "{found}");
    }
}
