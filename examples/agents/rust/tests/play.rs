//! Both example agents play whole games through `ugi:`, with extra turns, and keep the rules.

use kalahari_agents::{AgentSpec, Player};
use kalahari_games::{GameSpec, Totals};
use kalahari_search::{Clock, Limits, SearchVisitor, Searchable, Stop};
use std::path::Path;
use std::time::Duration;

/// Plays games of an agent against `random`, with both seatings, and gives its points (2 for a win, 1
/// for a draw) and its extra turns. Every move of the agent has to be its own.
struct Series<'a> {
    agent: &'a AgentSpec,
    games: u64,
    limits: Limits,
}

impl SearchVisitor for Series<'_> {
    type Output = (u32, u32);

    fn visit<G: Searchable>(self, game: G) -> (u32, u32) {
        let random: AgentSpec = "random".parse().expect("an agent");
        let mut agent = Player::new(self.agent, &game, 1).expect("it can be started");
        let mut random = Player::new(&random, &game, 1).expect("an agent");
        let (mut points, mut extra_turns) = (0, 0);
        for number in 0..self.games {
            let side = kalahari_games::Player::BOTH[number as usize % 2];
            agent.begin_game(number);
            random.begin_game(number);
            let mut position = game.start();
            while !game.is_over(&position) {
                let mover = game.to_move(&position);
                let player = if mover == side {
                    &mut agent
                } else {
                    &mut random
                };
                let report = player.choose(position, self.limits, &Stop::new());
                assert_eq!(player.failure(), None);
                let mv = report.best.expect("a move");
                position = game.play(&position, mv).expect("a legal move");
                extra_turns += u32::from(mover == side && game.to_move(&position) == side);
            }
            let outcome = game.outcome(&position).expect("the game is over");
            points += (outcome.margin(side).signum() + 1) as u32;
        }
        (points, extra_turns)
    }
}

fn series(agent: &str, game: &str, games: u64, limits: Limits) -> (u32, u32) {
    let agent: AgentSpec = agent.parse().expect("an agent");
    let game: GameSpec = game.parse().expect("a game");
    let series = Series {
        agent: &agent,
        games,
        limits,
    };
    kalahari_search::visit(game, Totals::Exact, series)
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
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
        clock: Some(Clock {
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

/// The number of move sequences by our rules.
struct Perft(u32);

impl SearchVisitor for Perft {
    type Output = u64;

    fn visit<G: Searchable>(self, game: G) -> u64 {
        kalahari_games::perft(&game, &game.start(), self.0)
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
        let spec = game.parse().expect("a game");
        kalahari_search::visit(spec, Totals::Exact, Perft(6))
    });
    assert_eq!(counts, ours.collect::<Vec<_>>());
}
