//! The erased game compared with the typed one, move by move: both give the same answers.

use kalahari_games::isolation::{IsolationMove, IsolationRule, IsolationSpec};
use kalahari_games::kalah::{CaptureRule, KalahSpec, Pit};
use kalahari_games::story::Step;
use kalahari_games::{
    AnyGame, AnyMove, Game, GameKind, GameSpec, IllegalMove, Typed, View, perft, with_game,
};
use proptest::prelude::*;

/// A move that the other kind of game could have.
fn foreign(kind: GameKind) -> AnyMove {
    match kind {
        GameKind::Kalah => AnyMove::Isolation("a1".parse().expect("a move")),
        GameKind::Isolation => AnyMove::Kalah(Pit(0)),
    }
}

/// Compares everything the two say about a position.
fn compare<G: Typed>(any: &AnyGame, game: &G, position: &G::Position) {
    let erased = G::erase_position(*position);
    assert_eq!(G::typed_position(&erased), Some(*position));
    assert_eq!(any.to_move(&erased), game.to_move(position));
    assert_eq!(any.count_moves(&erased), game.count_moves(position));
    assert_eq!(any.is_over(&erased), game.is_over(position));
    assert_eq!(any.outcome(&erased), game.outcome(position));
    assert_eq!(any.reachable(&erased), game.reachable(position));
    let view = any.view(&erased);
    assert_eq!(view, game.view(position));
    assert_eq!(view.player(), game.to_move(position));
    assert_eq!(any.position(&view), Ok(erased));
    let text = any.position_text(&erased);
    assert_eq!(text, game.position_text(position));
    assert_eq!(text, view.to_string());
    assert_eq!(any.parse_position(&text), Ok(erased));
    for depth in 0..3 {
        assert_eq!(any.perft(&erased, depth), perft(game, position, depth));
        assert_eq!(
            perft(any, &erased, depth),
            any.perft(&erased, depth),
            "{text}"
        );
    }

    let moves: Vec<AnyMove> = any.moves(&erased).collect();
    assert!(
        moves
            .iter()
            .copied()
            .eq(game.moves(position).map(G::erase_move))
    );
    for &mv in &moves {
        let typed = G::typed_move(mv).expect("its own move");
        assert_eq!(mv.to_string(), typed.to_string());
        assert_eq!(any.parse_move(&mv.to_string()), Ok(mv));
        assert_eq!(mv.to_string().parse(), Ok(mv));
        assert!(any.is_legal(&erased, mv));
        assert_eq!(any.story(&erased, mv), game.story(position, typed));
        let after = G::erase_position(game.play_unchecked(position, typed));
        assert_eq!(any.play(&erased, mv), Ok(after));
        assert_eq!(any.play_unchecked(&erased, mv), after);
    }
    refuses_alike(any, game, position, &moves);
}

/// Both refuse illegal moves in the same way; moves of the other game are refused with a reason.
fn refuses_alike<G: Typed>(any: &AnyGame, game: &G, position: &G::Position, legal: &[AnyMove]) {
    let erased = G::erase_position(*position);
    let pits = (0..12).map(|pit| AnyMove::Kalah(Pit(pit)));
    let cells = ["a1", "c2", "p16", "a1/a1", "b2/a1", "pass"];
    let cells = cells.map(|text| AnyMove::Isolation(text.parse().expect("a move")));
    for mv in pits.chain(cells).filter(|mv| !legal.contains(mv)) {
        assert!(!any.is_legal(&erased, mv));
        let refusal = any.play(&erased, mv).expect_err("not legal");
        match G::typed_move(mv) {
            Some(typed) => assert_eq!(Err(refusal), game.play(position, typed)),
            None => {
                assert!(any.story(&erased, mv).is_empty());
                let (said, name) = (refusal.to_string(), game.spec().to_string());
                assert!(
                    matches!(refusal, IllegalMove::Forbidden { player, .. } if player == game.to_move(position))
                );
                assert!(said.contains(&name), "{said}");
            }
        }
    }
}

/// A playout steered by a list of choices, compared at every position.
fn play_out<G: Typed>(any: &AnyGame, game: &G, choices: &[u16]) {
    assert_eq!(any.spec(), game.spec());
    assert_eq!(any.has_margins(), game.has_margins());
    assert_eq!(any.start(), G::erase_position(game.start()));
    assert_eq!(game.clone().erase().spec(), any.spec());
    assert_eq!(G::typed_move(foreign(any.spec().kind())), None);
    let mut position = game.start();
    compare(any, game, &position);
    for &choice in choices {
        let count = game.count_moves(&position) as usize;
        let Some(mv) = game
            .moves(&position)
            .nth(usize::from(choice) % count.max(1))
        else {
            break;
        };
        position = game.play_unchecked(&position, mv);
        compare(any, game, &position);
    }
}

