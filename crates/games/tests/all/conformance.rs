//! The checks that every game and rule must pass, on random playouts.
//!
//! Legal moves are playable and the others refused with a reason; counts agree with lists; seeds and
//! cells are conserved; equal positions have equal hashes however they were made; text round-trips.

use kalahari_games::isolation::{IsolationMove, IsolationRule, IsolationSetup, IsolationSpec};
use kalahari_games::kalah::{CaptureRule, KalahSetup, KalahSpec, Pit};
use kalahari_games::{AnyGame, Game, GameSpec, with_game};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Every Kalah rule set of a size.
fn kalah_games(pits: usize, seeds: u32) -> impl Iterator<Item = GameSpec> {
    CaptureRule::ALL.into_iter().flat_map(move |rule| {
        let spec = KalahSpec::new(pits, seeds, rule).expect("a size that exists");
        [false, true].map(|majority| GameSpec::Kalah(spec.with_majority(majority)))
    })
}

/// Every Isolation rule set of a size.
fn isolation_games(rows: usize, cols: usize) -> impl Iterator<Item = GameSpec> {
    IsolationRule::ALL
        .into_iter()
        .filter_map(move |rule| IsolationSpec::new(rows, cols, rule))
        .map(GameSpec::Isolation)
}

/// Any game of any size, under any of the rules that the games themselves list.
fn any_game() -> impl Strategy<Value = GameSpec> {
    let which = any::<Index>;
    let kalah = (1..=12_usize, 1..=20_u32, which()).prop_map(|(pits, seeds, which)| {
        let games: Vec<GameSpec> = kalah_games(pits, seeds).collect();
        *which.get(&games)
    });
    let isolation = (2..=16_usize, 1..=16_usize, which()).prop_map(|(rows, cols, which)| {
        let games: Vec<GameSpec> = isolation_games(rows, cols).collect();
        *which.get(&games)
    });
    prop_oneof![kalah, isolation]
}

#[test]
fn every_rule_is_generated() {
    let mut runner = TestRunner::deterministic();
    let mut rules = HashSet::new();
    for _ in 0..1_000 {
        let spec = any_game().new_tree(&mut runner).expect("a game").current();
        rules.insert(match spec {
            GameSpec::Kalah(spec) => format!("{} {}", spec.rule(), spec.majority()),
            GameSpec::Isolation(spec) => spec.rule().to_string(),
        });
    }
    let known = 2 * CaptureRule::ALL.len() + IsolationRule::ALL.len();
    assert_eq!(rules.len(), known, "{rules:?}");
}

/// A playout steered by a list of choices, with every check at every position.
struct Playout<'a> {
    choices: &'a [u16],
}

impl Playout<'_> {
    fn of(&self, game: &AnyGame) {
        with_game!(game, game => self.of_typed(game));
    }

    fn of_typed<G: Game>(&self, game: &G) {
        let mut position = game.start();
        check(game, &position);
        for &choice in self.choices {
            let moves: Vec<G::Move> = game.moves(&position).collect();
            if moves.is_empty() {
                break;
            }
            position = game
                .play(&position, moves[usize::from(choice) % moves.len()])
                .expect("legal moves are playable");
            check(game, &position);
        }
    }
}

fn check<G: Game>(game: &G, position: &G::Position) {
    let moves: Vec<G::Move> = game.moves(position).collect();
    assert_eq!(game.count_moves(position), moves.len() as u64);
    assert_eq!(game.is_over(position), moves.is_empty());
    assert_eq!(game.outcome(position).is_some(), moves.is_empty());
    assert!(moves.is_sorted(), "lowest first: {moves:?}");

    let legal: HashSet<G::Move> = moves.iter().copied().collect();
    assert_eq!(legal.len(), moves.len(), "a move is listed twice");
    for mv in moves.iter().copied().chain(strange_moves::<G>()) {
        let text = mv.to_string();
        assert_eq!(
            text.parse::<G::Move>().expect("a move reads its own text"),
            mv
        );
        assert_eq!(game.is_legal(position, mv), legal.contains(&mv), "{text}");
        assert_eq!(
            game.play(position, mv).is_ok(),
            legal.contains(&mv),
            "{text}"
        );
        if let Err(refusal) = game.play(position, mv) {
            assert_eq!(refusal.to_string().lines().count(), 1);
        }
    }

    for &mv in &moves {
        assert_eq!(
            game.play_branchless(position, mv),
            game.play_unchecked(position, mv),
            "{mv}"
        );
    }

    let text = game.position_text(position);
    let again = game
        .parse_position(&text)
        .expect("a position reads its own text");
    assert_eq!(again, *position, "{text}");
    assert_eq!(hash(&again), hash(position), "{text}");
    assert_eq!(game.position_text(&again), text);
    assert_eq!(game.to_move(&again), game.to_move(position));
    assert_eq!(game.outcome(&again), game.outcome(position));
    check_conserved(&game.spec(), &text);
}

