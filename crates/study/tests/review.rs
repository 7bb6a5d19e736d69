//! Games reviewed with a fixed number of nodes: judgements are exact where possible, reproducible, and skip openings.

use kalahari_games::{AnyGame, Game};
use kalahari_oracle::{ArrayKalah, KalahNegamax};
use kalahari_search::Rng;
use kalahari_study::{
    Figures, GameToReview, JudgedMove, Judgement, Line, Loss, Phase, ReviewSpec, ReviewedGame,
    player_reviews, review_games,
};
use kalahari_terms::Stop;

/// Games of random moves.
fn games(game: &str, count: usize, opening: usize) -> Vec<GameToReview> {
    let spec = game.parse().expect("a game");
    let game = AnyGame::new(spec);
    let mut rng = Rng::new(7);
    (0..count)
        .map(|number| {
            let mut moves = Vec::new();
            let mut position = game.start();
            while !game.is_over(&position) {
                let legal: Vec<_> = game.moves(&position).collect();
                let mv = legal[rng.below(legal.len())];
                moves.push(mv.to_string());
                position = game.play(&position, mv).expect("legal");
            }
            let line = Line {
                game: spec,
                start: None,
                moves,
            };
            let names = match number % 2 {
                0 => ["one", "two"],
                _ => ["three", "one"],
            };
            GameToReview {
                played: line.play().expect("a line"),
                opening,
                players: names.map(str::to_owned),
            }
        })
        .collect()
}

fn judged(spec: &ReviewSpec, games: &[GameToReview], threads: usize) -> Vec<ReviewedGame> {
    let mut told = 0;
    let judged = review_games(spec, games, threads, &Stop::new(), &mut |done| told = done);
    assert_eq!(told, games.len());
    judged.expect("judged")
}

/// On a board that is solved at once, every loss equals the oracle's.
#[test]
fn what_is_proven_is_what_the_oracle_says() {
    let games = games("kalah:3x2", 8, 0);
    let spec = ReviewSpec {
        nodes: 50_000,
        ..ReviewSpec::default()
    };
    let mut oracle = KalahNegamax::default();
    let mut mistakes = 0;
    for reviewed in judged(&spec, &games, 1) {
        let played = &games[reviewed.game].played;
        assert_eq!(reviewed.moves.len(), played.moves.len());
        for mv in &reviewed.moves {
            let view = played.game.view(&played.positions[mv.ply]);
            let kalahari_games::View::Kalah(setup) = view else {
                panic!("a Kalah board");
            };
            let spec = played.game.spec().kalah().expect("Kalah");
            let array = ArrayKalah::from_setup(spec, &setup);
            let kalahari_games::AnyMove::Kalah(pit) = mv.played else {
                panic!("a pit");
            };
            let lost = oracle.final_margin(&array) - oracle.margin_of_move(&array, pit.index());
            assert!(mv.is_proven(), "{mv:?}");
            assert_eq!(mv.loss, Loss::Margin(f64::from(lost)), "{mv:?}");
            assert_eq!(mv.line.first(), Some(&mv.best));
            mistakes += u32::from(mv.judgement >= Judgement::Mistake);
        }
    }
    assert!(mistakes > 5);
}

#[test]
fn any_number_of_threads_gives_the_same_judgements() {
    for game in ["kalah:6x4", "isolation:5x5:queen"] {
        let games = games(game, 4, 3);
        let spec = ReviewSpec {
            nodes: 2_000,
            ..ReviewSpec::default()
        };
        let once = judged(&spec, &games, 1);
        assert_eq!(judged(&spec, &games, 2), once, "{game}");
        // Earlier games do not matter either.
        let last = judged(&spec, &games[3..], 1);
        assert_eq!(last[0].moves, once[3].moves, "{game}");
    }
}

