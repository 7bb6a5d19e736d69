//! Our agents as engines for others, and engines of others as our agents.

use kalahari_agents::{AgentSpec, Player, serve};
use kalahari_games::{Game, kalah::Kalah};
use kalahari_search::{Limits, Stop};
use proptest::prelude::*;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A place to write to that can be looked at afterwards.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What an agent answers to an input that then ends.
fn talk(agent: &str, input: &[u8]) -> String {
    let sink = Sink::default();
    let agent = agent.parse().expect("an agent");
    serve(agent, input, sink.clone()).expect("an agent that exists");
    let bytes = sink.0.lock().expect("no panic").clone();
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn an_agent_introduces_itself() {
    let answers = talk("random", b"ugi\nisready\n");
    assert!(answers.starts_with("id name Kalahari"), "{answers}");
    assert!(answers.contains("\noption name game type string default kalah:6x6:standard\n"));
    assert!(answers.ends_with("\nugiok\nreadyok\n"), "{answers}");
}

#[test]
fn queries_know_extra_turns_and_results() {
    let input = "setoption name game value kalah:6x4
position startpos
query p1turn
position startpos moves 2
query p1turn
position startpos moves 2 0
query p1turn
query gameover
query result
position fen 0 0 0 0 0 1 30 0 0 0 0 0 1 16 0 moves 5
query gameover
query result
";
    assert_eq!(
        talk("random", input.as_bytes()).lines().collect::<Vec<_>>(),
        [
            "response true",
            "response true",
            "response false",
            "response false",
            "response none",
            "response true",
            "response p1win",
        ]
    );
}

#[test]
fn nonsense_is_answered_and_changes_nothing() {
    let long = "position startpos moves ".to_owned() + &"2 ".repeat(40_000);
    let input = format!(
        "hello\n{long}\nposition startpos moves 0 0\nposition fen 1 2\nsetoption name game value go\n\
         setoption name hash value 0\nsetoption name hash value -1\nsetoption name colour value red\n\
         go depth many\n\u{0}\nquery p1turn\ngo depth 1\n"
    );
    let answers = talk("alphabeta", input.as_bytes());
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("info string"))
            .count(),
        10,
        "{answers}"
    );
    assert!(lines.contains(&"response true"));
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("bestmove "))
            .count(),
        1
    );
}

#[test]
fn a_finished_game_has_no_best_move() {
    let input = "setoption name game value kalah:1x1\nposition startpos moves 0\ngo\n";
    assert!(talk("engine", input.as_bytes()).ends_with("bestmove none\n"));
}

#[test]
fn options_reach_the_agent() {
    let input = "setoption name hash value 2\nsetoption name Threads value 2\ngo nodes 1000\n";
    let answers = talk("engine:hash=8,exact-depth=1", input.as_bytes());
    assert!(!answers.contains("string"), "{answers}");
    assert!(answers.contains("bestmove "));
    let answers = talk("random", b"setoption name hash value 2\n");
    assert!(answers.contains("info string"), "{answers}");
    let missing = serve("nobody".parse().expect("a name"), &b""[..], Sink::default());
    assert!(missing.is_err());
}

proptest! {
    /// Whatever comes in, nothing falls, and every `go` that is understood gets one `bestmove`.
    #[test]
    fn any_input_is_survived(lines in prop::collection::vec(prop_oneof![
        3 => prop::sample::select(vec![
            "ugi", "isready", "uginewgame", "stop", "go depth 2", "go", "go infinite", "go movetime 1",
            "go nodes 10", "go p1time 5 p2time 5", "go depth 0", "go movetime 99999999999999999999",
            "query result", "query p1turn", "position startpos", "position startpos moves 2 5",
            "position fen 0 0 1 0 0 1 0", "setoption name game value kalah:2x2",
            "setoption name game value isolation:3x3", "setoption name game value kalah:12x20",
            "setoption name hash value 1", "setoption name threads value 99",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
    ], 0..20)) {
        let input = lines.join("\n");
        let answers = talk("alphabeta", input.as_bytes());
        let asked = input
            .lines()
            .filter(|line| line.split_whitespace().next() == Some("go"))
            .count();
        let answered = answers.lines().filter(|line| line.starts_with("bestmove ")).count();
        prop_assert_eq!(asked, answered);
    }
}

/// Asks one of the engines that misbehave for a move, twice, and gives what we make of it.
fn failure_of(mode: &str) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/engines/hostile.py");
    let spec = format!("ugi:python3 '{}' {mode}", script.display());
    let spec: AgentSpec = spec.parse().expect("a spec");
    let game = Kalah::default();
    let mut player = Player::new(&spec, &game, 1).expect("python3 is installed");
    let limits = Limits {
        time: Some(Duration::from_millis(50)),
        ..Limits::default()
    };
    let mut last = None;
    for seed in 0..2 {
        player.begin_game(seed);
        let report = player.choose(game.start(), limits, &Stop::new());
        last = player.failure();
        assert_eq!(report.best.is_none(), last.is_some(), "{last:?}");
        assert_eq!(report.line.is_empty(), last.is_some(), "{last:?}");
    }
    last
}

#[test]
fn failures_are_named() {
    for (mode, reason) in [
        ("illegal", "illegal: bad move '99'"),
        ("dies", "crashed: exit status: 1; it said 'ValueError"),
        ("ignores", "timed out: no move within 0.5"),
    ] {
        let failure = failure_of(mode).expect(mode);
        assert!(failure.starts_with(reason), "{failure}");
    }
    assert_eq!(failure_of("good"), None);
    assert_eq!(failure_of("dies-after"), None);
}

#[test]
fn commands_that_cannot_be_started_are_refused() {
    for spec in ["ugi", "ugi:", "ugi:'x", "ugi:./no/such/program", "ugi:''"] {
        let spec: AgentSpec = spec.parse().expect("a name");
        assert!(Player::new(&spec, &Kalah::default(), 1).is_err(), "{spec}");
    }
}
