//! The Kalah solver checked against a full negamax. `kalahari-selftest` has the published values.

use kalahari_exact::Effort;
use kalahari_exact::kalah::{Solver, SolverOptions, Techniques, suggested_memory};
use kalahari_exact::tablebase::{TableSpec, Tablebase};
use kalahari_games::Game;
use kalahari_games::kalah::{Board, CaptureRule, Kalah, KalahSpec, Packed, Pit, Wide};
use kalahari_oracle::{ArrayKalah, KalahNegamax};
use kalahari_terms::Stop;
use std::sync::Arc;

fn unlimited(threads: usize) -> Effort {
    Effort::from(&Stop::new()).with_threads(threads)
}

fn options(spec: KalahSpec, tablebase_seeds: usize) -> SolverOptions {
    let tablebase = TableSpec::of_game(spec)
        .filter(|_| tablebase_seeds > 0)
        .map(|table| {
            Arc::new(Tablebase::build(table, tablebase_seeds, &Stop::new()).expect("built"))
        });
    SolverOptions {
        memory: match spec.pits() {
            6 => suggested_memory(6, spec.total()),
            _ => 16 << 20,
        },
        tablebase,
        techniques: Techniques::default(),
    }
}

fn moves_of<B: Board>(solver: &Solver<B>, position: &B, threads: usize) -> Vec<Option<i32>> {
    let best = value_of(solver, position, threads);
    let values = solver.moves(position, best, &unlimited(threads), &mut |_, _| ());
    let exact = |bounds: kalahari_exact::Bounds| bounds.exact().expect("proven");
    values.into_iter().map(|bounds| bounds.map(exact)).collect()
}

fn value_of<B: Board>(solver: &Solver<B>, position: &B, threads: usize) -> i32 {
    solver
        .margin(position, &unlimited(threads), &mut |_| ())
        .exact()
        .expect("proven")
}

/// Plays a line and checks that it ends the game with the margin.
fn check_line<B: Board>(solver: &Solver<B>, position: &B, margin: i32, threads: usize) {
    let line = solver.line(position, margin, usize::MAX, &unlimited(threads));
    let mut end = *position;
    for pit in line {
        end = solver.game().play(&end, pit).expect("a legal line");
    }
    let outcome = solver.game().outcome(&end).expect("a line to the end");
    assert_eq!(outcome.margin(position.player()), margin);
}

/// Positions reached by a fixed walk of legal moves.
fn walks<B: Board>(game: &Kalah<B>, moves: usize, walks: usize) -> Vec<B> {
    let mut state = 12345_u64;
    let mut below = |end: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % end
    };
    let walk = |_| {
        let mut position = game.start();
        for _ in 0..moves {
            let choices: Vec<Pit> = game.moves(&position).collect();
            if choices.is_empty() {
                break;
            }
            position = game.play_unchecked(&position, choices[below(choices.len())]);
        }
        position
    };
    (0..walks).map(walk).collect()
}

fn check_against_oracle<B: Board>(game: &Kalah<B>, tablebase: usize, threads: usize, moves: usize) {
    let spec = game.kalah_spec();
    let solver = Solver::new(game, spec.total(), options(spec, tablebase)).expect("a solver");
    let mut oracle = KalahNegamax::default();
    let few = |position: &B| game.pits() < 7 || position.seeds_in_play() <= 8;
    for position in walks(game, moves, 12).into_iter().filter(few) {
        let array = ArrayKalah::from_setup(spec, &game.setup(&position));
        let expected = oracle.final_margin(&array);
        let text = game.position_text(&position);
        assert_eq!(
            value_of(&solver, &position, threads),
            expected,
            "{spec} {text}"
        );
        for (pit, value) in moves_of(&solver, &position, threads)
            .into_iter()
            .enumerate()
        {
            let expected = array
                .is_legal(pit)
                .then(|| oracle.margin_of_move(&array, pit));
            assert_eq!(value, expected, "{spec} {text} move {pit}");
        }
        check_line(&solver, &position, expected, threads);
    }
}

