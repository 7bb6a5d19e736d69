//! Levels: a time limit is a safety net that normally does not change the moves.

use kalahari_agents::Player;
use kalahari_games::{AnyGame, Game};
use kalahari_terms::{Limits, Stop};

#[test]
fn a_level_with_enough_time_plays_the_same() {
    let game = AnyGame::new("kalah:6x6".parse().expect("a game"));
    let player = |spec: &str| {
        let spec = spec.parse().expect("an agent");
        Player::new(&spec, &game, 1).expect("a player")
    };
    for level in 0..=5 {
        let mut usual = player(&format!("level:{level},seed=3"));
        let mut patient = player(&format!("level:{level},seed=3,time=60s"));
        let mut position = game.start();
        for _ in 0..12 {
            let ask = |player: &mut Player| {
                let answer = player.choose(&position, Limits::NONE, &Stop::new());
                answer.expect("built-in agents do not fail").best
            };
            let chosen = ask(&mut usual);
            assert_eq!(ask(&mut patient), chosen, "level {level}");
            match chosen {
                Some(mv) => position = game.play(&position, mv).expect("a legal move"),
                None => break,
            }
        }
    }
}

#[test]
fn a_deep_level_answers_in_time() {
    let game = AnyGame::new("isolation:classic".parse().expect("a game"));
    let spec = "level:12,time=100ms".parse().expect("an agent");
    let mut player = Player::new(&spec, &game, 1).expect("a player");
    let report = player.choose(&game.start(), Limits::NONE, &Stop::new());
    let report = report.expect("built-in agents do not fail");
    assert!(report.best.is_some());
    assert!(report.depth >= 1, "a finished search decides");
}
