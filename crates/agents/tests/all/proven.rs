//! What an agent calls proven is true, whatever its options: compares each option at both ends of its range with plain negamax.

use kalahari_agents::{AgentProblem, AgentSpec, Player, parameters};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, Typed, with_game};
use kalahari_oracle::{Negamax, is_small};
use kalahari_search::eval::{EvalError, Registry};
use kalahari_search::{Rng, Searchable};
use kalahari_terms::{Limits, Score, Stop};
use std::collections::BTreeMap;

/// Games of every rule, on small and large boards.
const GAMES: [&str; 24] = [
    "kalah:1x3",
    "kalah:2x4:empty-capture",
    "kalah:3x3",
    "kalah:3x4:pre-move-empty",
    "kalah:4x1:empty-capture",
    "kalah:4x3",
    "kalah:4x3:empty-capture+majority",
    "kalah:5x2:pre-move-empty",
    "kalah:6x2",
    "kalah:6x4:empty-capture",
    "kalah:6x6",
    "kalah:6x3:standard+majority",
    "kalah:7x3",
    "kalah:12x2",
    "isolation:3x3:trail",
    "isolation:4x4:trail",
    "isolation:5x5:trail",
    "isolation:3x4:knight",
    "isolation:5x5:knight",
    "isolation:3x3:queen",
    "isolation:4x4:queen",
    "isolation:3x3:classic",
    "isolation:4x4:classic",
    "isolation:9x9:trail",
];

/// A position with its true value and those of its moves, as final margins for the mover.
struct Known {
    position: AnyPosition,
    value: i32,
    moves: BTreeMap<AnyMove, i32>,
}

impl Known {
    /// The first position of a random game whose game tree is small.
    fn next<G: Typed>(game: &G, rng: &mut Rng) -> Option<Self> {
        let mut position = game.start();
        while !is_small(game, &position, 1_500) || rng.below(8) == 0 {
            let count = game.count_moves(&position) as usize;
            let mv = game.moves(&position).nth(rng.below(count))?;
            position = game.play_unchecked(&position, mv);
        }
        let truth = Negamax {
            game,
            eval: &|_, _| unreachable!("negamax runs to the end"),
            finished: &|margin| margin,
            extra: 1,
        };
        let value = |mv| truth.move_value(&position, mv, i32::MAX);
        let moves = game.moves(&position);
        let moves: BTreeMap<_, _> = moves.map(|mv| (G::erase_move(mv), value(mv))).collect();
        Some(Known {
            position: G::erase_position(position),
            value: *moves.values().max()?,
            moves,
        })
    }
}

/// Specs with every option, except limits, of every agent that proves anything, at both ends of its range.
fn options<G: Searchable>(any: &AnyGame) -> Vec<String> {
    let mut specs = vec!["engine:".to_owned()];
    let engine = [
        "threads=2",
        "threads=64",
        "exact-depth=1",
        "exact-depth=1,etc=1,range=1,quiescence=1,theory=1,selective=1,traps=1,contempt=1000",
        "window=0",
        "window=50",
        "etc-depth=2",
        "etc-depth=40",
        "etc=0",
        "range=0",
        "quiescence=0",
        "theory=0",
        "selective=0",
        "traps=0",
        "etc=0,range=0,quiescence=0,theory=0,selective=0,traps=0",
        "tablebase=0",
        "book=0",
        "contempt=1",
        "contempt=100",
        "contempt=1000",
        "contempt=1000,threads=2,theory=0,range=0",
    ];
    specs.extend(engine.map(|option| format!("engine:{option},")));
    let mut evals = Vec::new();
    for name in G::Eval::kinds().iter().map(|kind| kind.name) {
        let spec: AgentSpec = format!("engine:eval={name}").parse().expect("a spec");
        let tuned = match parameters(&spec, any) {
            Err(error) if matches!(error.problem, AgentProblem::Eval(EvalError::NoNet { .. })) => {
                continue;
            }
            tuned => tuned.expect("an agent"),
        };
        evals.push(name);
        specs.push(format!("engine:eval={name},contempt=1000,"));
        // All at their minimum, all at their maximum, and alternating.
        for ends in 0..4 {
            let set = tuned.iter().enumerate().map(|(i, parameter)| {
                let most = (ends + i * (ends / 2)) % 2 == 1;
                let end = if most { parameter.max } else { parameter.min };
                format!("{}={end},", parameter.name)
            });
            specs.push(format!("engine:eval={name},") + &set.collect::<String>());
        }
    }
    let mcts = [
        "",
        "alpha=0,",
        "alpha=1,",
        "c=0,",
        "c=100,",
        "reuse=0,",
        "solver=0,",
        "solver=1,reuse=1,",
        "playout=greedy,",
        "playout=cut:0,",
        "playout=cut:4000000000,",
    ];
    specs.extend(mcts.map(|option| format!("mcts:{option}")));
    specs.extend(
        evals
            .iter()
            .map(|name| format!("mcts:eval={name},alpha=1,playout=cut:0,")),
    );
    specs.extend(["perfect:", "perfect:threads=1,", "perfect:threads=64,"].map(str::to_owned));
    specs
}

