//! Proofs within the engine's limits: what it calls proven is true, the limits are kept, and results are reproducible.

use kalahari_agents::{AgentSpec, AnyReport, Player};
use kalahari_games::{AnyGame, AnyPosition, Game};
use kalahari_terms::{Bounds, Limits, Score, Stop, Worth};
use std::time::Duration;

/// A middle-game position in which every move is solved.
struct Solved {
    game: AnyGame,
    position: AnyPosition,
    /// The final margin after each move, by pit; `None` for an empty pit.
    values: Vec<Option<i32>>,
}

/// Every `step`th of the solved positions: see `examples/solved_sample.rs`.
fn solved(step: usize) -> impl Iterator<Item = Solved> {
    let text = include_str!("../data/solved.txt");
    text.lines().step_by(step).map(|line| {
        let parts: Vec<&str> = line.split(';').map(str::trim).collect();
        let (game, position) =
            AnyGame::at(parts[0].parse().expect("a game"), parts[1]).expect("a position");
        Solved {
            game,
            position,
            values: parts[2].split(' ').map(|word| word.parse().ok()).collect(),
        }
    })
}

fn player(spec: &str, game: &AnyGame) -> Player {
    let spec: AgentSpec = spec.parse().expect("a spec");
    Player::new(&spec, game, 1).expect("an agent")
}

#[test]
fn what_is_called_proven_is_true_and_what_is_bounded_lies_within() {
    let (mut proven, mut given_away) = (0, 0);
    let nodes = 500_000;
    let positions: Vec<Solved> = solved(20).collect();
    for one in &positions {
        let mut player = player("engine:tablebase=0,book=0", &one.game);
        let report = player.choose(&one.position, Limits::nodes(nodes), &Stop::new());
        let report = report.expect("built-in agents do not fail");
        assert!(report.nodes <= nodes, "{}", report.nodes);
        let best = one.values.iter().flatten().max().copied().expect("a move");
        let pit: usize = report
            .best
            .expect("a move")
            .to_string()
            .parse()
            .expect("a pit");
        let played = one.values[pit].expect("a legal move");
        given_away += best - played;
        if report.score.is_proven() {
            proven += 1;
            assert_eq!(report.score.worth(), Worth::Margin(best));
            assert_eq!(played, best);
        }
        let outlook = report.outlook.expect("a proof was tried");
        assert!(outlook.value.lower <= best && best <= outlook.value.upper);
        for (mv, bounds) in outlook.moves {
            let pit: usize = mv.to_string().parse().expect("a pit");
            let value = one.values[pit].expect("a legal move");
            assert!(bounds.lower <= value && value <= bounds.upper, "{mv}");
        }
    }
    // This is without a tablebase. (With a million nodes, a third to a half of such positions were proven.)
    assert!(
        6 * proven >= positions.len(),
        "{proven} of {}",
        positions.len()
    );
    assert!(given_away < 20, "{given_away}");
}

#[test]
fn values_of_every_move_are_true() {
    for one in solved(50) {
        let mut player = player("engine:tablebase=0,book=0", &one.game);
        let limits = Limits::nodes(60_000);
        let report = player.think(&one.position, limits, &Stop::new(), true, &mut |_| {});
        for (mv, score) in report.expect("built-in agents do not fail").moves {
            let pit: usize = mv.to_string().parse().expect("a pit");
            if score.is_proven() {
                assert_eq!(Some(score.amount() as i32), one.values[pit], "{mv}");
            }
        }
    }
}

