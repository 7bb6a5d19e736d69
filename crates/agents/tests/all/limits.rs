//! Limits of a spec, of a command and of a game's clock together; boards of every kind.

use kalahari_agents::{AgentSpec, Player, parameters};
use kalahari_games::AnyGame;
use kalahari_terms::{GameClock, Limits};
use std::time::Duration;

fn player(spec: &str) -> Player {
    let game = AnyGame::new("kalah:6x4".parse().expect("a game"));
    Player::new(&spec.parse().expect("a spec"), &game, 1).expect("an agent")
}

#[test]
fn the_clock_binds_an_agent_with_limits_of_its_own() {
    let clock = GameClock {
        remaining: Duration::from_secs(5),
        increment: Duration::ZERO,
    };
    let asked = Limits {
        nodes: Some(7),
        clock: Some(clock),
        ..Limits::NONE
    };
    let limits = player("engine:depth=8").limits(asked);
    assert_eq!((limits.depth, limits.nodes), (Some(8), None));
    assert_eq!(limits.clock, Some(clock));
    assert_eq!(limits.latest(), Some(Duration::from_secs(5)));
    assert_eq!(player("engine").limits(asked), asked);
}

#[test]
fn every_search_has_a_limit() {
    assert!(!player("engine").limits(Limits::NONE).is_unlimited());
    assert_eq!(player("alphabeta").limits(Limits::NONE), Limits::depth(6));
    let own = player("engine:time=1s").limits(Limits::nodes(3));
    assert_eq!(own, Limits::time(Duration::from_secs(1)));
}

#[test]
fn every_kind_of_board_is_known() {
    let spec: AgentSpec = "engine".parse().expect("a spec");
    for game in [
        "kalah:6x4",
        "kalah:12x4",
        "kalah:12x20",
        "isolation:8x8:trail",
        "isolation:9x11:knight",
        "isolation:15x15:queen",
        "isolation:16x16:classic",
    ] {
        let any = AnyGame::new(game.parse().expect("a game"));
        let found = parameters(&spec, &any);
        assert!(found.is_ok(), "{game}: {found:?}");
    }
}
