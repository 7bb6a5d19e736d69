//! The fast boards compared with the plain ones, move by move.

use kalahari_games::isolation::{
    Bits, Cell, Isolation, IsolationMove, IsolationRule, IsolationSpec, Wide256,
};
use kalahari_games::kalah::{Board, CaptureRule, Kalah, KalahSetup, KalahSpec, Packed, Pit, Wide};
use kalahari_games::{Game, Player, perft};
use kalahari_oracle::{ArrayKalah, GridIsolation, GridMove};
use proptest::prelude::*;

/// Plays the same moves on a board and on the array, comparing everything on the way.
fn follow<B: Board>(game: &Kalah<B>, setup: &KalahSetup, choices: &[u8]) {
    let mut position = game.position(setup).expect("a position of this game");
    let mut array = ArrayKalah::from_setup(game.kalah_spec(), setup);
    for &choice in choices {
        assert_eq!(game.setup(&position), array.setup());
        assert_eq!(game.outcome(&position), array.outcome());
        assert_eq!(game.count_moves(&position), array.count_moves());
        let moves: Vec<Pit> = game.moves(&position).collect();
        for pit in 0..game.pits() {
            assert_eq!(array.is_legal(pit), moves.contains(&Pit(pit as u8)));
        }
        if moves.is_empty() {
            break;
        }
        let extra: Vec<Pit> = game.extra_turn_pits(&position).collect();
        let backward: Vec<Pit> = game.extra_turn_pits(&position).rev().collect();
        assert!(extra.iter().rev().eq(&backward));
        for &pit in &moves {
            assert_eq!(extra.contains(&pit), game.effect(&position, pit).extra_turn);
        }
        assert!(extra.iter().all(|pit| moves.contains(pit)));
        let pit = moves[usize::from(choice) % moves.len()];
        let effect = game.effect(&position, pit);
        let before = (game.to_move(&position), game.store_margin(&position));
        position = game.play_unchecked(&position, pit);
        array.play(pit.index());
        assert_eq!(effect.extra_turn, game.to_move(&position) == before.0);
        if effect.captured > 0 {
            let sign = game.to_move(&position).sign() * before.0.sign();
            assert!(game.is_over(&position) || game.store_margin(&position) * sign > before.1);
        }
    }
}

fn follow_on_both_boards(spec: KalahSpec, setup: &KalahSetup, choices: &[u8]) {
    follow(&Kalah::<Wide>::wide(spec).with_any_total(), setup, choices);
    if let Ok(game) = Kalah::<Packed>::new(spec)
        && setup.total() <= Packed::MAX_TOTAL
    {
        follow(&game.with_any_total(), setup, choices);
    }
}

fn rules() -> impl Strategy<Value = (CaptureRule, bool)> {
    (0..CaptureRule::ALL.len(), any::<bool>())
        .prop_map(|(rule, majority)| (CaptureRule::ALL[rule], majority))
}