/// Limits of a move, from next to nothing to more than is needed.
const LIMITS: [(&str, u64); 9] = [
    ("depth", 1),
    ("depth", 2),
    ("depth", 3),
    ("depth", 5),
    ("depth", 1_000),
    ("nodes", 0),
    ("nodes", 40),
    ("nodes", 1_000),
    ("nodes", 60_000),
];

/// Whether a score is called proven but is wrong.
fn is_false(score: Score, truth: i32) -> bool {
    let wrong_margin = score.proven_margin().is_some_and(|margin| margin != truth);
    let verdict = score.proven_verdict();
    wrong_margin || verdict.is_some_and(|verdict| verdict.sign() != truth.signum())
}

/// Asks an agent about each of the positions, with one limit after the other. Returns the number of values that were proven.
fn ask(any: &AnyGame, spec: &str, positions: &[Known], turn: &mut usize) -> usize {
    let mut proven = 0;
    let mut players: BTreeMap<usize, Player> = BTreeMap::new();
    for known in positions {
        *turn += 1;
        let number = *turn % LIMITS.len();
        let (limit, most) = LIMITS[number];
        // Players are kept from position to position, because old table entries must not lead to wrong proofs.
        let player = players.entry(number).or_insert_with(|| {
            let limit = match limit {
                "nodes" if spec.starts_with("mcts") => "playouts",
                limit => limit,
            };
            let spec: AgentSpec = format!("{spec}hash=1,{limit}={most}")
                .parse()
                .expect("a spec");
            Player::new(&spec, any, 7).unwrap_or_else(|error| panic!("{spec}: {error}"))
        });
        let limits = match (spec.starts_with("mcts"), limit) {
            // A depth does not limit MCTS.
            (true, "depth") => Limits::nodes(300),
            _ => Limits::NONE,
        };
        for all_moves in [false, true] {
            let report = player.think(
                &known.position,
                limits,
                &Stop::new(),
                all_moves,
                &mut |_| {},
            );
            let report = report.expect("built-in agents do not fail");
            let context = || {
                let text = any.position_text(&known.position);
                format!(
                    "{} says of {} {text}: {report:?}",
                    player.spec(),
                    any.spec()
                )
            };
            let best = report.best.expect("an unfinished game has a move");
            assert!(!is_false(report.score, known.value), "{}", context());
            if report.score.is_proven() {
                proven += 1;
                // Where only results are proven, margins may be given away.
                let kept = match report.score.proven_margin() {
                    Some(_) => known.moves[&best] == known.value,
                    None => known.moves[&best].signum() == known.value.signum(),
                };
                assert!(kept, "{}", context());
            }
            for (mv, score) in &report.moves {
                assert!(!is_false(*score, known.moves[mv]), "{mv}: {}", context());
            }
        }
    }
    proven
}

/// Asks every agent about `each` positions of a game. Returns the number of answers, and how many were proven.
fn compare<G: Typed + Searchable>(game: &G, each: usize, rng_seed: u64) -> (usize, usize) {
    let any = game.clone().erase();
    let mut rng = Rng::new(rng_seed);
    let (mut answers, mut proven, mut turn) = (0, 0, 0);
    for spec in options::<G>(&any) {
        let positions: Vec<Known> = (0..4 * each)
            .filter_map(|_| Known::next(game, &mut rng))
            .take(each)
            .collect();
        answers += 2 * positions.len();
        proven += ask(&any, &spec, &positions, &mut turn);
    }
    (answers, proven)
}