/// Checks that a report agrees with its own bounds: values lie within their bounds, and a value whose bounds meet is
/// proven. This holds for intermediate reports, too.
fn agrees_with_itself(report: &AnyReport) {
    let Some(outlook) = &report.outlook else {
        return;
    };
    let agrees = |score: Score, bounds: Bounds, what: &str| {
        let (lower, upper) = (f64::from(bounds.lower), f64::from(bounds.upper));
        let seeds = score.seeds().expect("the net counts seeds");
        assert!(
            lower <= seeds && seeds <= upper,
            "{what}: {score:?} {bounds:?}"
        );
        if let Some(margin) = bounds.exact() {
            assert_eq!(score.proven_margin(), Some(margin), "{what}");
        }
    };
    agrees(report.score, outlook.value, "the position");
    let bounds = |mv| {
        let mut known = outlook.moves.iter().filter(move |(other, _)| *other == mv);
        known.next().map(|(_, bounds)| *bounds)
    };
    for &(mv, score) in &report.moves {
        agrees(
            score,
            bounds(mv).expect("a bound for every move"),
            &mv.to_string(),
        );
    }
    let best = report.best.expect("a move");
    assert_eq!(report.line.first(), Some(&best));
    let own = bounds(best).expect("a bound for every move");
    for (mv, other) in &outlook.moves {
        // A move that is proven to be no worse, and may be better, must be preferred.
        let is_surer = other.lower > own.lower && other.lower >= own.upper;
        assert!(!is_surer, "{best} {own:?} instead of {mv} {other:?}");
    }
}

#[test]
fn what_is_half_proven_holds_for_every_report() {
    for one in solved(50) {
        for (spec, all_moves) in [
            ("engine:tablebase=0,book=0,hash=4", false),
            ("engine:tablebase=0,book=0,hash=4", true),
            ("perfect:threads=1,hash=4", false),
        ] {
            for nodes in [7_000, 20_000, 50_000, 110_000] {
                let mut player = player(spec, &one.game);
                let mut nodes_told = 0;
                let mut told = |report: &AnyReport| {
                    agrees_with_itself(report);
                    assert!(report.nodes >= nodes_told, "{} {nodes_told}", report.nodes);
                    nodes_told = report.nodes;
                };
                let limits = Limits::nodes(nodes);
                let report =
                    player.think(&one.position, limits, &Stop::new(), all_moves, &mut told);
                told(&report.expect("built-in agents do not fail"));
            }
        }
    }
}

/// The number of nodes never decreases, not even when the proof takes over from the engine's first search.
#[test]
fn a_proof_without_limits_never_takes_nodes_back() {
    for one in solved(250) {
        let mut player = player("perfect:threads=2,hash=16", &one.game);
        let mut nodes_told = 0;
        let mut told = |report: &AnyReport| {
            agrees_with_itself(report);
            assert!(report.nodes >= nodes_told, "{} {nodes_told}", report.nodes);
            nodes_told = report.nodes;
        };
        let stop = Stop::new();
        let report = player.think(&one.position, Limits::NONE, &stop, true, &mut told);
        let report = report.expect("built-in agents do not fail");
        told(&report);
        assert!(report.score.is_proven() && report.moves.iter().all(|(_, one)| one.is_proven()));
    }
}

/// A proof of the start of 6x6 builds a large tablebase first. Its progress is reported, and it can be stopped.
#[test]
fn building_a_tablebase_is_reported_and_can_be_stopped() {
    let game = AnyGame::new("kalah:6x6".parse().expect("a game"));
    let start = kalahari_games::Game::start(&game);
    let mut player = player("perfect:threads=1,hash=16", &game);
    let stop = Stop::new();
    let mut percents = Vec::new();
    let mut told = |report: &AnyReport| {
        let table = report.outlook.as_ref().and_then(|outlook| outlook.table);
        percents.extend(table.map(|table| table.percent));
        if percents.len() == 3 {
            let words = report.outlook_words().expect("a proof is under way");
            assert!(words.contains("a tablebase of"), "{words}");
            stop.request();
        }
        // After the stop there are hardly any more reports.
        assert!(percents.len() < 6, "{percents:?}");
    };
    let report = player.think(&start, Limits::NONE, &stop, true, &mut told);
    let report = report.expect("built-in agents do not fail");
    assert!(report.best.is_some() && !report.score.is_proven());
    assert!(percents.len() >= 3 && percents.is_sorted(), "{percents:?}");
    assert!(
        report
            .outlook
            .is_some_and(|outlook| outlook.table.is_none())
    );
}