#[test]
fn every_rule_and_board_layout_agrees_with_the_oracle() {
    for rule in CaptureRule::ALL {
        for (pits, seeds, moves) in [(1, 9, 1), (2, 5, 2), (3, 3, 0), (4, 2, 0)] {
            let spec = KalahSpec::new(pits, seeds, rule).expect("a game");
            let game = Kalah::<Packed>::new(spec).expect("fits");
            check_against_oracle(&game, 0, 1, moves);
            check_against_oracle(&game, 6, 2, moves);
            check_against_oracle(&Kalah::<Wide>::wide(spec), 6, 2, moves);
        }
    }
}

#[test]
fn seven_and_more_pits_agree_with_the_oracle() {
    for pits in [7, 8, 12] {
        let spec = KalahSpec::new(pits, 1, CaptureRule::Standard).expect("a game");
        // Far enough into the game for the oracle to see its end.
        check_against_oracle(&Kalah::<Wide>::wide(spec), 0, 2, pits);
    }
}

#[test]
fn techniques_change_the_work_not_the_answer() {
    let spec: KalahSpec = "kalah:4x4".parse().expect("a game");
    let game = Kalah::<Packed>::new(spec).expect("fits");
    let on = Techniques::default();
    let all = [
        on,
        Techniques {
            early_cutoffs: false,
            ..on
        },
        Techniques {
            range_cuts: false,
            ..on
        },
        Techniques {
            ordering: false,
            ..on
        },
        Techniques {
            prefetch: false,
            ..on
        },
        Techniques { lanes: 1, ..on },
        Techniques { lanes: 7, ..on },
    ];
    for techniques in all {
        for threads in [1, 2] {
            let options = SolverOptions {
                techniques,
                ..options(spec, 8)
            };
            let solver = Solver::new(&game, spec.total(), options).expect("a solver");
            let value = value_of(&solver, &game.start(), threads);
            assert_eq!(value, 2, "{techniques:?}, {threads} threads");
        }
    }
}

/// Margins too large for a byte, with and without range cuts, which bound margins by the number of seeds.
#[test]
fn more_seeds_than_a_byte_holds_are_solved() {
    for rule in CaptureRule::ALL {
        let spec = KalahSpec::new(2, 20, rule).expect("a game");
        let game = Kalah::<Packed>::new(spec).expect("fits").with_any_total();
        let mut oracle = KalahNegamax::default();
        for range_cuts in [true, false] {
            let techniques = Techniques {
                range_cuts,
                ..Techniques::default()
            };
            let options = SolverOptions {
                techniques,
                ..options(spec, 0)
            };
            let solver = Solver::new(&game, 255, options).expect("a solver");
            for text in ["2 3 0 140 1 0 0", "1 0 0 1 200 0 0", "0 2 0 3 160 0 1"] {
                let position = game.parse_position(text).expect("a position");
                let array = ArrayKalah::from_setup(spec, &game.setup(&position));
                let name = format!("{rule} {text}, range cuts {range_cuts}");
                let expected = oracle.final_margin(&array);
                assert_eq!(value_of(&solver, &position, 1), expected, "{name}");
                for (pit, value) in moves_of(&solver, &position, 1).into_iter().enumerate() {
                    let legal = array.is_legal(pit);
                    let expected = legal.then(|| oracle.margin_of_move(&array, pit));
                    assert_eq!(value, expected, "{name}, move {pit}");
                }
                check_line(&solver, &position, expected, 1);
            }
        }
    }
}

#[test]
fn a_stopped_solve_gives_bounds() {
    let spec: KalahSpec = "kalah:6x6".parse().expect("a game");
    let game = Kalah::<Packed>::new(spec).expect("fits");
    let solver = Solver::new(
        &game,
        72,
        SolverOptions {
            memory: 1 << 20,
            ..options(spec, 4)
        },
    )
    .expect("a solver");
    let stop = Stop::new();
    stop.request();
    let effort = Effort::from(&stop).with_threads(2);
    let bounds = solver.margin(&game.start(), &effort, &mut |_| ());
    assert_eq!((bounds.lower, bounds.upper), (-72, 72));
}

