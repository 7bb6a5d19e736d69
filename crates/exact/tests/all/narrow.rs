//! Bounds of moves that are narrowed step by step, checked against negamax to the end.

use kalahari_exact::prover::{PartProofs, TableSlot};
use kalahari_exact::tablebase::{TableSpec, Tablebase};
use kalahari_exact::{Bounds, Effort};
use kalahari_games::Game;
use kalahari_games::kalah::{Board, Kalah, KalahSpec, Packed, Pit};
use kalahari_oracle::{Negamax, is_small};
use kalahari_terms::{Limits, Stop};
use std::sync::Arc;

/// Some positions from games with an irregular, but fixed choice of moves.
fn positions(game: &Kalah<Packed>) -> Vec<Packed> {
    let mut found = Vec::new();
    for skip in 0..40_usize {
        let mut position = game.start();
        let mut step = skip;
        while !game.is_over(&position) && !is_small(game, &position, 4_000) {
            let moves: Vec<Pit> = game.moves(&position).collect();
            position = game.play_unchecked(&position, moves[step % moves.len()]);
            step = step / 2 + 7 * skip;
        }
        if !game.is_over(&position) && !found.contains(&position) {
            found.push(position);
        }
    }
    found
}

fn check(spec: &str, tablebase: usize) {
    let spec: KalahSpec = spec.parse().expect("a game");
    let game = Kalah::<Packed>::new(spec).expect("a board that fits");
    let slot = match tablebase {
        0 => TableSlot::default(),
        seeds => {
            let family = TableSpec::of_game(spec).expect("a family");
            let table = Tablebase::build(family, seeds, &Stop::new()).expect("built");
            Arc::new(table).into()
        }
    };
    let truth = Negamax {
        game: &game,
        eval: &|_, _| unreachable!("negamax runs to the end"),
        finished: &|margin| margin,
        extra: 1,
    };
    let found = positions(&game);
    assert!(found.len() > 5, "{}", found.len());
    for position in found {
        let proofs = PartProofs::new(&game, slot.clone(), 1 << 20);
        let whole = i32::try_from(position.seeds_in_play()).expect("few") + 200;
        let whole = Bounds {
            lower: -whole,
            upper: whole,
        };
        let mut moves: Vec<(Pit, Bounds)> = game.moves(&position).map(|pit| (pit, whole)).collect();
        let value = |pit| truth.move_value(&position, pit, i32::MAX);
        let best = moves
            .iter()
            .map(|&(pit, _)| value(pit))
            .max()
            .expect("a move");
        let stop = Stop::new();
        // Small parts, starting from a wrong guess.
        for nodes in [0, 1, 3, 10, 50] {
            let effort = Effort::new(&Limits::nodes(nodes), &stop);
            proofs.narrow(&position, 5, false, &mut moves, &effort);
            assert!(effort.nodes() <= nodes);
            for &(pit, bounds) in &moves {
                assert!(bounds.lower <= value(pit) && value(pit) <= bounds.upper);
            }
        }
        proofs.narrow(&position, -3, false, &mut moves, &Effort::from(&stop));
        let lower = moves.iter().map(|(_, bounds)| bounds.lower).max();
        let upper = moves.iter().map(|(_, bounds)| bounds.upper).max();
        assert_eq!((lower, upper), (Some(best), Some(best)));
        proofs.narrow(&position, best, true, &mut moves, &Effort::from(&stop));
        for &(pit, bounds) in &moves {
            assert_eq!(bounds.exact(), Some(value(pit)));
        }
        let line = proofs.line(&position, best, &Effort::from(&stop));
        assert_eq!(value(line[0]), best);
    }
}

#[test]
fn bounds_hold_on_the_way_and_meet_at_the_end() {
    check("kalah:3x3", 0);
    check("kalah:4x3:empty-capture", 6);
    check("kalah:4x3:pre-move-empty", 0);
}