#[test]
fn results_are_reproducible_after_a_new_game_begins() {
    for spec in ["engine:tablebase=0,book=0", "perfect:threads=2"] {
        for one in solved(100) {
            let mut player = player(spec, &one.game);
            let mut answer = || {
                player.begin_game(1, &Stop::new());
                let limits = Limits::nodes(30_000);
                let report = player.choose(&one.position, limits, &Stop::new());
                let report = report.expect("built-in agents do not fail");
                (report.best, report.score, report.nodes, report.outlook)
            };
            assert_eq!(answer(), answer(), "{spec}");
        }
    }
}

#[test]
fn values_are_proven_with_and_without_probcut() {
    // The whole tree is searched long before this many nodes are spent.
    for game in ["kalah:4x3", "kalah:5x2", "kalah:4x4:standard"] {
        let game = AnyGame::new(game.parse().expect("a game"));
        let start = kalahari_games::Game::start(&game);
        let value = |spec: &str| {
            let mut player = player(spec, &game);
            let report = player.choose(&start, Limits::nodes(8_000_000), &Stop::new());
            let report = report.expect("built-in agents do not fail");
            assert!(report.score.is_proven(), "{spec} {}", game.spec());
            report.score.worth()
        };
        let all = "engine:tablebase=0,book=0";
        assert_eq!(value(all), value(&format!("{all},proofs=0")));
    }
}

#[test]
fn probcut_is_not_used_in_searches_to_a_depth() {
    for one in solved(100) {
        let nodes = |spec: &str| {
            let mut player = player(spec, &one.game);
            let report = player.choose(&one.position, Limits::depth(9), &Stop::new());
            report.expect("built-in agents do not fail").nodes
        };
        let plain = "engine:tablebase=0,book=0,proofs=0";
        assert_eq!(nodes(plain), nodes(&format!("{plain},probcut=1")));
    }
}

/// The limit is generous, since other tests run at the same time; `examples/give_away.rs` measures.
#[test]
fn answers_come_in_time() {
    for spec in ["engine", "perfect"] {
        for one in solved(60) {
            let mut player = player(spec, &one.game);
            let stop = Stop::new();
            let limits = Limits::time(Duration::from_millis(50));
            let begin = stop.now();
            let report = player.choose(&one.position, limits, &stop);
            assert!(report.expect("built-in agents do not fail").best.is_some());
            let took = stop.now().saturating_sub(begin);
            assert!(took < Duration::from_millis(500), "{spec}: {took:?}");
        }
    }
}

#[test]
fn a_request_ends_a_proof_without_limits() {
    let game = AnyGame::new("kalah:6x6".parse().expect("a game"));
    let start = kalahari_games::Game::start(&game);
    let mut player = player("perfect:threads=1,hash=16", &game);
    let stop = Stop::new().within(Duration::from_millis(1500));
    let report = player.choose(&start, Limits::NONE, &stop);
    let report = report.expect("built-in agents do not fail");
    assert!(report.best.is_some() && !report.score.is_proven());
}

/// A hash of what the engine finds with proofs and ProbCut in a few middle-game positions.
const FOUND: u64 = 7_865_368_802_844_444_423;

/// The bench does not use proofs, so this test detects changes in them.
#[test]
fn what_is_found_with_proofs_changes_only_on_purpose() {
    let mut found = 0_u64;
    for one in solved(50) {
        let mut player = player("engine:tablebase=0,book=0,hash=4", &one.game);
        let report = player.choose(&one.position, Limits::nodes(60_000), &Stop::new());
        let report = report.expect("built-in agents do not fail");
        let text = format!("{:?} {} {:?}", report.best, report.depth, report.score);
        for byte in text.bytes() {
            found = (found ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(
        found, FOUND,
        "if this change is intended, raise PROVING in search/src/engine/proving.rs and update FOUND"
    );
}
