//! `kalahari play` and `kalahari watch` line by line, as scripts and screen readers use them.

use crate::support::{PROGRAM, bad, good_reading as good, kalahari_reading as kalahari};
use assert_cmd::Command;
use std::time::Duration;

/// All lines of `lines`, many times over: wrong ones are refused, so every game comes to its end.
fn again_and_again(lines: &[String]) -> String {
    let once: String = lines.iter().map(|line| format!("{line}\n")).collect();
    once.repeat(80)
}

fn cells(rows: usize, columns: usize) -> Vec<String> {
    let of_column = |letter: char| (1..=rows).map(move |row| format!("{letter}{row}"));
    ('a'..).take(columns).flat_map(of_column).collect()
}

#[test]
fn whole_games_of_kalah() {
    let pits: Vec<String> = (1..=6).map(|pit| pit.to_string()).collect();
    for (game, side) in [
        ("kalah:6x4", "first"),
        ("kalah:4x3:empty-capture", "second"),
        ("kalah:6x4:standard+majority", "first"),
    ] {
        let arguments = ["play", game, "--level", "1", "--side", side, "--seed", "1"];
        let out = good(&arguments, &again_and_again(&pits));
        assert!(out.contains("Game over. "), "{out}");
        assert!(out.contains("You sow pit"), "{out}");
        assert!(out.contains("level:1 sows pit"), "{out}");
        // Once it is over, moves are refused.
        assert!(out.contains("the game is over"), "{out}");
    }
}

#[test]
fn whole_games_of_isolation() {
    for (game, rows, columns) in [
        ("isolation:4x4", 4, 4),
        ("isolation:4x4:queen", 4, 4),
        ("isolation:4x5:knight", 4, 5),
    ] {
        let mut lines = cells(rows, columns);
        lines.push("pass".to_owned());
        let arguments = ["play", game, "--level", "2", "--seed", "1"];
        let out = good(&arguments, &again_and_again(&lines));
        assert!(out.contains("Game over. "), "{game}: {out}");
    }
    let steps = cells(3, 3);
    let pairs: Vec<String> = steps
        .iter()
        .flat_map(|step| steps.iter().map(move |removed| format!("{step}/{removed}")))
        .collect();
    let arguments = ["play", "isolation:3x3:classic", "--vs", "random"];
    let out = good(&arguments, &again_and_again(&pairs));
    assert!(out.contains("Game over. "), "{out}");
    assert!(out.contains("is removed."), "{out}");
}

#[test]
fn two_people_play_to_the_end() {
    let out = good(&["play", "kalah:1x1", "--vs", "human"], "1\n1\n");
    assert!(out.contains("First player, your move (pits 1):"), "{out}");
    assert!(out.contains("Game over."), "{out}");
}

#[test]
fn wrong_input_gets_an_answer_and_is_never_a_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.txt");
    let name = file.to_str().expect("a name");
    let input = format!("x\n7\n-1\n\n3 3\n c4\n3\n3\nsave {name}\nsave {name}\nsave\nquit\n");
    let arguments = ["play", "kalah:6x4", "--vs", "human", "--seed", "3"];
    let out = good(&arguments, &input);
    assert_eq!(out.matches("That is not a move").count(), 6, "{out}");
    assert!(out.contains("Choose from pits 1 2 3 4 5 6"), "{out}");
    assert!(out.contains("that pit is empty"), "{out}");
    assert!(out.contains("there already"), "{out}");
    assert!(out.contains("save needs a file"), "{out}");
    assert!(out.contains("Goodbye."), "{out}");
    let record = std::fs::read_to_string(&file).expect("a record");
    assert!(record.contains("Result: *\n"), "{record}");
    assert!(record.contains("Seed: 3\n"), "{record}");
    let moves: Vec<&str> = record
        .split("\n\n")
        .nth(1)
        .expect("moves")
        .lines()
        .collect();
    assert_eq!(moves.len(), 1, "{record}");
    // `show` reads the same file, and `play` continues from it.
    assert!(good(&["show", "--record", name], "").contains("move 1: 2"));
    let out = good(&["play", "--load", name], "6\n");
    assert!(out.contains("First player sows pit 6"), "{out}");
}

