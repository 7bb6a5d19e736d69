//! Our agents as engines for others, and engines of others as our agents.

use kalahari_agents::{AgentSpec, Player, serve};
use kalahari_games::{Game, kalah::Kalah};
use kalahari_search::{Limits, Stop};
use proptest::prelude::*;
use std::io::Write;
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
setoption name game value isolation:trail
position fen 12/.. 1
";
    assert_eq!(
        talk("random", input.as_bytes()).lines().take(8).collect::<Vec<_>>(),
        [
            "response true",
            "response true",
            "response false",
            "response false",
            "response none",
            "response true",
            "response p1win",
            "info string bad position '12/.. 1' at character 1: row 1 has 2 cells; the board has 8 columns; the position stays as it was",
        ][..7]
            .iter()
            .copied()
            .chain(talk("random", input.as_bytes()).lines().skip(7))
            .collect::<Vec<_>>()
    );
}

#[test]
fn nonsense_is_answered_and_changes_nothing() {
    let long = "position startpos moves ".to_owned() + &"2 ".repeat(40_000);
    let input = format!(
        "hello\n{long}\nposition startpos moves 2 2\nposition fen 1 2\nsetoption name game value go\n\
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

fn player(command: &str) -> Player<Kalah> {
    let spec: AgentSpec = format!("ugi:{command}").parse().expect("a spec");
    Player::new(&spec, &Kalah::default(), 1).expect("it starts")
}

/// The failure of a program that answers `go` with a line.
fn failure_of(answer: &str) -> String {
    let program = format!(
        r#"python3 -uc "
import sys
for line in sys.stdin:
    word = line.split()[0]
    print(dict(ugi='ugiok', isready='readyok', go='{answer}').get(word, ''))
""#
    )
    .replace('\n', "\\n");
    let program = program.replace("\\nimport", "import").replace("\\n", "\n");
    let spec = AgentSpec::from_command(&program);
    let mut player = Player::new(&spec, &Kalah::default(), 1).expect("python3 is installed");
    let limits = Limits {
        time: Some(Duration::from_millis(50)),
        ..Limits::default()
    };
    let report = player.choose(Kalah::default().start(), limits, &Stop::new());
    assert_eq!(report.best, None);
    player.failure().expect("a reason")
}
