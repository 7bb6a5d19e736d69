//! `kalahari ugi` as a runner uses it: lines in, lines out, and an immediate answer to `stop`.

use crate::support::PROGRAM;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(PROGRAM)
            .arg("ugi")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Engine {
            stdin: child.stdin.take(),
            child,
            lines,
        }
    }

    fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("not closed");
        writeln!(stdin, "{line}").expect("it reads");
    }

    /// The next line that starts with `beginning`.
    fn hear(&self, beginning: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).expect(beginning);
            if line.starts_with(beginning) {
                return line;
            }
        }
    }

    /// Closes the input and expects the program to end successfully within seconds.
    fn end(mut self) {
        self.stdin = None;
        let begin = Instant::now();
        let status = self.child.wait().expect("it ends");
        assert!(status.success());
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn stop_is_obeyed_at_once_and_the_end_of_input_ends_the_program() {
    for agent in ["engine", "mcts", "alphabeta:depth=60"] {
        let mut engine = Engine::start(&["--agent", agent]);
        engine.say("ugi");
        engine.hear("ugiok");
        engine.say("isready");
        engine.hear("readyok");
        let mut fastest = Duration::MAX;
        for _ in 0..3 {
            engine.say("position startpos moves 0 1");
            engine.say("go infinite");
            std::thread::sleep(Duration::from_millis(100));
            engine.say("isready");
            engine.hear("readyok");
            let begin = Instant::now();
            engine.say("stop");
            let best = engine.hear("bestmove ");
            fastest = fastest.min(begin.elapsed());
            assert!(
                best["bestmove ".len()..]
                    .parse::<u8>()
                    .is_ok_and(|pit| pit < 6)
            );
        }
        // Busy machines are slow now and then, hardly three times in a row.
        assert!(fastest < Duration::from_millis(50), "{agent}: {fastest:?}");
        engine.say("go infinite");
        engine.end();
    }
}

#[test]
fn a_whole_game_with_itself() {
    let mut engine = Engine::start(&[]);
    engine.say("setoption name game value kalah:4x2");
    engine.say("uginewgame");
    let mut moves = String::new();
    let mut turns = Vec::new();
    for _ in 0..200 {
        engine.say(&format!("position startpos moves{moves}"));
        engine.say("query gameover");
        if engine.hear("response ") == "response true" {
            break;
        }
        engine.say("query p1turn");
        turns.push(engine.hear("response "));
        engine.say("go depth 3");
        let best = engine.hear("bestmove ");
        moves += &best["bestmove".len()..];
    }
    engine.say("query result");
    let result = engine.hear("response ");
    assert_ne!(result, "response none");
    assert!(
        turns.windows(2).any(|pair| pair[0] == pair[1]),
        "an extra turn"
    );
    engine.say("quit");
    engine.end();
}

#[test]
fn an_agent_that_does_not_exist_is_refused() {
    let output = Command::new(PROGRAM)
        .args(["ugi", "--agent", "nobody"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
}