#[test]
fn commands_are_answered() {
    let out = good(
        &["play", "kalah:3x2", "--level", "1"],
        "help\nhint\nvalues\nback\n1\nback\nboard\nresign\nhint\nback\nquit\n",
    );
    for words in [
        "take your last move back",
        "Hint: ",
        "proven to",
        "no move of yours",
        "taken back",
        "Game over. You resign. level:1 wins.",
        "The game is over.",
        "The game continues.",
        "Goodbye.",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

#[test]
fn the_end_of_the_input_is_polite() {
    let out = good(&["play", "kalah:6x4", "--vs", "human"], "3");
    let last: Vec<&str> = out.lines().rev().take(2).collect();
    assert!(last[1].starts_with("The input has ended."), "{out}");
    assert_eq!(last[0], "kalahari show kalah:6x4:standard --moves \"2\"");
}

#[test]
fn no_bytes_panic() {
    let mut input = vec![0xff, 0xfe, b'\n', 0, b'\n'];
    input.extend(vec![b'2'; 100_000]);
    input.push(b'\n');
    // A blank before and after, and a very long line that begins like a move.
    input.extend(b" 2 \n5");
    input.extend(vec![b' '; 100_000]);
    input.extend(b"5\n");
    let (status, out, err) = kalahari(&["play", "kalah:6x4", "--vs", "human"], input);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(out.matches("sows pit").count(), 1, "{out}");
    assert!(out.contains("a very long line"), "{out}");
}

#[test]
fn agents_are_watched() {
    let arguments = ["watch", "random", "level:2", "kalah:6x4", "--seed", "7"];
    let out = good(&arguments, "");
    assert!(out.contains("Game over. "), "{out}");
    assert!(out.contains("level:2 sows pit"), "{out}");
    assert_eq!(good(&arguments, ""), out, "the same seed, the same game");
    let out = good(&["watch", "level:1", "level:1", "isolation:5x5"], "");
    assert!(out.contains("Second player goes from"), "{out}");
}

#[test]
fn a_watched_game_is_lines_of_json() {
    let arguments = [
        "watch",
        "random",
        "level:2",
        "kalah:4x3",
        "--seed",
        "7",
        "--json",
    ];
    let out = good(&arguments, "");
    let lines: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let (result, moves) = lines.split_last().expect("a result");
    assert_eq!(result["agents"], serde_json::json!(["random", "level:2"]));
    assert_eq!(result["game"], "kalah:4x3:standard");
    let played: Vec<_> = moves.iter().map(|one| one["move"].clone()).collect();
    assert_eq!(result["moves"], serde_json::json!(played));
    let margin = result["margin"].as_i64().expect("a margin");
    let expected = match margin.signum() {
        1 => "1-0",
        0 => "1/2-1/2",
        _ => "0-1",
    };
    assert_eq!(result["result"], expected);
    for (ply, one) in moves.iter().enumerate() {
        assert_eq!(one["ply"], ply + 1);
        let agent = &result["agents"][one["player"].as_u64().expect("a player") as usize];
        assert_eq!(&one["agent"], agent);
        assert!(one["position"].is_string() && one["words"].is_string());
    }
    bad(
        &["watch", "random", "random", "--json", "--plain"],
        "--plain",
    );
}

#[test]
fn mistakes_are_one_line() {
    bad(&["play", "kalah:6x4", "--level", "13"], "13");
    bad(&["play", "chess"], "unknown game");
    bad(&["play", "kalah", "--vs", "nobody"], "no agent 'nobody'");
    bad(&["play", "--load", "/no/such/file"], "cannot read");
    bad(
        &["play", "kalah", "--vs", "engine", "--level", "3"],
        "level",
    );
    bad(&["watch", "random", "level:99"], "level:12");
    bad(&["watch", "random"], "<B>");
}

/// Runs the program on its own terminal, hangs up, and prints how many seconds the program then kept running.
#[cfg(unix)]
const HANG_UP: &str = r#"
import fcntl, os, pty, select, struct, sys, termios, time
pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    size = struct.pack("HHHH", 24, 80, 0, 0)
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.execv(sys.argv[1], sys.argv[1:])
shown = b""
begin = time.time()
while b"Kalahari" not in shown and time.time() < begin + 60:
    if select.select([terminal], [], [], 0.1)[0]:
        shown += os.read(terminal, 65536)
assert b"Kalahari" in shown, shown
os.close(terminal)
begin = time.time()
while os.waitpid(pid, os.WNOHANG)[0] == 0:
    if time.time() > begin + 20:
        os.kill(pid, 9)
        sys.exit("still there")
    time.sleep(0.01)
print(time.time() - begin)
"#;

#[cfg(unix)]
#[test]
fn the_program_ends_with_its_terminal() {
    for arguments in [
        &["play"][..],
        &["play", "kalah:6x4", "--vs", "human"],
        &["watch", "level:2", "level:3"],
    ] {
        let output = Command::new("python3")
            .args(["-c", HANG_UP])
            .arg(PROGRAM)
            .args(arguments)
            .timeout(Duration::from_secs(120))
            .output()
            .expect("python3 runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {error}");
        let seconds: f64 = text.trim().parse().expect("a time");
        assert!(seconds < 2.0, "{arguments:?} kept running for {seconds} s");
    }
}

/// Without a clock, `perfect` thinks for ten seconds if no user can tell it to move. Meanwhile it reports its progress.
#[test]
fn an_agent_that_thinks_long_reports_progress() {
    let arguments = [
        "play",
        "kalah:6x6",
        "--vs",
        "perfect:threads=1",
        "--side",
        "second",
    ];
    let (status, out, err) = kalahari(&arguments, "quit\n");
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains("perfect:threads=1 is thinking..."), "{out}");
    assert!(!out.contains("still"), "{out}");
    let lines: Vec<_> = err.lines().collect();
    assert!(!lines.is_empty(), "{err}");
    for line in lines {
        assert!(
            line.starts_with("perfect:threads=1 is still thinking, "),
            "{line}"
        );
        assert!(line.contains("; proven "), "{line}");
    }
}
