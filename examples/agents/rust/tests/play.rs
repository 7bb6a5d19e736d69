//! Both example agents play whole games through `ugi:`, with extra turns, and keep the rules.

use kalahari_agents::{AgentSpec, Player};
use kalahari_games::{AnyGame, Game};
use kalahari_terms::{GameClock, Limits, Stop};
use std::path::Path;
use std::time::Duration;

/// Plays games of an agent against `random`, with both seatings, and gives its points (2 for a win, 1
/// for a draw) and its extra turns. Every move of the agent has to be its own.
fn series(agent: &str, game: &str, games: u64, limits: Limits) -> (u32, u32) {
    let agent: AgentSpec = agent.parse().expect("an agent");
    let random: AgentSpec = "random".parse().expect("an agent");
    let game = AnyGame::new(game.parse().expect("a game"));
    let mut agent = Player::new(&agent, &game, 1).expect("it can be started");
    let mut random = Player::new(&random, &game, 1).expect("an agent");
    let (mut points, mut extra_turns) = (0, 0);
    for number in 0..games {
        let side = kalahari_games::Player::BOTH[number as usize % 2];
        agent.begin_game(number, &Stop::new());
        random.begin_game(number, &Stop::new());
        let mut position = game.start();
        while !game.is_over(&position) {
            let mover = game.to_move(&position);
            let player = match mover == side {
                true => &mut agent,
                false => &mut random,
            };
            let report = player.choose(&position, limits, &Stop::new());
            let mv = report.expect("it does not fail").best.expect("a move");
            position = game.play(&position, mv).expect("a legal move");
            extra_turns += u32::from(mover == side && game.to_move(&position) == side);
        }
        let outcome = game.outcome(&position).expect("the game is over");
        points += (outcome.verdict(side).sign() + 1) as u32;
    }
    (points, extra_turns)
}

fn depth(depth: u32) -> Limits {
    Limits::depth(depth)
}

fn rust() -> String {
    format!("ugi:'{}'", env!("CARGO_BIN_EXE_example-agent"))
}

fn python() -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/agent.py");
    format!("ugi:python3 '{}'", script.display())
}

#[test]
fn the_rust_agent_wins_at_kalah() {
    let (points, extra_turns) = series(&rust(), "kalah:6x4", 6, depth(4));
    assert!(points >= 10 && extra_turns > 0, "{points} {extra_turns}");
    series(&rust(), "kalah:3x3:empty-capture+majority", 4, depth(2));
}

#[test]
fn the_rust_agent_plays_isolation() {
    for game in ["isolation:5x5", "isolation:queen", "isolation:classic"] {
        series(&rust(), game, 2, depth(1));
    }
}

#[test]
fn the_python_agent_wins_at_kalah() {
    let (points, extra_turns) = series(&python(), "kalah:6x4", 6, depth(3));
    assert!(points >= 10 && extra_turns > 0, "{points} {extra_turns}");
}

#[test]
fn the_python_agent_knows_every_rule() {
    for rule in [
        "standard",
        "empty-capture",
        "pre-move-empty",
        "standard+majority",
    ] {
        // Many seeds in few pits lap often.
        series(&python(), &format!("kalah:2x9:{rule}"), 4, depth(2));
        series(&python(), &format!("kalah:4x3:{rule}"), 2, depth(2));
    }
}

#[test]
fn both_keep_to_their_time() {
    let time = Duration::from_millis(20);
    let movetime = Limits {
        time: Some(time),
        ..Limits::default()
    };
    let clock = Limits {
        clock: Some(GameClock {
            remaining: time * 20,
            increment: time,
        }),
        ..Limits::default()
    };
    for agent in [rust(), python()] {
        series(&agent, "kalah:3x3", 2, movetime);
        series(&agent, "kalah:3x3", 2, clock);
    }
}

#[test]
fn the_python_agent_has_our_rules() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python");
    let program = "
import agent, sys
def perft(game, position, depth):
    if depth == 0:
        return 1
    return sum(perft(game, game.play(position, m), depth - 1) for m in game.moves(position))
for word in sys.argv[1:]:
    game = agent.Kalah(word)
    print(perft(game, game.start(), 6))
";
    let mut games = Vec::new();
    for rule in [
        "standard",
        "empty-capture",
        "pre-move-empty",
        "standard+majority",
    ] {
        games.extend(["6x4", "2x9", "3x2", "1x7"].map(|size| format!("kalah:{size}:{rule}")));
    }
    let output = std::process::Command::new("python3")
        .args(["-B", "-c", program])
        .args(&games)
        .env("PYTHONPATH", directory)
        .output()
        .expect("python3 is installed");
    let text = String::from_utf8_lossy(&output.stdout);
    let counts: Vec<u64> = text.lines().filter_map(|line| line.parse().ok()).collect();
    let ours = games.iter().map(|game| {
        let game = AnyGame::new(game.parse().expect("a game"));
        game.perft(&game.start(), 6)
    });
    assert_eq!(counts, ours.collect::<Vec<_>>());
}
