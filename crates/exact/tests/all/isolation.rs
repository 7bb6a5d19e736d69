//! The Isolation solver checked against a plain negamax. `kalahari-selftest` has the known values.

use kalahari_exact::Effort;
use kalahari_exact::isolation::IsolationSolver;
use kalahari_games::Game;
use kalahari_games::isolation::{Isolation, IsolationPosition, IsolationSpec};
use kalahari_oracle::{GridIsolation, IsolationProof};
use kalahari_terms::Stop;
use std::collections::HashMap;

fn unlimited() -> Effort {
    Effort::from(&Stop::new())
}

fn game(name: &str) -> Isolation<u64> {
    let spec: IsolationSpec = name.parse().expect("a game");
    Isolation::new(spec).expect("fits")
}

fn start_value(name: &str) -> i32 {
    let game = game(name);
    let mut solver = IsolationSolver::new(&game, 64 << 20);
    let position = game.start();
    let bounds = solver.value(&position, &unlimited(), &mut |_| ());
    let value = bounds.exact().expect("proven");
    let line = solver.line(&position, value, usize::MAX, &unlimited());
    let end = line.iter().fold(position, |position, &mv| {
        game.play(&position, mv).expect("legal")
    });
    let outcome = game.outcome(&end).expect("a line to the end");
    assert_eq!(outcome.margin(position.player()), value, "{name}");
    value
}

/// The value from the mover's point of view, by a full search.
fn negamax(
    game: &Isolation<u64>,
    position: &IsolationPosition<u64>,
    seen: &mut HashMap<IsolationPosition<u64>, i32>,
) -> i32 {
    if let Some(outcome) = game.outcome(position) {
        return outcome.margin(position.player());
    }
    if let Some(value) = seen.get(position) {
        return *value;
    }
    let value = game
        .moves(position)
        .map(|mv| -negamax(game, &game.play_unchecked(position, mv), seen))
        .max()
        .expect("a game that is not over has moves");
    seen.insert(*position, value);
    value
}

#[test]
fn every_move_has_the_value_of_a_plain_negamax() {
    for name in [
        "3x3:trail",
        "3x4:trail",
        "4x3:trail",
        "2x3:classic",
        "3x3:queen",
        "3x4:knight",
    ] {
        let game = game(&format!("isolation:{name}"));
        let mut solver = IsolationSolver::new(&game, 1 << 20);
        let mut seen = HashMap::new();
        let mut positions = vec![game.start()];
        for step in 0..40 {
            let Some(position) = positions.pop() else {
                break;
            };
            let expected = negamax(&game, &position, &mut seen);
            let bounds = solver.value(&position, &unlimited(), &mut |_| ());
            assert_eq!(bounds.exact(), Some(expected), "{name}");
            for (mv, bounds) in solver.moves(&position, &unlimited(), &mut |_, _| ()) {
                let after = game.play_unchecked(&position, mv);
                let expected = -negamax(&game, &after, &mut seen);
                assert_eq!(bounds.exact(), Some(expected), "{name} {mv}");
                if (step + positions.len()) % 3 != 1 {
                    positions.push(after);
                }
            }
        }
    }
}

/// The solver's value of the start, proven by a program that shares nothing with it.
fn check_start(name: &str) {
    let name = format!("isolation:{name}");
    let value = start_value(&name);
    let start = GridIsolation::start(name.parse().expect("a game"));
    let mut oracle = IsolationProof::default();
    assert!(oracle.at_least(&start, value), "{name} is below {value}");
    assert!(
        !oracle.at_least(&start, value + 1),
        "{name} is above {value}"
    );
}

#[test]
fn boards_have_the_values_of_the_oracle() {
    for name in [
        "5x6:trail",
        "6x6:trail",
        "4x4:queen",
        "5x5:knight",
        "3x4:classic",
    ] {
        check_start(name);
    }
}

#[test]
#[ignore = "long: a minute, most of it in the oracle"]
fn larger_boards_have_the_values_of_the_oracle() {
    for name in ["6x7:trail", "4x5:queen", "5x6:knight", "4x4:classic"] {
        check_start(name);
    }
}
