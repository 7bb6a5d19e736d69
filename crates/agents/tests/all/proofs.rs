//! Proofs inside the engine's time: what it calls proven is true, its limits hold, and it repeats.

use kalahari_agents::{AgentSpec, AnyReport, Player};
use kalahari_games::{AnyGame, AnyPosition, Game};
use kalahari_terms::{Bounds, Limits, Score, Stop, Worth};
use std::time::Duration;

/// A middle game whose every move is solved.
struct Solved {
    game: AnyGame,
    position: AnyPosition,
    /// The final margin of every pit; `None` for an empty one.
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
        let report = report.expect("our own do not fail");
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
    // Without a tablebase. (At a million nodes a third to a half of such positions were proven.)
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
        for (mv, score) in report.expect("our own do not fail").moves {
            let pit: usize = mv.to_string().parse().expect("a pit");
            if score.is_proven() {
                assert_eq!(Some(score.amount() as i32), one.values[pit], "{mv}");
            }
        }
    }
}

/// Every report of a search, also on the way, is held to what is proven: values lie within their bounds, and where bounds
/// meet they are proven.
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
        // A move that is proven to be no worse, and may be better, is not passed over.
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
                told(&report.expect("our own do not fail"));
            }
        }
    }
}

/// Nodes never become fewer, also from the engine's first look to the proof that takes over.
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
        let report = report.expect("our own do not fail");
        told(&report);
        assert!(report.score.is_proven() && report.moves.iter().all(|(_, one)| one.is_proven()));
    }
}

/// The start of 6x6 takes a large tablebase first: whoever waits sees it grow, and can stop it.
#[test]
fn a_tablebase_in_the_making_is_seen_and_stopped() {
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
        // Somebody who has stopped it hears next to nothing more.
        assert!(percents.len() < 6, "{percents:?}");
    };
    let report = player.think(&start, Limits::NONE, &stop, true, &mut told);
    let report = report.expect("our own do not fail");
    assert!(report.best.is_some() && !report.score.is_proven());
    assert!(percents.len() >= 3 && percents.is_sorted(), "{percents:?}");
    assert!(
        report
            .outlook
            .is_some_and(|outlook| outlook.table.is_none())
    );
}

#[test]
fn nodes_repeat_and_what_was_learned_is_forgotten() {
    for spec in ["engine:tablebase=0,book=0", "perfect:threads=2"] {
        for one in solved(100) {
            let mut player = player(spec, &one.game);
            let mut answer = || {
                player.begin_game(1, &Stop::new());
                let limits = Limits::nodes(30_000);
                let report = player.choose(&one.position, limits, &Stop::new());
                let report = report.expect("our own do not fail");
                (report.best, report.score, report.nodes, report.outlook)
            };
            assert_eq!(answer(), answer(), "{spec}");
        }
    }
}

#[test]
fn what_the_engine_cuts_by_guesses_others_prove() {
    // Deeper searches than any have nothing left to cut long before so many nodes are spent.
    for game in ["kalah:4x3", "kalah:5x2", "kalah:4x4:standard"] {
        let game = AnyGame::new(game.parse().expect("a game"));
        let start = kalahari_games::Game::start(&game);
        let value = |spec: &str| {
            let mut player = player(spec, &game);
            let report = player.choose(&start, Limits::nodes(8_000_000), &Stop::new());
            let report = report.expect("our own do not fail");
            assert!(report.score.is_proven(), "{spec} {}", game.spec());
            report.score.worth()
        };
        let all = "engine:tablebase=0,book=0";
        assert_eq!(value(all), value(&format!("{all},proofs=0")));
    }
}

#[test]
fn a_depth_is_searched_without_guesses() {
    for one in solved(100) {
        let nodes = |spec: &str| {
            let mut player = player(spec, &one.game);
            let report = player.choose(&one.position, Limits::depth(9), &Stop::new());
            report.expect("our own do not fail").nodes
        };
        let plain = "engine:tablebase=0,book=0,proofs=0";
        assert_eq!(nodes(plain), nodes(&format!("{plain},probcut=1")));
    }
}

/// Generous, since other tests run at the same time; `examples/give_away.rs` measures.
#[test]
fn nobody_is_late() {
    for spec in ["engine", "perfect"] {
        for one in solved(60) {
            let mut player = player(spec, &one.game);
            let stop = Stop::new();
            let limits = Limits::time(Duration::from_millis(50));
            let begin = stop.now();
            let report = player.choose(&one.position, limits, &stop);
            assert!(report.expect("our own do not fail").best.is_some());
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
    let report = report.expect("our own do not fail");
    assert!(report.best.is_some() && !report.score.is_proven());
}

/// What the engine finds with proofs and cuts by guesses in a few middle games, as one number.
const FOUND: u64 = 7_865_368_802_844_444_423;

/// The bench knows nothing of proofs, so this is their signature.
#[test]
fn what_is_found_with_proofs_changes_only_on_purpose() {
    let mut found = 0_u64;
    for one in solved(50) {
        let mut player = player("engine:tablebase=0,book=0,hash=4", &one.game);
        let report = player.choose(&one.position, Limits::nodes(60_000), &Stop::new());
        let report = report.expect("our own do not fail");
        let text = format!("{:?} {} {:?}", report.best, report.depth, report.score);
        for byte in text.bytes() {
            found = (found ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(
        found, FOUND,
        "if this was meant, raise PROVING in search/src/engine/proving.rs and set FOUND"
    );
}
