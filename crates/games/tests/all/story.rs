//! Stories of moves, executed step by step on a plain board and compared with the rules.

use kalahari_games::isolation::{CellState, IsolationRule, IsolationSetup, IsolationSpec};
use kalahari_games::kalah::{CaptureRule, Kalah, KalahSetup, KalahSpec, Packed, Pit};
use kalahari_games::story::{House, Step, in_words, seeds_of};
use kalahari_games::{AnyGame, AnyMove, Game, GameSpec, Player};
use proptest::prelude::*;

/// Executes the steps on the houses of a Kalah position.
fn do_kalah(setup: &mut KalahSetup, story: &[Step]) {
    let pits = setup.pits();
    let place = |house: House| house.player.index() * (pits + 1) + house.pit.unwrap_or(pits);
    let pit = |player, pit| {
        place(House {
            player,
            pit: Some(pit),
        })
    };
    let mut hand = 0;
    for step in story {
        match step {
            Step::Lift {
                player,
                pit: from,
                seeds,
            } => {
                hand = std::mem::take(&mut setup.houses[pit(*player, *from)]);
                assert_eq!(u32::from(hand), *seeds);
            }
            Step::Sow { house, now } => {
                hand -= 1;
                setup.houses[place(*house)] += 1;
                assert_eq!(u32::from(setup.houses[place(*house)]), *now);
            }
            Step::Capture { player, from } | Step::Sweep { player, from } => {
                for taken in from {
                    let held = std::mem::take(&mut setup.houses[pit(taken.player, taken.pit)]);
                    assert_eq!(u32::from(held), taken.seeds);
                    assert!(held > 0);
                }
                let store = House {
                    player: *player,
                    pit: None,
                };
                setup.houses[place(store)] += seeds_of(from) as u16;
            }
            Step::Again { .. } => {}
            other => panic!("{other:?} in Kalah"),
        }
    }
    assert_eq!(hand, 0);
}

/// Executes the steps on the cells of an Isolation position.
fn do_isolation(setup: &mut IsolationSetup, story: &[Step]) {
    let mover = setup.player;
    for step in story {
        match step {
            Step::Go { player, from, to } => {
                assert_eq!(*player, mover);
                assert_eq!(setup.rows[to.row()][to.col()], CellState::Free);
                if let Some(from) = from {
                    let old = &mut setup.rows[from.row()][from.col()];
                    assert_eq!(*old, CellState::Piece(mover));
                    *old = CellState::Free;
                }
                setup.rows[to.row()][to.col()] = CellState::Piece(mover);
            }
            Step::Block { cell } => setup.rows[cell.row()][cell.col()] = CellState::Left(mover),
            Step::Remove { cell } => setup.rows[cell.row()][cell.col()] = CellState::Blocked,
            Step::Pass { .. } => assert_eq!(story.len(), 1),
            other => panic!("{other:?} in Isolation"),
        }
    }
}

/// A playout steered by a list of choices, with every move's story executed on a plain board.
fn play_out(game: &AnyGame, choices: &[u16]) {
    let mut position = game.start();
    for &choice in choices {
        let moves: Vec<AnyMove> = game.moves(&position).collect();
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(choice) % moves.len()];
        let (before, mover) = (game.position_text(&position), game.to_move(&position));
        let story = game.story(&position, mv);
        position = game.play_unchecked(&position, mv);
        let after = game.position_text(&position);
        let told = match game.spec() {
            GameSpec::Kalah(_) => {
                let mut setup: KalahSetup = before.parse().expect("its own text");
                do_kalah(&mut setup, &story);
                setup.player = game.to_move(&position);
                setup.to_string()
            }
            GameSpec::Isolation(_) => {
                let mut setup: IsolationSetup = before.parse().expect("its own text");
                do_isolation(&mut setup, &story);
                setup.player = game.to_move(&position);
                setup.to_string()
            }
        };
        assert_eq!(told, after, "{} {before} {mv}", game.spec());
        let again = game.to_move(&position) == mover && !game.is_over(&position);
        assert_eq!(
            story.last() == Some(&Step::Again { player: mover }),
            again,
            "{before} {mv}"
        );
        assert!(!in_words(&story).is_empty());
    }
}

fn any_game() -> impl Strategy<Value = GameSpec> {
    let kalah = (
        1..=12_usize,
        1..=20_u32,
        0..CaptureRule::ALL.len(),
        any::<bool>(),
    )
        .prop_map(|(pits, seeds, rule, majority)| {
            let spec = KalahSpec::new(pits, seeds, CaptureRule::ALL[rule]).expect("a size");
            GameSpec::Kalah(spec.with_majority(majority))
        });
    let isolation =
        (2..=16_usize, 1..=16_usize, 0..IsolationRule::ALL.len()).prop_map(|(rows, cols, rule)| {
            GameSpec::Isolation(
                IsolationSpec::new(rows, cols, IsolationRule::ALL[rule]).expect("a size"),
            )
        });
    prop_oneof![3 => kalah, 1 => isolation]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn doing_the_story_gives_the_position_after_the_move(
        spec in any_game(),
        choices in prop::collection::vec(any::<u16>(), 1..120),
    ) {
        play_out(&AnyGame::new(spec), &choices);
    }
}

fn kalah_story(text: &str, pit: u8) -> Vec<Step> {
    let game = Kalah::<Packed>::default().with_any_total();
    let position = game.parse_position(text).expect("a position");
    game.story(&position, Pit(pit))
}

#[test]
fn a_capture_is_told_in_words() {
    let story = kalah_story("1 0 0 0 0 3 0 1 0 0 0 5 2 0 0", 0);
    assert_eq!(
        in_words(&story),
        "Player 0 sows 1 seed from pit 0. Player 0 captures 6 seeds."
    );
}

#[test]
fn an_extra_turn_is_told_unless_the_game_is_over() {
    let again = kalah_story("1 0 0 0 0 1 0 1 0 0 0 0 0 0 0", 5);
    assert_eq!(
        in_words(&again),
        "Player 0 sows 1 seed from pit 5. The last one falls into the store: another turn."
    );
    let over = kalah_story("0 0 0 0 0 1 0 1 0 0 0 0 2 0 0", 5);
    assert_eq!(
        in_words(&over),
        "Player 0 sows 1 seed from pit 5. The other side is empty: player 1 banks the last 3 seeds."
    );
    assert!(matches!(
        over.last(),
        Some(Step::Sweep { player: Player::Second, from }) if from.len() == 2
    ));
}