#[test]
fn majority_is_solved_as_its_base_rule() {
    let game = |name: &str| Kalah::<Packed>::new(name.parse().expect("a game")).expect("fits");
    for name in ["kalah:3x3:standard", "kalah:3x3:standard+majority"] {
        let game = game(name);
        let solver = Solver::new(&game, 18, options(game.kalah_spec(), 6)).expect("a solver");
        assert_eq!(value_of(&solver, &game.start(), 1), 2, "{name}");
    }
}

#[test]
fn a_saved_table_saves_work() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("table");
    let spec: KalahSpec = "kalah:4x4".parse().expect("a game");
    let game = Kalah::<Packed>::new(spec).expect("fits");
    let solver = || Solver::new(&game, 32, options(spec, 8)).expect("a solver");
    let first = solver();
    let nodes = |solver: &Solver<Packed>| {
        let effort = unlimited(1);
        let bounds = solver.margin(&game.start(), &effort, &mut |_| ());
        assert_eq!(bounds.exact(), Some(2));
        effort.nodes()
    };
    let begun = nodes(&first);
    first.save(&path).expect("saved");
    let second = solver();
    second.resume(&path).expect("read");
    assert!(nodes(&second) * 10 < begun);

    let fresh = solver();
    let whole = std::fs::read(&path).expect("there");
    let refused = |bytes: &[u8], reason: &str| {
        std::fs::write(&path, bytes).expect("written");
        let error = fresh.resume(&path).expect_err("refused").to_string();
        assert!(error.contains(reason) && error.contains("table"), "{error}");
    };
    refused(&whole[..whole.len() - 1], "too early");
    refused(&whole[..5], "too early");
    for place in [3, 20, 1000, whole.len() - 2] {
        let mut flipped = whole.clone();
        flipped[place] ^= 1;
        let reason = match place {
            3 => "not a saved table",
            _ => "checksum",
        };
        refused(&flipped, reason);
    }
    let other: KalahSpec = "kalah:4x4:empty-capture".parse().expect("a game");
    let other_game = Kalah::<Packed>::new(other).expect("fits");
    let stranger = Solver::new(&other_game, 32, options(other, 8)).expect("a solver");
    std::fs::write(&path, &whole).expect("written");
    let error = stranger.resume(&path).expect_err("refused").to_string();
    let both = ["of kalah:4:standard", "not of kalah:4:empty-capture"];
    assert!(both.iter().all(|part| error.contains(part)), "{error}");
    let smaller = Solver::new(&game, 31, options(spec, 8)).expect("a solver");
    let error = smaller.resume(&path).expect_err("refused").to_string();
    assert!(error.contains("32 seeds"), "{error}");
    std::fs::remove_file(&path).expect("removed");
    let error = smaller.resume(&path).expect_err("missing").to_string();
    assert!(error.contains("no such saved table"), "{error}");
}

/// Many seeds in few pits, so that many margins are too far from zero for a table of half the size.
#[test]
fn a_halved_tablebase_changes_no_value() {
    for rule in CaptureRule::ALL {
        let spec = KalahSpec::new(3, 9, rule).expect("a game");
        let game = Kalah::<Packed>::new(spec).expect("small");
        let solver = |halve: bool| {
            let options = options(spec, 32);
            let tablebase = options.tablebase.clone().expect("a tablebase");
            if halve {
                tablebase.halve().expect("room");
            }
            Solver::new(&game, spec.total(), options).expect("a solver")
        };
        let (whole, halved) = (solver(false), solver(true));
        for position in walks(&game, 6, 40) {
            assert_eq!(
                moves_of(&halved, &position, 1),
                moves_of(&whole, &position, 1),
                "{spec} {}",
                game.position_text(&position)
            );
        }
    }
}
