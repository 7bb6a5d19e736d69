//! Players with an opening book: within the book, answers are proven at once.

use kalahari_agents::{AgentSpec, AnyReport, Player};
use kalahari_exact::prover::opening_book;
use kalahari_games::kalah::{Kalah, KalahSpec, Packed, Pit};
use kalahari_games::{AnyMove, Game, Typed, Verdict};
use kalahari_terms::{Limits, Stop, Unit};
use std::time::Duration;

fn game(name: &str) -> Kalah<Packed> {
    let spec: KalahSpec = name.parse().expect("a game");
    Kalah::new(spec).expect("fits")
}

fn analyse(agent: &str, game: &Kalah<Packed>, position: Packed) -> AnyReport {
    let spec: AgentSpec = agent.parse().expect("a spec");
    let mut player = Player::new(&spec, &game.clone().erase(), 1).expect("an agent");
    let position = Kalah::<Packed>::erase_position(position);
    let report = player.think(&position, Limits::NONE, &Stop::new(), true, &mut |_| {});
    report.expect("built-in agents do not fail")
}

/// The moves of a report with their values.
fn values(report: &AnyReport) -> Vec<(Pit, f64)> {
    let value = |(mv, score): &(AnyMove, kalahari_terms::Score)| match mv {
        AnyMove::Kalah(pit) => (*pit, score.amount()),
        AnyMove::Isolation(_) => unreachable!("a game of Kalah"),
    };
    report.moves.iter().map(value).collect()
}

/// The published values of the starting position and of some first moves: Irving et al. for `empty-capture`.
const PUBLISHED: [(&str, f64, [f64; 2]); 3] = [
    ("kalah:6x4:standard", 8.0, [-14.0, -10.0]),
    ("kalah:6x4:empty-capture", 10.0, [-14.0, -8.0]),
    ("kalah:6x5:standard", 10.0, [-10.0, 10.0]),
];

#[test]
fn the_start_is_proven_at_once() {
    for (name, value, first_moves) in PUBLISHED {
        let game = game(name);
        for agent in [
            "engine",
            "engine:threads=2,eval=again",
            "engine:depth=2",
            "perfect",
        ] {
            let report = analyse(agent, &game, game.start());
            assert!(report.score.is_proven(), "{agent} on {name}");
            assert_eq!(
                (report.score.amount(), report.score.worth().unit()),
                (value, Unit::Margin),
                "{agent} on {name}"
            );
            assert!(
                report.nodes < 2000,
                "{agent} on {name}: {} nodes",
                report.nodes
            );
            let moves: Vec<f64> = values(&report).iter().map(|(_, value)| *value).collect();
            assert_eq!(moves[..2], first_moves, "{agent} on {name}");
            let best = report.moves.iter().find(|(mv, _)| Some(*mv) == report.best);
            let best = best.map(|(_, score)| score.amount());
            assert_eq!(best, Some(value), "{agent} on {name}");
        }
    }
}

/// The published values of the moves after pit 1, which gives an extra turn in 6x5.
#[test]
fn the_second_moves_of_6x5_are_the_published_ones() {
    let game = game("kalah:6x5");
    let again = game.play(&game.start(), Pit(1)).expect("legal");
    let report = analyse("perfect", &game, again);
    assert!(report.score.is_proven());
    let values: Vec<_> = values(&report).iter().map(|(pit, v)| (pit.0, *v)).collect();
    assert_eq!(
        values,
        [(0, -4.0), (2, 10.0), (3, 10.0), (4, 8.0), (5, 0.0)]
    );
}

#[test]
fn without_the_book_there_is_a_search() {
    let game = game("kalah:6x4");
    let start = game.start();
    for agent in ["engine:depth=5,book=0", "engine:depth=5,exact-depth=1"] {
        assert!(!analyse(agent, &game, start).score.is_proven(), "{agent}");
    }
    // With the end by majority, final margins differ from those of the book.
    let majority = self::game("kalah:6x4:standard+majority");
    let report = analyse("engine:depth=5", &majority, majority.start());
    assert!(!report.score.is_proven());
}

/// Wherever the book knows every move, both players agree with it.
#[test]
fn players_and_book_agree_within_the_book() {
    for name in [
        "kalah:6x4:standard",
        "kalah:6x4:empty-capture",
        "kalah:6x4:pre-move-empty",
        "kalah:6x5:standard",
    ] {
        let game = game(name);
        let (book, _) = opening_book(game.kalah_spec(), None)
            .expect("an undamaged book")
            .expect("a book");
        let mut position = game.start();
        let mut plies = 0;
        while let Some(moves) = book.moves(&game, &position) {
            let value = book.final_margin(&game, &position).expect("known");
            assert_eq!(moves.iter().map(|(_, value)| *value).max(), Some(value));
            for agent in ["engine:time=1s", "perfect"] {
                let report = analyse(agent, &game, position);
                assert!(report.score.is_proven(), "{agent}");
                assert_eq!(report.score.amount(), f64::from(value), "{agent}");
                let expected: Vec<_> = moves.iter().map(|(pit, v)| (*pit, f64::from(*v))).collect();
                assert_eq!(values(&report), expected, "{agent}");
            }
            // A bad move now and then, so that the game leaves the best line.
            let (pit, _) = moves[plies * 5 % moves.len()];
            position = game.play(&position, pit).expect("legal");
            plies += 1;
        }
        assert!(plies as u32 >= book.plies());
    }
}

#[test]
fn majority_is_proven_by_its_base_rule() {
    let game = game("kalah:6x4:standard+majority");
    let spec: AgentSpec = "perfect".parse().expect("a spec");
    let game = game.erase();
    let mut player = Player::new(&spec, &game, 1).expect("an agent");
    let limits = Limits::time(Duration::from_millis(200));
    let report = player.choose(&game.start(), limits, &Stop::new());
    // The winner is the same, but the final margin is not.
    let score = report.expect("built-in agents do not fail").score;
    assert_eq!(score.proven_verdict(), Some(Verdict::Win));
    assert_eq!(score.proven_margin(), None);
}
