//! The engine on boards that have split into separate regions: it knows the result, in time, and gives the same answer every time.

use kalahari_games::isolation::{Bits, Isolation, IsolationMove, IsolationPosition};
use kalahari_games::{AnyGame, Game, GameSpec, Verdict, with_game};
use kalahari_search::engine::{Engine, EngineOptions};
use kalahari_search::{Agent, Report, Rng, Searchable, Task};
use kalahari_terms::{Limits, Stop};
use kalahari_walks::Endgame;
use std::time::{Duration, Instant};

fn think<G: Searchable>(
    engine: &mut Engine<G>,
    position: G::Position,
    limits: Limits,
    all_moves: bool,
) -> Report<G::Move> {
    let task = Task {
        position,
        limits,
        stop: &Stop::new(),
        all_moves,
        progress: &mut |_| {},
    };
    engine.think(task).expect("the engine never fails")
}

fn small_engine<G: Searchable>(game: &G) -> Engine<G> {
    let options = EngineOptions {
        hash: 1,
        ..EngineOptions::of_game(game)
    };
    Engine::new(game.clone(), options)
}

/// Random games up to the moment when the pieces are separated.
fn split_positions<B: Bits>(game: &Isolation<B>, games: usize) -> Vec<IsolationPosition<B>> {
    let endgame = Endgame::new(game).expect("not classic");
    let mut rng = Rng::new(11);
    let mut found = Vec::new();
    for _ in 0..games {
        let mut position = game.start();
        while !game.is_over(&position) && endgame.sides(&position).is_none() {
            let count = game.count_moves(&position) as usize;
            let mv = game.moves(&position).nth(rng.below(count)).expect("a move");
            position = game.play_unchecked(&position, mv);
        }
        if !game.is_over(&position) {
            found.push(position);
        }
    }
    found
}

/// How often the result was known, and how often it was asked for.
fn known_at_once<B: Bits>(game: &Isolation<B>) -> (usize, usize)
where
    Isolation<B>: Searchable<Position = IsolationPosition<B>, Move = IsolationMove>,
{
    let mut endgame = Endgame::new(game).expect("not classic");
    let mut engine = small_engine(game);
    let depth = Limits::depth(1);
    let (mut known, mut all) = (0, 0);
    for position in split_positions(game, 60) {
        all += 1;
        let text = game.position_text(&position);
        let mut value = |position: &IsolationPosition<B>| match game.outcome(position) {
            Some(outcome) => outcome.margin(position.player()),
            None => {
                let sides = endgame.sides(position).expect("still separated");
                endgame
                    .bounds(position, &sides, |_, _| false, &mut Stop::new())
                    .0
            }
        };
        let expected = value(&position);
        for all_moves in [false, true] {
            let report = think(&mut engine, position, depth, all_moves);
            let Some(verdict) = report.score.proven_verdict() else {
                continue;
            };
            known += 1;
            assert_eq!(verdict, Verdict::of_margin(expected), "{text}");
            let margin = game.has_margins().then_some(expected);
            assert_eq!(report.score.proven_margin(), margin, "{text}");
            let best = report.best.expect("a game that is not over");
            let after = game.play(&position, best).expect("legal");
            assert_eq!(-value(&after), expected, "{text}");
            for (mv, found) in report.moves {
                let after = game.play(&position, mv).expect("legal");
                let expected = -value(&after);
                let verdict = Some(Verdict::of_margin(expected));
                assert_eq!(found.proven_verdict(), verdict, "{text} {mv}");
                let margin = game.has_margins().then_some(expected);
                assert_eq!(found.proven_margin(), margin, "{text} {mv}");
            }
        }
    }
    (known, 2 * all)
}

#[test]
fn the_result_is_known_when_the_board_splits() {
    for game in ["isolation:8x8", "isolation:queen", "isolation:knight"] {
        let spec: GameSpec = game.parse().expect("a game");
        let (known, all) = with_game!(
            &AnyGame::new(spec),
            kalah _game => (0, 0),
            isolation game => known_at_once(game)
        );
        assert!(
            all >= 20 && 10 * known >= 9 * all,
            "{game}: {known} of {all}"
        );
    }
}

#[test]
fn hard_endgames_are_quick_and_repeatable() {
    // Two open halves of 6x14 cells and more: too large to be worked out in a moment.
    let spec = "isolation:16x16".parse().expect("a game");
    let game = Isolation::<kalahari_games::isolation::Wide256>::largest(spec);
    let row = |piece: char, at: usize| -> String {
        (0..16)
            .map(|col| if col == at { piece } else { '.' })
            .collect()
    };
    let mut rows: Vec<String> = (0..16).map(|_| row('.', 16)).collect();
    rows[1] = row('1', 2);
    rows[8] = "#".repeat(16);
    rows[14] = row('2', 7);
    let position = game
        .parse_position(&(rows.join("/") + " 0"))
        .expect("a position");
    let time = Duration::from_millis(30);
    let mut least_late = Duration::MAX;
    for _ in 0..6 {
        let begin = Instant::now();
        let limits = Limits {
            time: Some(time),
            ..Limits::default()
        };
        let report = think(&mut small_engine(&game), position, limits, false);
        assert!(report.best.is_some());
        least_late = least_late.min(begin.elapsed().saturating_sub(time));
    }
    assert!(least_late < Duration::from_millis(40), "{least_late:?}");
    let limits = Limits {
        nodes: Some(3_000),
        ..Limits::default()
    };
    let answers = [(); 2].map(|()| think(&mut small_engine(&game), position, limits, false));
    let essence = |report: &Report<_>| (report.best, report.score, report.depth, report.nodes);
    assert_eq!(essence(&answers[0]), essence(&answers[1]));
    assert!(answers[0].nodes <= 3_000);
}