/// Asks every agent about `each` positions of every game.
fn compare_all(each: usize, rng_seed: u64) {
    let (mut answers, mut proven) = (0, 0);
    for name in GAMES {
        let game = AnyGame::new(name.parse().expect("a game"));
        let (a, p) = with_game!(&game, game => compare(game, each, rng_seed));
        answers += a;
        proven += p;
    }
    println!("{proven} of {answers} answers were proven");
    assert!(answers > 5_000 * each / 3, "only {answers} answers");
    assert!(3 * proven > answers, "only {proven} of {answers} proven");
}

#[test]
fn whatever_the_options_proven_is_true() {
    compare_all(2, 1);
}

#[test]
#[ignore = "tens of thousands of positions"]
fn whatever_the_options_proven_is_true_of_very_many_positions() {
    compare_all(20, 2);
}

fn report_of(game: &str, position: &str, spec: &str) -> (AnyGame, kalahari_agents::AnyReport) {
    let game = AnyGame::new(game.parse().expect("a game"));
    let position = game.parse_position(position).expect("a position");
    let spec = spec.parse().expect("a spec");
    let mut player = Player::new(&spec, &game, 1).expect("an agent");
    let report = player.think(&position, Limits::NONE, &Stop::new(), true, &mut |_| {});
    (game, report.expect("built-in agents do not fail"))
}

/// A regression test: with contempt, a draw was reported as a proven loss by the amount of the contempt.
#[test]
fn contempt_changes_no_value_that_is_proven() {
    for contempt in [0, 1, 100, 500, 1000] {
        let spec = format!("engine:contempt={contempt},depth=30");
        let (_, report) = report_of("kalah:4x1:empty-capture", "0 2 1 1 0 0 2 1 1 0 0", &spec);
        let values: Vec<_> = report
            .moves
            .iter()
            .map(|(_, score)| score.proven_margin())
            .collect();
        assert_eq!(values, [Some(-4), Some(-2), Some(0)], "{spec}");
        assert_eq!(report.score.proven_margin(), Some(0));
        assert_eq!(report.best, Some(report.moves[2].0));
    }
}

/// If the best move is a proven draw, contempt may prefer a move for which nothing is proven.
#[test]
fn contempt_gives_up_draws_only_for_what_may_be_more() {
    let (mut given_up, mut kept) = (0, 0);
    for name in ["kalah:4x3", "kalah:3x4", "kalah:6x2:empty-capture"] {
        let any = AnyGame::new(name.parse().expect("a game"));
        let mut rng = Rng::new(3);
        for depth in [2, 3, 4, 5] {
            let spec = format!("engine:contempt=1000,depth={depth},hash=1");
            let mut player =
                Player::new(&spec.parse().expect("a spec"), &any, 1).expect("an agent");
            for _ in 0..100 {
                let known = with_game!(&any, game => Known::next(game, &mut rng));
                let Some(known) = known else { continue };
                let report = player.think(
                    &known.position,
                    Limits::NONE,
                    &Stop::new(),
                    true,
                    &mut |_| {},
                );
                let report = report.expect("built-in agents do not fail");
                let amounts = report.moves.iter().map(|(_, score)| score.amount());
                let most = amounts.fold(f64::MIN, f64::max);
                let best = report.moves.iter().find(|(mv, _)| Some(*mv) == report.best);
                let best = best.expect("one of the moves").1;
                let drawn = |score: &Score| score.proven_margin() == Some(0);
                if report.moves.iter().any(|(_, score)| drawn(score)) && most == 0.0 {
                    let has_choice = report.moves.iter().any(|(_, score)| !score.is_proven());
                    assert!(drawn(&best) || !best.is_proven(), "{report:?}");
                    given_up += usize::from(!best.is_proven());
                    kept += usize::from(!has_choice);
                } else {
                    assert_eq!(best.amount(), most, "{report:?}");
                }
            }
        }
    }
    assert!(given_up > 0 && kept > 0, "{given_up} given up, {kept} kept");
}
