//! Built-in agents as engines for other runners, and external engines as agents.

use kalahari_agents::{AgentSpec, Player, serve};
use kalahari_games::{AnyGame, Game};
use kalahari_terms::{Failure, Limits, Stop};
use proptest::prelude::*;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A writer whose content can be read afterwards.
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

/// What an agent answers to this input.
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
fn an_agent_that_does_not_play_kalah_begins_with_a_game_that_it_plays() {
    let input =
        b"ugi\nsetoption name game value isolation:5x5:trail\nposition startpos\ngo nodes 100\n";
    let answers = talk("seed002:depth=2", input);
    assert!(
        answers.contains("option name game type string default isolation:"),
        "{answers}"
    );
    assert!(!answers.contains("bestmove none"), "{answers}");
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
    let wrong = "engine:nothing=1".parse().expect("a name");
    let missing = serve(wrong, &b""[..], Sink::default());
    assert!(missing.is_err());
}

proptest! {
    /// No input causes a panic, and every valid `go` gets one `bestmove`.
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

/// `kalah:6x6`.
fn kalah() -> AnyGame {
    AnyGame::new("kalah:6x6".parse().expect("a game"))
}

/// Asks one of the misbehaving engines for a move, twice, and returns the failure that we report.
fn failure_of(mode: &str) -> Option<Failure> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/engines/hostile.py");
    let spec = format!("ugi:python3 '{}' {mode}", script.display());
    let spec: AgentSpec = spec.parse().expect("a spec");
    let game = kalah();
    let mut player = Player::new(&spec, &game, 1).expect("python3 is installed");
    let limits = Limits::time(Duration::from_millis(50));
    let mut last = None;
    for rng_seed in 0..2 {
        player.begin_game(rng_seed, &Stop::new());
        let answer = player.choose(&game.start(), limits, &Stop::new());
        last = answer.as_ref().err().cloned();
        if let Ok(report) = answer {
            assert!(report.best.is_some() && !report.line.is_empty());
        }
    }
    last
}

#[test]
fn failures_are_named() {
    assert!(matches!(failure_of("illegal"), Some(Failure::Illegal(_))));
    assert!(matches!(failure_of("dies"), Some(Failure::Crashed(_))));
    assert!(matches!(failure_of("ignores"), Some(Failure::TimedOut(_))));
    for (mode, reason) in [
        ("illegal", "illegal: bad move '99'"),
        ("dies", "crashed: exit status: 1; it said \"ValueError"),
        ("ignores", "timed out: no move within 0.5"),
    ] {
        let failure = failure_of(mode).expect(mode).to_string();
        assert!(failure.starts_with(reason), "{failure}");
    }
    assert_eq!(failure_of("good"), None);
    assert_eq!(failure_of("dies-after"), None);
}

#[test]
fn commands_that_cannot_be_started_are_refused() {
    for spec in ["ugi", "ugi:", "ugi:'x", "ugi:./no/such/program", "ugi:''"] {
        let spec: AgentSpec = spec.parse().expect("a name");
        assert!(Player::new(&spec, &kalah(), 1).is_err(), "{spec}");
    }
}

/// Input that ends only after a `bestmove` has been written.
struct Patient<'a>(&'a [u8], Sink);

impl std::io::Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(buffer)?;
        let answered = || {
            let answers = self.1.0.lock().expect("no panic").clone();
            String::from_utf8_lossy(&answers).contains("bestmove")
        };
        while read == 0 && !answered() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(read)
    }
}

/// `stores` counts in seeds, `kalahari` in hundredths of seeds; both are reported in hundredths.
#[test]
fn every_evaluation_is_reported_in_hundredths() {
    // South has ten seeds more in its store, and nothing can be won or lost in one move.
    let input = "setoption name game value kalah:6x6\n\
                 position fen 1 1 1 1 1 6 20 6 5 5 5 5 5 10 0\ngo depth 1\n";
    for eval in ["stores", "kalahari"] {
        let agent: AgentSpec = format!("alphabeta:eval={eval}").parse().expect("an agent");
        let sink = Sink::default();
        let input = Patient(input.as_bytes(), sink.clone());
        serve(agent, input, sink.clone()).expect("an agent that exists");
        let answers = String::from_utf8(sink.0.lock().expect("no panic").clone());
        let answers = answers.expect("UTF-8");
        let score = answers
            .lines()
            .filter_map(|line| line.split_once(" score cp ")?.1.split_whitespace().next())
            .next_back()
            .expect("a score");
        let score: i64 = score.parse().expect("a number");
        assert!((500..2_000).contains(&score), "{eval}: {answers}");
    }
}