fn any_spec() -> impl Strategy<Value = GameSpec> {
    let kalah_rules = 0..CaptureRule::ALL.len();
    let kalah = (1..=12_usize, 1..=20_u32, kalah_rules, any::<bool>()).prop_map(
        |(pits, seeds, rule, majority)| {
            let spec = KalahSpec::new(pits, seeds, CaptureRule::ALL[rule]).expect("a size");
            GameSpec::Kalah(spec.with_majority(majority))
        },
    );
    let isolation_rules = 0..IsolationRule::ALL.len();
    let isolation = (2..=16_usize, 1..=16_usize, isolation_rules).prop_filter_map(
        "a valid size for this rule",
        |(rows, cols, rule)| {
            IsolationSpec::new(rows, cols, IsolationRule::ALL[rule]).map(GameSpec::Isolation)
        },
    );
    prop_oneof![kalah, isolation]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_erased_game_equals_the_typed_game(
        spec in any_spec(),
        any_total in any::<bool>(),
        choices in prop::collection::vec(any::<u16>(), 0..24),
    ) {
        let any = match any_total {
            true => AnyGame::with_any_total(spec, 300),
            false => AnyGame::new(spec),
        };
        with_game!(&any, game => play_out(&any, game, &choices));
    }
}

/// One game for each variant, so that none is left to chance.
const VARIANTS: [&str; 5] = [
    "kalah:6x4",
    "kalah:9x3:empty-capture",
    "isolation:5x5:classic",
    "isolation:9x11:knight",
    "isolation:13x13:trail",
];

fn variant(game: &AnyGame) -> usize {
    match game {
        AnyGame::KalahPacked(_) => 0,
        AnyGame::KalahWide(_) => 1,
        AnyGame::Isolation64(_) => 2,
        AnyGame::Isolation128(_) => 3,
        AnyGame::Isolation256(_) => 4,
    }
}

#[test]
fn every_variant_equals_its_typed_game() {
    for (place, spec) in VARIANTS.into_iter().enumerate() {
        let any = AnyGame::new(spec.parse().expect("a game"));
        assert_eq!(variant(&any), place, "{spec}");
        let choices: Vec<u16> = (0..40).map(|i: u16| i.wrapping_mul(7919)).collect();
        with_game!(&any, game => play_out(&any, game, &choices));
    }
}

#[test]
fn texts_of_the_other_game_are_refused() {
    let games = VARIANTS.map(|spec| AnyGame::new(spec.parse().expect("a game")));
    for game in &games {
        for other in &games {
            let start = other.start();
            let (text, view) = (other.position_text(&start), other.view(&start));
            let same = game.spec() == other.spec();
            assert_eq!(game.parse_position(&text).is_ok(), same, "{text}");
            assert_eq!(game.position(&view).is_ok(), same, "{text}");
            let mv = other.moves(&start).next().expect("a move");
            let kind = game.spec().kind() == other.spec().kind();
            assert_eq!(game.parse_move(&mv.to_string()).is_ok(), kind, "{mv}");
        }
    }
}

#[test]
fn any_number_of_seeds_finds_a_board_that_holds_it() {
    let spec: GameSpec = "kalah:6x4".parse().expect("a game");
    let (game, position) = AnyGame::at(spec, "1 0 0 0 0 0 0 0 0 0 0 0 1 0 1").expect("few seeds");
    assert_eq!(variant(&game), 0);
    assert_eq!(game.count_moves(&position), 1);
    let many = "200 4 4 4 4 4 200 4 4 4 4 4 4 0 0";
    let (game, position) = AnyGame::at_or_start(spec, Some(many)).expect("many seeds");
    assert_eq!(variant(&game), 1);
    assert_eq!(game.position_text(&position), many);
    assert!(AnyGame::new(spec).parse_position(many).is_err());
    let (game, position) = AnyGame::at_or_start(spec, None).expect("the start");
    assert_eq!(position, game.start());
    assert!(AnyGame::at(spec, "99999999999 4").is_err());
}

#[test]
#[should_panic(expected = "is not a position of isolation:8x8:trail")]
fn positions_of_another_game_panic() {
    let [kalah, isolation] =
        ["kalah", "isolation"].map(|spec| AnyGame::new(spec.parse().expect("a game")));
    isolation.count_moves(&kalah.start());
}

#[test]
fn views_and_stories_fit_the_game() {
    for (spec, mv) in [("kalah", "0"), ("isolation", "pass")] {
        let game = AnyGame::new(spec.parse().expect("a game"));
        let view = game.view(&game.start());
        assert_eq!(matches!(view, View::Kalah(_)), spec == "kalah");
        let first = game.moves(&game.start()).next().expect("a move");
        let story = game.story(&game.start(), first);
        let lifts = matches!(story.first(), Some(Step::Lift { .. }));
        assert_eq!(lifts, spec == "kalah");
        assert!(game.parse_move(mv).is_ok());
    }
    assert_eq!("pass".parse(), Ok(AnyMove::Isolation(IsolationMove::Pass)));
    assert_eq!(
        serde_json::to_string(&AnyMove::Kalah(Pit(3))).expect("JSON"),
        r#""3""#
    );
}
