//! Every search checked against a plain negamax, on random positions of every game and rule.

use kalahari_games::isolation::{IsolationRule, IsolationSpec};
use kalahari_games::kalah::{CaptureRule, KalahSpec};
use kalahari_games::{AnyGame, Game, GameSpec, with_game};
use kalahari_oracle::{Negamax, is_small};
use kalahari_search::engine::{Engine, EngineOptions, Techniques};
use kalahari_search::eval::{EvalError, Evaluation, Registry, Scale};
use kalahari_search::mcts::{Mcts, MctsOptions, Playout};
use kalahari_search::plain::{Plain, Pruning};
use kalahari_search::{Agent, Report, Rng, Searchable, Task};
use kalahari_terms::{Limits, Score, Stop, Worth};

/// All rule sets, on boards that plain negamax can search.
fn games() -> Vec<GameSpec> {
    let mut games = Vec::new();
    for rule in CaptureRule::ALL {
        for (pits, seeds) in [
            (1, 3),
            (2, 4),
            (3, 3),
            (4, 4),
            (6, 4),
            (6, 6),
            (7, 3),
            (8, 2),
        ] {
            let spec = KalahSpec::new(pits, seeds, rule).expect("a size");
            games.extend(
                [false, true].map(|majority| GameSpec::Kalah(spec.with_majority(majority))),
            );
        }
    }
    for rule in IsolationRule::ALL {
        for (rows, cols) in [(2, 2), (3, 3), (3, 5), (5, 5), (9, 9), (12, 12)] {
            if rule == IsolationRule::Classic && rows * cols > 25 {
                continue;
            }
            games.extend(IsolationSpec::new(rows, cols, rule).map(GameSpec::Isolation));
        }
    }
    games
}

fn random_position<G: Game>(game: &G, rng: &mut Rng, moves: usize) -> G::Position {
    let mut position = game.start();
    for _ in 0..moves {
        let count = game.count_moves(&position) as usize;
        let Some(mv) = game.moves(&position).nth(rng.below(count)) else {
            break;
        };
        position = game.play_unchecked(&position, mv);
    }
    position
}

fn think<G: Searchable>(
    agent: &mut dyn Agent<G>,
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
    agent.think(task).expect("our own agents never fail")
}

/// A reported score as the search saw it.
fn raw(scale: Scale, score: Score) -> i32 {
    match score.worth() {
        Worth::Margin(margin) => scale.finished(margin),
        Worth::Result(verdict) => scale.finished(verdict.sign()),
        Worth::Seeds(seeds) => (seeds * f64::from(scale.point)).round() as i32,
        worth => worth.amount() as i32,
    }
}

/// A proven score as a margin, or as the sign of the result in games without margins.
fn proven(score: Score) -> Option<i32> {
    let sign = score.proven_verdict().map(|verdict| verdict.sign());
    score.proven_margin().or(sign)
}

