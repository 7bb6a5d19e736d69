//! The agent `perfect` against plain negamax, and its reports when there is no time for a proof.

use kalahari_agents::{AgentSpec, Player};
use kalahari_games::{AnyGame, Game, Typed, with_game};
use kalahari_oracle::{Negamax, is_small};
use kalahari_search::Rng;
use kalahari_terms::{Limits, Stop};
use std::time::{Duration, Instant};

fn perfect(options: &str) -> AgentSpec {
    format!("perfect{options}").parse().expect("a spec")
}

/// Plays random moves until the rest of the game is small, then compares.
fn compare<G: Typed>(game: &G) {
    let any = game.clone().erase();
    let mut player = Player::new(&perfect(""), &any, 1).expect("an agent");
    let mut rng = Rng::new(4);
    for _ in 0..12 {
        let mut positions = vec![game.start()];
        while let Some(mv) = {
            let last = positions[positions.len() - 1];
            let count = game.count_moves(&last) as usize;
            game.moves(&last).nth(rng.below(count))
        } {
            positions.push(game.play_unchecked(&positions[positions.len() - 1], mv));
        }
        let small = |position: &&G::Position| is_small(game, position, 3_000);
        let position = *positions.iter().find(small).expect("the last one is over");
        let truth = Negamax {
            game,
            eval: &|_, _| unreachable!("negamax runs to the end"),
            finished: &|margin| margin,
            extra: 1,
        };
        let place = G::erase_position(position);
        let report = player.think(&place, Limits::NONE, &Stop::new(), true, &mut |_| {});
        let report = report.expect("built-in agents do not fail");
        assert!(report.score.is_proven());
        let value = f64::from(truth.value(&position, i32::MAX, false));
        assert_eq!(report.score.amount(), value);
        for (mv, score) in report.moves {
            let mv = G::typed_move(mv).expect("a move of this game");
            let worth = f64::from(truth.move_value(&position, mv, i32::MAX));
            assert_eq!(score.amount(), worth);
            if report.best == Some(G::erase_move(mv)) {
                assert_eq!(worth, value);
            }
        }
    }
}

#[test]
fn perfect_moves_are_best() {
    for game in [
        "kalah:2x3",
        "kalah:3x2:empty-capture",
        "kalah:4x2:pre-move-empty",
        "kalah:8x1",
        "isolation:3x3:trail",
        "isolation:3x3:queen",
        "isolation:4x3:knight",
    ] {
        let game = AnyGame::new(game.parse().expect("a spec"));
        with_game!(&game, game => compare(game));
    }
}

#[test]
fn what_cannot_be_proven_in_time_is_not_called_proven() {
    let game = AnyGame::new("kalah:6x6".parse().expect("a game"));
    let mut player = Player::new(&perfect(""), &game, 1).expect("an agent");
    let limits = Limits::time(Duration::from_millis(100));
    let report = player.choose(&game.start(), limits, &Stop::new());
    let report = report.expect("built-in agents do not fail");
    assert!(!report.score.is_proven());
    assert!(report.best.is_some());
}

#[test]
fn a_depth_or_nodes_alone_end_it_too() {
    let game = AnyGame::new("kalah:6x6".parse().expect("a game"));
    for (options, patience) in [(":nodes=20000,threads=1", 20), (":depth=3", 40)] {
        let begin = Instant::now();
        let mut player = Player::new(&perfect(options), &game, 1).expect("an agent");
        let report = player.choose(&game.start(), Limits::NONE, &Stop::new());
        assert!(report.expect("built-in agents do not fail").best.is_some());
        assert!(begin.elapsed() < Duration::from_secs(patience), "{options}");
    }
}