/// Random houses: many small, some large enough to lap.
fn kalah_setups() -> impl Strategy<Value = KalahSetup> {
    let house = prop_oneof![3 => 0..4_u16, 2 => 0..10_u16, 1 => 0..40_u16];
    (1..=12_usize).prop_flat_map(move |pits| {
        let houses = prop::collection::vec(house.clone(), 2 * pits + 2);
        (houses, any::<bool>()).prop_map(|(mut houses, second)| {
            while houses.iter().sum::<u16>() > 480 {
                houses.iter_mut().for_each(|n| *n /= 2);
            }
            KalahSetup {
                houses,
                player: Player::BOTH[usize::from(second)],
            }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn kalah_boards_follow_the_array(setup in kalah_setups(), (rule, majority) in rules(), choices in prop::collection::vec(any::<u8>(), 1..60)) {
        let spec = KalahSpec::new(setup.pits(), 4, rule).expect("a size").with_majority(majority);
        follow_on_both_boards(spec, &setup, &choices);
    }
}

#[test]
fn every_small_kalah_size_counts_alike() {
    for pits in 1..=7 {
        for seeds in 1..=20 {
            for rule in CaptureRule::ALL {
                for majority in [false, true] {
                    let spec = KalahSpec::new(pits, seeds, rule).expect("a size");
                    let spec = spec.with_majority(majority);
                    let wide = Kalah::<Wide>::wide(spec);
                    let array = ArrayKalah::start(spec);
                    for depth in 1..=5 {
                        let expected = array.perft(depth);
                        assert_eq!(perft(&wide, &wide.start(), depth), expected, "{spec}");
                        if let Ok(packed) = Kalah::<Packed>::new(spec) {
                            assert_eq!(perft(&packed, &packed.start(), depth), expected, "{spec}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn only_games_that_fit_are_packed() {
    let fits = |pits, seeds| {
        let spec = KalahSpec::new(pits, seeds, CaptureRule::Standard).expect("a size");
        Kalah::<Packed>::new(spec).is_ok()
    };
    assert!(fits(7, 18), "252 seeds");
    assert!(!fits(7, 19), "266 seeds");
    assert!(!fits(8, 1), "8 pits");
}

/// Laps, worked out by hand by the rules of `book/src/players/rules.md`.
#[test]
fn laps_capture_as_each_rule_says() {
    // Two pits a side: 5 houses to sow into. Pit 0 holds a lap of exactly 5, back to its origin.
    let after = |rule, houses: &str| {
        let spec = KalahSpec::new(2, 4, rule).expect("a size");
        let game = Kalah::<Packed>::new(spec).expect("small").with_any_total();
        let position = game.parse_position(houses).expect("a position");
        game.position_text(&game.play(&position, Pit(0)).expect("legal"))
    };
    // The last seed is alone in the origin again, and the opposite pit 4 holds 3: 1 + 3 are taken.
    assert_eq!(
        after(CaptureRule::Standard, "5 1 0 1 2 0 0"),
        "0 2 5 2 0 0 1"
    );
    assert_eq!(
        after(CaptureRule::EmptyCapture, "5 1 0 1 2 0 0"),
        "0 2 5 2 0 0 1"
    );
    // The origin was not empty before the move.
    assert_eq!(
        after(CaptureRule::PreMoveEmpty, "5 1 0 1 2 0 0"),
        "1 2 1 2 3 0 1"
    );
    // Six seeds from pit 0 end in pit 1, empty before, which then holds 2: only pre-move-empty takes them.
    assert_eq!(
        after(CaptureRule::Standard, "6 0 0 1 2 0 0"),
        "1 2 1 2 3 0 1"
    );
    assert_eq!(
        after(CaptureRule::PreMoveEmpty, "6 0 0 1 2 0 0"),
        "1 0 5 0 3 0 1"
    );
}

#[test]
fn majority_ends_the_game_without_banking() {
    let spec: KalahSpec = "kalah:2x2:standard+majority".parse().expect("a spec");
    let game = Kalah::<Packed>::new(spec).expect("small");
    // Player 0 banks their fifth of eight seeds: over, though both sides still have seeds.
    let position = game.parse_position("0 1 4 1 1 1 0").expect("a position");
    let over = game.play(&position, Pit(1)).expect("legal");
    assert_eq!(
        game.position_text(&over),
        "0 0 5 0 0 3 0",
        "a side is empty: banking comes first"
    );
    let position = game.parse_position("1 1 4 1 1 0 0").expect("a position");
    let over = game.play(&position, Pit(1)).expect("legal");
    assert_eq!(game.position_text(&over), "1 0 5 1 1 0 0");
    assert!(game.is_over(&over));
    assert_eq!(game.outcome(&over).expect("over").margin(Player::First), 5);
    assert!(game.play(&over, Pit(0)).is_err());
}

fn grid_move(mv: IsolationMove) -> GridMove {
    let at = |cell: Cell| Some((cell.row(), cell.col()));
    match mv {
        IsolationMove::To(to) => GridMove {
            to: at(to),
            removed: None,
        },
        IsolationMove::ToRemoving(to, removed) => GridMove {
            to: at(to),
            removed: at(removed),
        },
        IsolationMove::Pass => GridMove {
            to: None,
            removed: None,
        },
    }
}

fn walk<B: Bits>(spec: IsolationSpec, choices: &[u16]) {
    let Some(game) = Isolation::<B>::new(spec) else {
        return;
    };
    let mut position = game.start();
    let mut grid = GridIsolation::start(spec);
    for &choice in choices {
        assert_eq!(game.position_text(&position), grid.text());
        assert_eq!(game.outcome(&position), grid.outcome());
        assert_eq!(game.count_moves(&position), grid.count_moves());
        spread_is_the_union_of_steps(&game, position.free(), choice);
        let moves: Vec<IsolationMove> = game.moves(&position).collect();
        let mut expected = grid.moves();
        expected.sort_by_key(|mv| (mv.to, mv.removed));
        let found: Vec<GridMove> = moves.iter().map(|&mv| grid_move(mv)).collect();
        assert_eq!(found, expected, "{}", grid.text());
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(choice) % moves.len()];
        position = game.play_unchecked(&position, mv);
        grid.play(grid_move(mv));
    }
}

fn spread_is_the_union_of_steps<B: Bits>(game: &Isolation<B>, free: B, choice: u16) {
    let cells = game.isolation_spec().cells();
    let some = (0..cells).filter(|cell| (cell * 7 + usize::from(choice)) % 5 == 0);
    let from = some.fold(B::EMPTY, |set, cell| set | B::one(cell));
    let steps = |set: B, cell| set | game.steps_from(cell, free);
    assert_eq!(game.spread(from, free), from.ones().fold(B::EMPTY, steps));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn isolation_boards_follow_the_grid(rows in 1..=16_usize, cols in 1..=16_usize, rule in 0..4_usize, choices in prop::collection::vec(any::<u16>(), 1..80)) {
        if let Some(spec) = IsolationSpec::new(rows, cols, IsolationRule::ALL[rule]) {
            walk::<u64>(spec, &choices);
            walk::<u128>(spec, &choices);
            walk::<Wide256>(spec, &choices);
        }
    }

    #[test]
    fn small_isolation_boards_to_the_end(rows in 1..=4_usize, cols in 1..=5_usize, rule in 0..4_usize, choices in prop::collection::vec(any::<u16>(), 30)) {
        if let Some(spec) = IsolationSpec::new(rows, cols, IsolationRule::ALL[rule]) {
            walk::<u64>(spec, &choices);
            walk::<Wide256>(spec, &choices);
        }
    }
}