/// Moves that are legal in no position or only in few, as text for the readers of both games.
fn strange_moves<G: Game>() -> impl Iterator<Item = G::Move> {
    let pits = (0..12).map(|pit| Pit(pit).to_string());
    let cells = ["a1", "c2", "p16", "a1/a1", "b2/a1", "a1/p16", "pass"].map(str::to_owned);
    pits.chain(cells).filter_map(|text| text.parse().ok())
}

/// The number of seeds never changes; pieces never vanish.
fn check_conserved(spec: &GameSpec, text: &str) {
    match spec {
        GameSpec::Kalah(spec) => {
            let setup: KalahSetup = text.parse().expect("a Kalah position");
            assert_eq!(setup.total(), spec.total());
            assert_eq!(setup.to_string(), text);
        }
        GameSpec::Isolation(spec) => {
            let setup: IsolationSetup = text.parse().expect("an Isolation position");
            assert_eq!(setup.rows.iter().flatten().count(), spec.cells());
            assert_eq!(setup.to_string(), text);
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn random_playouts_of_any_game(spec in any_game(), choices in prop::collection::vec(any::<u16>(), 0..120)) {
        Playout { choices: &choices }.of(&AnyGame::new(spec));
    }

    #[test]
    fn any_total_accepts_what_the_exact_game_does(spec in any_game(), choices in prop::collection::vec(any::<u16>(), 0..40)) {
        Playout { choices: &choices }.of(&AnyGame::with_any_total(spec, 400));
    }
}

#[test]
fn every_kalah_size_and_rule() {
    for pits in 1..=12 {
        for seeds in 1..=20 {
            for spec in kalah_games(pits, seeds) {
                let choices: Vec<u16> = (0..60)
                    .map(|i: u16| i.wrapping_mul(7919) + pits as u16)
                    .collect();
                Playout { choices: &choices }.of(&AnyGame::new(spec));
            }
        }
    }
}

#[test]
fn every_isolation_size_and_rule() {
    for rows in 1..=16 {
        for cols in 1..=16 {
            for spec in isolation_games(rows, cols) {
                let choices: Vec<u16> = (0..12)
                    .map(|i: u16| i.wrapping_mul(7919) + rows as u16)
                    .collect();
                Playout { choices: &choices }.of(&AnyGame::new(spec));
            }
        }
    }
}

#[test]
fn owners_of_left_cells_matter_only_in_trail() {
    let same = |spec: &str, one, other| {
        let game = AnyGame::new(spec.parse().expect("a spec"));
        let read = |text| game.parse_position(text).expect("a position");
        let (one, other) = (read(one), read(other));
        (one == other) == (hash(&one) == hash(&other)) && one == other
    };
    for rule in ["queen", "knight", "classic"] {
        let spec = format!("isolation:2x3:{rule}");
        assert!(same(&spec, "1xo/..2 0", "1##/..2 0"), "{rule}");
        assert!(!same(&spec, "1xo/..2 0", "1x./..2 0"), "{rule}");
    }
    assert!(!same("isolation:2x3:trail", "1x./..2 0", "1o./..2 0"));
    assert!(same("isolation:2x3:trail", "1xo/..2 0", "1ox/..2 0"));
}

#[test]
fn moves_have_the_texts_of_the_rules_page() {
    for text in ["c4", "p16", "c4/e2", "pass"] {
        let mv: IsolationMove = text.parse().expect("a move");
        assert_eq!(mv.to_string(), text);
    }
}
