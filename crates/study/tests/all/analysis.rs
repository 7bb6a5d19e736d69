//! The analysis of every move, used through the trait [`Mind`].

use kalahari_agents::{AnyReport, Mind, Question, Slice, Slices};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameSpec, Verdict, View};
use kalahari_oracle::{ArrayKalah, KalahNegamax};
use kalahari_study::{Analysis, Deepened};
use kalahari_terms::{Limits, Stop, Unit};
use std::time::Duration;

fn at(game: &str, text: &str) -> (AnyGame, AnyPosition) {
    let spec: GameSpec = game.parse().expect("a game");
    AnyGame::at(spec, text).expect("a position")
}

/// The answer within limits, and the reports on the way.
fn ask(
    analysis: &mut Analysis,
    position: AnyPosition,
    limits: Limits,
    stop: &Stop,
) -> (AnyReport, Vec<AnyReport>) {
    let mut told = Vec::new();
    let question = Question::all_moves(position, limits);
    let answer = analysis.answer(&question, stop, &mut |report| told.push(report.clone()));
    (answer.expect("an answer"), told)
}

#[test]
fn every_move_has_its_true_score() {
    for text in [
        "2 2 2 0 2 2 2 0 0",
        "1 0 3 2 0 2 2 2 1",
        "0 4 1 1 3 0 1 2 0",
    ] {
        let (game, position) = at("kalah:3x2", text);
        let mut analysis = Analysis::new(&game, 1).expect("an engine");
        let (report, _) = ask(&mut analysis, position, Limits::NONE, &Stop::new());
        let (View::Kalah(setup), Some(spec)) = (game.view(&position), game.spec().kalah()) else {
            panic!("a game of Kalah");
        };
        let array = ArrayKalah::from_setup(spec, &setup);
        let mut oracle = KalahNegamax::default();
        let truth = oracle.final_margin(&array);
        assert_eq!(report.score.proven_margin(), Some(truth), "{text}");
        assert_eq!(report.moves.len() as u64, game.count_moves(&position));
        for (mv, score) in &report.moves {
            let AnyMove::Kalah(pit) = mv else {
                panic!("a pit");
            };
            let truth = oracle.margin_of_move(&array, usize::from(pit.0));
            assert_eq!(score.proven_margin(), Some(truth), "{text} {mv}");
        }
    }
}

#[test]
fn every_finished_depth_is_reported() {
    let game = AnyGame::new("kalah:8x4".parse().expect("a game"));
    let position = game.start();
    let mut analysis = Analysis::new(&game, 4).expect("an engine");
    let stop = Stop::new();
    let (report, told) = ask(&mut analysis, position, Limits::depth(6), &stop);
    assert_eq!(report.depth, 6);
    for depth in [2, 4, 6] {
        assert!(told.iter().any(|news| news.depth == depth), "{depth}");
    }
    assert!(told.is_sorted_by_key(|news| (news.depth, news.nodes)));
    assert_eq!(report.best, report.line.first().copied());
    let best = report.moves.iter().find(|(mv, _)| Some(*mv) == report.best);
    assert_eq!(best.map(|(_, score)| *score), Some(report.score));
    // Known results are not searched again.
    let (again, told) = ask(&mut analysis, position, Limits::depth(6), &stop);
    assert_eq!((again.nodes, told.len()), (0, 0));
    assert_eq!(again.moves, report.moves);
}

#[test]
fn too_many_moves_are_scored_in_one_search() {
    let game = AnyGame::new("isolation:12x12:classic".parse().expect("a game"));
    let start = game.start();
    assert!(game.count_moves(&start) > 500);
    let mut analysis = Analysis::new(&game, 4).expect("an engine");
    let (report, told) = ask(&mut analysis, start, Limits::depth(2), &Stop::new());
    assert_eq!((report.depth, told.len()), (2, 1));
    assert_eq!(report.moves.len() as u64, game.count_moves(&start));
    let legal: Vec<AnyMove> = game.moves(&start).collect();
    assert!(report.moves.iter().map(|(mv, _)| *mv).eq(legal));
    assert_eq!(analysis.best().map(|best| best.score), Some(report.score));
}