#[test]
fn openings_and_forced_moves_do_not_count() {
    let games = games("kalah:4x3", 3, 5);
    let spec = ReviewSpec {
        nodes: 500,
        ..ReviewSpec::default()
    };
    let reviewed = judged(&spec, &games, 2);
    for game in &reviewed {
        let plies: Vec<usize> = game.moves.iter().map(|mv| mv.ply).collect();
        let all = games[game.game].played.moves.len();
        assert!(plies.into_iter().eq(5..all));
        for mv in &game.moves {
            let played = &games[game.game].played;
            let legal = played.game.count_moves(&played.positions[mv.ply]);
            assert_eq!(mv.is_forced, legal == 1);
        }
    }
    let moves = || reviewed.iter().flat_map(|game| &game.moves);
    let chosen = moves().filter(|mv| !mv.is_forced).count() as u64;
    assert!(chosen < moves().count() as u64);
    let players = player_reviews(
        reviewed
            .iter()
            .map(|game| (game.game, &games[game.game].players, &game.moves[..])),
    );
    assert_eq!(
        players.iter().map(|player| player.all.moves).sum::<u64>(),
        chosen
    );
    for player in &players {
        let sum =
            |figures: &mut dyn Iterator<Item = &Figures>| figures.map(|f| f.moves).sum::<u64>();
        assert_eq!(sum(&mut player.phases.iter()), player.all.moves);
        assert_eq!(sum(&mut player.opponents.values()), player.all.moves);
        assert!(
            player
                .blunders
                .windows(2)
                .all(|two| { two[0].judged.accuracy() <= two[1].judged.accuracy() })
        );
    }
    let one = players
        .iter()
        .find(|player| player.name == "one")
        .expect("one");
    assert_eq!(one.games, 3);
    let opponents: Vec<&str> = one.opponents.keys().map(String::as_str).collect();
    assert_eq!(opponents, ["three", "two"]);
}

#[test]
fn accuracy_is_smooth_and_halves() {
    let games = games("kalah:3x2", 1, 0);
    let spec = ReviewSpec {
        nodes: 5_000,
        ..ReviewSpec::default()
    };
    let mv = judged(&spec, &games, 1)[0].moves[0].clone();
    let accuracy = |seeds: f64| {
        JudgedMove {
            loss: Loss::Margin(seeds),
            ..mv.clone()
        }
        .accuracy()
    };
    assert_eq!([0.0, 4.0, 8.0].map(accuracy), [1.0, 0.5, 0.25]);
    assert!(accuracy(1.0) > accuracy(1.1) && accuracy(1.1) > accuracy(2.0));
    let figures = Figures::default();
    assert_eq!((figures.accuracy(), figures.seeds_a_move()), (None, None));
}

#[test]
fn phases_follow_what_is_left() {
    let phase = |game: &str, position: &str| {
        let (game, position) = AnyGame::at(game.parse().expect("a game"), position).expect("one");
        Phase::of(&game, &position)
    };
    assert_eq!(phase("kalah:3x3", "3 3 3 0 3 3 3 0 0"), Phase::Opening);
    assert_eq!(phase("kalah:3x3", "2 2 2 3 1 1 1 6 0"), Phase::Middle);
    assert_eq!(phase("kalah:3x3", "1 0 1 8 1 0 1 6 1"), Phase::End);
    assert_eq!(
        phase("isolation:3x3:queen", ".../.../... 0"),
        Phase::Opening
    );
    assert_eq!(phase("isolation:3x3:queen", "1x./o2./... 0"), Phase::Middle);
    assert_eq!(phase("isolation:3x3:queen", "1xx/o2o/... 0"), Phase::End);
}

/// The identity names everything that judgements depend on: no file, unless `tables` asks for files.
#[test]
fn the_identity_names_what_is_used() {
    let games = games("kalah:6x4", 1, 0);
    let spec = ReviewSpec::default();
    let identity = spec.identity(&games).expect("an identity");
    assert_eq!(identity.files.files().count(), 0);
    let engine = spec.engine().to_string();
    assert!(
        engine.contains("tablebase=0") && engine.contains("book=0"),
        "{engine}"
    );
    assert!(
        !ReviewSpec {
            tables: true,
            ..spec
        }
        .engine()
        .to_string()
        .contains("=0")
    );
}

#[test]
fn a_request_to_stop_leaves_whole_games() {
    let games = games("kalah:6x4", 3, 0);
    let stop = Stop::new();
    stop.request();
    let judged = review_games(&ReviewSpec::default(), &games, 2, &stop, &mut |_| {});
    assert!(judged.expect("nothing wrong").is_empty());
}
