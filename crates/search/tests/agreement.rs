//! Every search against a plain negamax, on random positions of every game and rule.

use kalahari_games::isolation::{IsolationRule, IsolationSpec};
use kalahari_games::kalah::{CaptureRule, KalahSpec};
use kalahari_games::{Game, GameSpec, Totals};
use kalahari_oracle::{Negamax, is_small};
use kalahari_search::engine::{Engine, EngineOptions, Techniques};
use kalahari_search::eval::Evaluation;
use kalahari_search::mcts::{Mcts, MctsOptions, Playout};
use kalahari_search::plain::{Plain, Pruning};
use kalahari_search::{
    Agent, Limits, Report, Rng, SearchVisitor, Searchable, Stop, Task, Unit, visit,
};

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
    agent.think(Task {
        position,
        limits,
        stop: &Stop::new(),
        all_moves,
        progress: &mut |_| {},
    })
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// A reported value as the search saw it.
fn raw<G: Searchable>(eval: &G::Eval, value: f64, unit: Unit) -> i32 {
    match unit {
        Unit::Eval => value as i32,
        _ => eval.finished(value as i32),
    }
}

/// Plain and exact-depth searches give negamax's value, for the position and for every move.
struct SameAsNegamax {
    seed: u64,
}

impl SearchVisitor for SameAsNegamax {
    type Output = ();

    fn visit<G: Searchable>(self, game: G) {
        let mut rng = Rng::new(self.seed);
        for (name, _) in G::Eval::list() {
            let eval = G::Eval::by_name(name).expect("listed").suited_to(&game);
            // Engines keep their tables from position to position: old entries must not mislead them.
            let engine = |techniques| {
                let options = EngineOptions {
                    eval: eval.clone(),
                    techniques,
                    hash: 1,
                    ..EngineOptions::of_game(&game)
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
                let position = random_position(&game, &mut rng, moves);
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
                        game: &game,
                        eval: &|position, again| eval.evaluate(&game, position, again),
                        finished: &|margin| eval.finished(margin),
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
                        let report = think(agent.as_mut(), position, to_depth(depth), all_moves);
                        assert_eq!(
                            raw::<G>(&eval, report.value, report.unit),
                            expected,
                            "{}",
                            context()
                        );
                        let best = report.best.expect("a game that goes on");
                        assert_eq!(
                            negamax.move_value(&position, best, depth as i32),
                            expected,
                            "{}",
                            context()
                        );
                        assert_eq!(report.line.first(), Some(&best));
                        if all_moves {
                            assert_eq!(report.moves.len() as u64, branches);
                            for &(mv, value) in &report.moves {
                                let expected = negamax.move_value(&position, mv, depth as i32);
                                assert_eq!(
                                    raw::<G>(&eval, value, report.unit),
                                    expected,
                                    "{mv} {}",
                                    context()
                                );
                            }
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
        for seed in 0..2 {
            visit(
                game,
                Totals::Exact,
                SameAsNegamax {
                    seed: 100 * n as u64 + seed,
                },
            );
        }
    }
}

/// In normal mode, positions that are searched to the end get their true value.
struct SameAtTheEnd;

impl SearchVisitor for SameAtTheEnd {
    type Output = u32;

    fn visit<G: Searchable>(self, game: G) -> u32 {
        let mut rng = Rng::new(5);
        let mut compared = 0;
        for (name, _) in G::Eval::list() {
            let eval = G::Eval::by_name(name).expect("listed").suited_to(&game);
            for threads in [1, 2] {
                let options = EngineOptions {
                    eval: eval.clone(),
                    threads,
                    hash: 1,
                    ..EngineOptions::of_game(&game)
                };
                let mut engine = Engine::new(game.clone(), options);
                for _ in 0..4 {
                    let Some(position) = late_position(&game, &mut rng) else {
                        continue;
                    };
                    let truth = Negamax {
                        game: &game,
                        eval: &|_, _| unreachable!("negamax runs to the end"),
                        finished: &|margin| margin,
                        extra: 1,
                    };
                    for all_moves in [false, true] {
                        let report = think(&mut engine, position, Limits::default(), all_moves);
                        let context = format!(
                            "{name} threads {threads} {} {}",
                            game.spec(),
                            game.position_text(&position)
                        );
                        assert!(report.proven, "{context}");
                        assert_eq!(
                            report.value as i32,
                            truth.value(&position, i32::MAX, false),
                            "{context}"
                        );
                        let best = report.best.expect("a game that goes on");
                        assert_eq!(
                            report.value as i32,
                            truth.move_value(&position, best, i32::MAX),
                            "{context}"
                        );
                        for (mv, value) in report.moves {
                            assert_eq!(
                                value as i32,
                                truth.move_value(&position, mv, i32::MAX),
                                "{mv} {context}"
                            );
                        }
                        compared += 1;
                    }
                }
            }
        }
        compared
    }
}

/// A position whose whole tree is small, found by playing on until it is.
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
            compared += visit(game, Totals::Exact, SameAtTheEnd);
        }
    }
    assert!(compared > 1_000, "{compared}");
}

/// What Monte Carlo tree search calls proven is true.
struct ProvenIsTrue {
    playout: Playout,
}

impl SearchVisitor for ProvenIsTrue {
    type Output = (u32, u32);

    fn visit<G: Searchable>(self, game: G) -> (u32, u32) {
        let mut rng = Rng::new(9);
        let (mut proven, mut all) = (0, 0);
        let options = MctsOptions {
            playout: self.playout,
            hash: 16,
            ..MctsOptions::of_game(game.spec())
        };
        let mut mcts = Mcts::new(game.clone(), options, 3);
        for _ in 0..6 {
            let Some(position) = late_position(&game, &mut rng) else {
                continue;
            };
            let limits = Limits {
                nodes: Some(20_000),
                ..Limits::default()
            };
            let report = think(&mut mcts, position, limits, true);
            all += 1;
            if report.proven {
                proven += 1;
                let truth = Negamax {
                    game: &game,
                    eval: &|_, _| unreachable!("negamax runs to the end"),
                    finished: &i32::signum,
                    extra: 1,
                };
                let expected = truth.value(&position, i32::MAX, false);
                let found = match report.unit {
                    Unit::Result => report.value as i32,
                    _ => (2.0 * report.value - 1.0) as i32,
                };
                assert_eq!(
                    found,
                    expected,
                    "{} {}",
                    game.spec(),
                    game.position_text(&position)
                );
                let best = report.best.expect("a game that goes on");
                assert_eq!(truth.move_value(&position, best, i32::MAX), expected);
            }
        }
        (proven, all)
    }
}

#[test]
fn what_mcts_proves_is_true() {
    let (mut proven, mut all) = (0, 0);
    for game in games() {
        for playout in [Playout::Random, Playout::Greedy, Playout::Cut(2)] {
            let (p, a) = visit(game, Totals::Exact, ProvenIsTrue { playout });
            proven += p;
            all += a;
        }
    }
    assert!(proven * 10 > all * 9, "{proven} of {all} proven");
}
