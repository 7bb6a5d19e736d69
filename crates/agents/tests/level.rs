//! Levels: a time limit is a safety net, not another player.

use kalahari_agents::Player;
use kalahari_games::Game;
use kalahari_games::kalah::Kalah;
use kalahari_search::{Limits, Stop};

#[test]
fn a_level_with_time_enough_plays_the_same() {
    let game = Kalah::default();
    let player = |spec: &str| {
        let spec = spec.parse().expect("an agent");
        Player::new(&spec, &game, 1).expect("a player")
    };
    for level in 0..=5 {
        let mut usual = player(&format!("level:{level},seed=3"));
        let mut patient = player(&format!("level:{level},seed=3,time=60s"));
        let mut position = game.start();
        for _ in 0..12 {
            let chosen = usual.choose(position, Limits::default(), &Stop::new()).best;
            let same = patient.choose(position, Limits::default(), &Stop::new());
            assert_eq!(same.best, chosen, "level {level}");
            match chosen {
                Some(mv) => position = game.play(&position, mv).expect("a legal move"),
                None => break,
            }
        }
    }
}

#[test]
fn a_deep_level_answers_in_time() {
    let game = kalahari_games::isolation::Isolation::<u64>::new(
        "isolation:classic".parse().expect("a game"),
    )
    .expect("it fits");
    let spec = "level:12,time=100ms".parse().expect("an agent");
    let mut player = Player::new(&spec, &game, 1).expect("a player");
    let report = player.choose(game.start(), Limits::default(), &Stop::new());
    assert!(report.best.is_some());
    assert!(report.depth >= 1, "a finished search decides");
}