/// Plain and exact-depth searches give the value of negamax, for the position and for every move.
fn same_as_negamax<G: Searchable>(game: &G, rng_seed: u64) {
    let mut rng = Rng::new(rng_seed);
    for kind in G::Eval::kinds() {
        let name = kind.name;
        let eval = match G::Eval::new(name, game, &[]) {
            // Not every board has a net.
            Err(EvalError::NoNet { .. }) => continue,
            eval => eval.expect("listed"),
        };
        let scale = eval.scale();
        // Engines keep their tables from position to position: old entries must not mislead them.
        let engine = |techniques| {
            let options = EngineOptions {
                eval: eval.clone(),
                techniques,
                hash: 1,
                ..EngineOptions::of_game(game)
            };
            Engine::new(game.clone(), options)
        };
        let mut agents: Vec<(&str, i32, Box<dyn Agent<G>>)> = vec![
            (
                "minimax",
                1,
                Box::new(Plain::new(game.clone(), eval.clone(), Pruning::None, 1)),
            ),
            (
                "alphabeta",
                1,
                Box::new(Plain::new(
                    game.clone(),
                    eval.clone(),
                    Pruning::AlphaBeta,
                    1,
                )),
            ),
            (
                "alphabeta extra=2",
                2,
                Box::new(Plain::new(
                    game.clone(),
                    eval.clone(),
                    Pruning::AlphaBeta,
                    2,
                )),
            ),
            ("engine", 1, Box::new(engine(Techniques::exact_depth()))),
        ];
        for depth in 1..=6 {
            let moves = rng.below(24);
            let position = random_position(game, &mut rng, moves);
            // Wide boards: negamax would take minutes.
            let branches = game.count_moves(&position).max(1);
            if branches
                .checked_pow(depth)
                .is_none_or(|leaves| leaves > 20_000)
                || game.is_over(&position)
            {
                continue;
            }
            for (agent_name, extra, agent) in &mut agents {
                let negamax = Negamax {
                    game,
                    eval: &|position, again| eval.evaluate(game, position, again),
                    finished: &|margin| scale.finished(margin),
                    extra: *extra,
                };
                let expected = negamax.value(&position, depth as i32, false);
                let context = || {
                    format!(
                        "{agent_name} {name} depth {depth} {} {}",
                        game.spec(),
                        game.position_text(&position)
                    )
                };
                for all_moves in [false, true] {
                    let report = think(agent.as_mut(), position, Limits::depth(depth), all_moves);
                    assert_eq!(raw(scale, report.score), expected, "{}", context());
                    let best = report.best.expect("a game that is not over");
                    assert_eq!(
                        negamax.move_value(&position, best, depth as i32),
                        expected,
                        "{}",
                        context()
                    );
                    assert_eq!(report.line.first(), Some(&best));
                    if all_moves {
                        assert_eq!(report.moves.len() as u64, branches);
                        for &(mv, score) in &report.moves {
                            let expected = negamax.move_value(&position, mv, depth as i32);
                            assert_eq!(raw(scale, score), expected, "{mv} {}", context());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn fixed_depth_searches_equal_negamax() {
    for (n, game) in games().into_iter().enumerate() {
        let game = AnyGame::new(game);
        for seed in 0..2 {
            with_game!(&game, game => same_as_negamax(game, 100 * n as u64 + seed));
        }
    }
}

/// In normal mode, positions that are searched to the end get their true value.
fn same_at_the_end<G: Searchable>(game: &G) -> u32 {
    let mut rng = Rng::new(5);
    let mut compared = 0;
    for kind in G::Eval::kinds() {
        let name = kind.name;
        let eval = match G::Eval::new(name, game, &[]) {
            // Not every board has a net.
            Err(EvalError::NoNet { .. }) => continue,
            eval => eval.expect("listed"),
        };
        for threads in [1, 2] {
            let options = EngineOptions {
                eval: eval.clone(),
                threads,
                hash: 1,
                ..EngineOptions::of_game(game)
            };
            let mut engine = Engine::new(game.clone(), options);
            for _ in 0..4 {
                let Some(position) = late_position(game, &mut rng) else {
                    continue;
                };
                let truth = Negamax {
                    game,
                    eval: &|_, _| unreachable!("negamax runs to the end"),
                    finished: &|margin| margin,
                    extra: 1,
                };
                for all_moves in [false, true] {
                    let report = think(&mut engine, position, Limits::NONE, all_moves);
                    let context = format!(
                        "{name} threads {threads} {} {}",
                        game.spec(),
                        game.position_text(&position)
                    );
                    assert_eq!(report.score.player(), game.to_move(&position));
                    let value = truth.value(&position, i32::MAX, false);
                    assert_eq!(proven(report.score), Some(value), "{context}");
                    let best = report.best.expect("a game that is not over");
                    let value = truth.move_value(&position, best, i32::MAX);
                    assert_eq!(proven(report.score), Some(value), "{context}");
                    for (mv, score) in report.moves {
                        let value = truth.move_value(&position, mv, i32::MAX);
                        assert_eq!(proven(score), Some(value), "{mv} {context}");
                    }
                    compared += 1;
                }
            }
        }
    }
    compared
}

/// A position whose whole game tree is small, found by playing random moves until it is.
fn late_position<G: Searchable>(game: &G, rng: &mut Rng) -> Option<G::Position> {
    let mut position = game.start();
    loop {
        let count = game.count_moves(&position) as usize;
        let mv = game.moves(&position).nth(rng.below(count))?;
        position = game.play_unchecked(&position, mv);
        if !game.is_over(&position) && is_small(game, &position, 2_000) {
            return Some(position);
        }
    }
}

#[test]
fn positions_searched_to_the_end_get_their_true_value() {
    let mut compared = 0;
    for game in games() {
        // Codes of large Isolation boards are hashes, so nothing is called proven there.
        if !matches!(game, GameSpec::Isolation(spec) if spec.cells() > 64) {
            let game = AnyGame::new(game);
            compared += with_game!(&game, game => same_at_the_end(game));
        }
    }
    assert!(compared > 1_000, "{compared}");
}

/// Everything that Monte Carlo tree search calls proven is true.
fn proven_is_true<G: Searchable>(game: &G, playout: Playout, eval: Option<G::Eval>) -> (u32, u32) {
    let mut rng = Rng::new(9);
    let (mut count, mut all) = (0, 0);
    let options = MctsOptions {
        eval,
        playout,
        hash: 16,
        ..MctsOptions::of_game(game)
    };
    let mut mcts = Mcts::new(game.clone(), options, 3);
    for _ in 0..6 {
        let Some(position) = late_position(game, &mut rng) else {
            continue;
        };
        let report = think(&mut mcts, position, Limits::nodes(20_000), true);
        all += 1;
        let truth = Negamax {
            game,
            eval: &|_, _| unreachable!("negamax runs to the end"),
            finished: &i32::signum,
            extra: 1,
        };
        if let Some(verdict) = report.score.proven_verdict() {
            count += 1;
            let expected = truth.value(&position, i32::MAX, false);
            let text = game.position_text(&position);
            assert_eq!(verdict.sign(), expected, "{} {text}", game.spec());
            let best = report.best.expect("a game that is not over");
            assert_eq!(truth.move_value(&position, best, i32::MAX), expected);
        }
        for (mv, score) in report.moves {
            assert_eq!(score.proven_margin(), None);
            if let Some(verdict) = score.proven_verdict() {
                assert_eq!(
                    verdict.sign(),
                    truth.move_value(&position, mv, i32::MAX),
                    "{mv}"
                );
            }
        }
    }
    (count, all)
}

#[test]
fn what_mcts_proves_is_true() {
    let (mut proven, mut all) = (0, 0);
    for game in games() {
        let game = AnyGame::new(game);
        for playout in [Playout::Random, Playout::Greedy, Playout::Cut(2)] {
            let (p, a) = with_game!(&game, game => proven_is_true(game, playout, None));
            proven += p;
            all += a;
        }
        let (p, a) = with_game!(&game, game => {
            proven_is_true(game, Playout::Cut(2), Some(Registry::of_choice(game)))
        });
        proven += p;
        all += a;
    }
    assert!(proven * 10 > all * 9, "{proven} of {all} proven");
}

/// Moves that are proven before their position also have their true value. Returns the number of such moves and the number of all
/// moves.
fn proven_moves_are_true<G: Searchable>(game: &G, contempt: i32) -> (usize, usize) {
    let mut rng = Rng::new(21);
    let (mut early, mut all) = (0, 0);
    let options = EngineOptions {
        hash: 1,
        techniques: Techniques {
            contempt,
            ..Techniques::default()
        },
        ..EngineOptions::of_game(game)
    };
    let mut engine = Engine::new(game.clone(), options);
    let mut plain = Plain::new(game.clone(), G::Eval::plainest(game), Pruning::AlphaBeta, 1);
    for _ in 0..6 {
        let Some(position) = late_position(game, &mut rng) else {
            continue;
        };
        let truth = Negamax {
            game,
            eval: &|_, _| unreachable!("negamax runs to the end"),
            finished: &|margin| margin,
            extra: 1,
        };
        let agents: [&mut dyn Agent<G>; 2] = [&mut engine, &mut plain];
        for agent in agents {
            for depth in 1..=5 {
                let report = think(agent, position, Limits::depth(depth), true);
                let text = game.position_text(&position);
                if let Some(found) = proven(report.score) {
                    let value = truth.value(&position, i32::MAX, false);
                    assert_eq!(found, value, "{} {text}", game.spec());
                }
                for (mv, score) in report.moves {
                    all += 1;
                    if let Some(found) = proven(score) {
                        let value = truth.move_value(&position, mv, i32::MAX);
                        assert_eq!(found, value, "{} {text} {mv}", game.spec());
                        early += usize::from(!report.score.is_proven());
                    }
                }
            }
        }
    }
    (early, all)
}

#[test]
fn moves_are_proven_one_by_one() {
    let (mut early, mut all) = (0, 0);
    for game in games() {
        let game = AnyGame::new(game);
        let (e, a) = with_game!(&game, game => proven_moves_are_true(game, 0));
        early += e;
        all += a;
    }
    assert!(
        early * 20 > all,
        "only {early} of {all} were proven before their position"
    );
}

#[test]
fn contempt_makes_no_false_proofs() {
    for game in games() {
        let game = AnyGame::new(game);
        with_game!(&game, game => proven_moves_are_true(game, 300));
    }
}
