//! The agent `perfect` against plain negamax, and its honesty when there is no time.

use kalahari_agents::{AgentSpec, Player};
use kalahari_games::{Game, GameSpec, Totals};
use kalahari_oracle::{Negamax, is_small};
use kalahari_search::{Limits, Rng, SearchVisitor, Searchable, Stop, visit};
use std::time::Duration;

fn perfect() -> AgentSpec {
    "perfect".parse().expect("a spec")
}

/// Plays random moves until few are left to play, then compares.
struct Compare;

impl SearchVisitor for Compare {
    type Output = ();

    fn visit<G: Searchable>(self, game: G) {
        let mut player = Player::new(&perfect(), &game, 1).expect("an agent");
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
            let small = |position: &&G::Position| is_small(&game, position, 3_000);
            let position = *positions.iter().find(small).expect("the last one is over");
            let truth = Negamax {
                game: &game,
                eval: &|_, _| unreachable!("negamax runs to the end"),
                finished: &|margin| margin,
                extra: 1,
            };
            let report = player.analyse(position, Limits::default(), &Stop::new(), &mut |_| {});
            assert!(report.proven);
            assert_eq!(report.value as i32, truth.value(&position, i32::MAX, false));
            for (mv, value) in report.moves {
                assert_eq!(value as i32, truth.move_value(&position, mv, i32::MAX));
            }
            if let Some(best) = report.best {
                assert_eq!(
                    report.value as i32,
                    truth.move_value(&position, best, i32::MAX)
                );
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
        let spec: GameSpec = game.parse().expect("a spec");
        visit(spec, Totals::Exact, Compare);
    }
}

#[test]
fn what_cannot_be_proven_in_time_is_not_called_proven() {
    let game = kalahari_games::kalah::Kalah::default();
    let mut player = Player::new(&perfect(), &game, 1).expect("an agent");
    let limits = Limits {
        time: Some(Duration::from_millis(100)),
        ..Limits::default()
    };
    let report = player.choose(game.start(), limits, &Stop::new());
    assert!(!report.proven);
    assert!(report.best.is_some());
}