#[test]
fn there_is_a_move_however_short_the_time() {
    for game in ["kalah:6x6", "isolation:12x12:classic"] {
        let game = AnyGame::new(game.parse().expect("a game"));
        let mut analysis = Analysis::new(&game, 1).expect("an engine");
        let stop = Stop::new();
        for limits in [Limits::time(Duration::ZERO), Limits::nodes(1)] {
            let (report, told) = ask(&mut analysis, game.start(), limits, &stop);
            assert!(report.best.is_some() && told.is_empty());
            assert!(!report.score.is_proven());
        }
        stop.request();
        let (report, _) = ask(&mut analysis, game.start(), Limits::NONE, &stop);
        assert!(report.best.is_some());
    }
}

#[test]
fn a_finished_game_has_a_result_and_no_move() {
    let (game, position) = at("isolation:2x2:queen", "12/## 0");
    let mut analysis = Analysis::new(&game, 1).expect("an engine");
    let (report, told) = ask(&mut analysis, position, Limits::NONE, &Stop::new());
    assert_eq!((report.best, told.len()), (None, 0));
    assert_eq!(report.score.proven_verdict(), Some(Verdict::Loss));
    assert_eq!(report.score.worth().unit(), Unit::Result);
}

#[test]
fn the_best_move_alone_takes_one_search() {
    let (game, position) = at("kalah:6x4", "4 4 4 4 4 4 0 4 4 4 4 4 4 0 0");
    let mut analysis = Analysis::new(&game, 1).expect("an engine");
    let question = Question::best(position, Limits::depth(6));
    let answer = analysis.answer(&question, &Stop::new(), &mut |_| {});
    let report = answer.expect("an answer");
    assert!(report.best.is_some() && report.moves.is_empty());
}

#[test]
fn each_slice_continues_the_one_before() {
    let (game, position) = at("kalah:4x3", "3 3 3 3 0 3 3 3 3 0 0");
    let mut analysis = Analysis::new(&game, 1).expect("an engine");
    let stop = Stop::new();
    let question = Question::all_moves(position, Limits::NONE);
    let mut slices = Slices::new(question, Duration::from_millis(2));
    let mut depths = Vec::new();
    let report = loop {
        match slices
            .step(&mut analysis, &stop, &mut |_| {})
            .expect("an answer")
        {
            Slice::More(report) => depths.push(report.depth),
            Slice::Done(report) => break report,
        }
    };
    assert!(depths.is_sorted());
    assert!(report.moves.iter().all(|(_, score)| score.is_proven()));
    let truth = ask(&mut analysis, position, Limits::NONE, &stop).0;
    assert_eq!(truth.moves, report.moves);
}

#[test]
fn an_unproven_rest_leaves_the_best_move_an_estimate() {
    // No book has positions near this one.
    let (game, position) = at("kalah:6x6", "6 6 6 6 6 6 0 6 6 6 6 6 6 0 0");
    let mut analysis = Analysis::new(&game, 4).expect("an engine");
    analysis.turn_to(&position);
    let deepened = analysis.deepen(None, &Stop::new(), &mut |_| {});
    assert_eq!(deepened, Ok(Deepened::Deeper));
    let score = analysis.score().expect("a score");
    assert_eq!(
        (score.worth().unit(), score.is_proven()),
        (Unit::Seeds, false)
    );
}

#[test]
fn no_move_is_better_than_a_position_that_a_book_knows() {
    // The last ply of the book: it has this position, but not those after its moves.
    let game = AnyGame::new("kalah:6x4".parse().expect("a game"));
    let line = ["2", "5", "1", "0"];
    let position = line.iter().fold(game.start(), |position, mv| {
        let mv = game.parse_move(mv).expect("a move");
        game.play(&position, mv).expect("legal")
    });
    let mut analysis = Analysis::new(&game, 1).expect("an analysis");
    analysis.turn_to(&position);
    let stop = Stop::new();
    for _ in 0..3 {
        analysis
            .deepen(None, &stop, &mut |_| {})
            .expect("no failure");
        let score = analysis.score().expect("a score");
        assert!(score.is_proven(), "{score:?}");
        assert_eq!(score.proven_margin(), Some(8));
        for found in analysis.moves() {
            assert!(found.score.compare(score).is_le(), "{found:?}");
        }
    }
}
