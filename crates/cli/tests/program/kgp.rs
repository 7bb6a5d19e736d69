//! `kalahari kgp` and the agent `kgp:NAME`, each in a process of its own.

use crate::support::{bad, kalahari, spawn, text};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::Child;

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

/// Asks a process to end as Ctrl-C does; returns whether it ended well and all it has printed.
fn end(mut child: Child) -> (bool, String) {
    let id = child.id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(killed.expect("kill runs").success());
    let mut out = String::new();
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_to_string(&mut out).expect("UTF-8");
    (child.wait().expect("it ends").success(), out)
}

#[test]
fn a_match_waits_for_a_client_and_plays_it() {
    let port = free_port();
    let client = format!("kgp:guest,listen=127.0.0.1:{port},wait=60s");
    let address = format!("127.0.0.1:{port}");
    let guest = spawn(&[
        "kgp", "connect", &address, "--agent", "level:3", "--name", "guest",
    ]);
    let (status, out, err) = kalahari(&[
        "match",
        "random",
        &client,
        "--game",
        "kalah:6x4:standard+majority",
        "--games",
        "6",
        "--time",
        "5s",
        "--json",
    ]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let result: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(result["games"], 6);
    assert!(result["losses"].as_u64() >= Some(4), "{result}");
    assert_eq!(result["forfeits"][1]["crash"], 0, "{result}");
    let (good, out) = end(guest);
    assert!(
        good && out.contains("connected") && out.contains("pit "),
        "{out}"
    );
}

#[test]
fn a_game_is_lost_if_no_client_connects() {
    let client = format!("kgp:nobody,listen=127.0.0.1:{},wait=10ms", free_port());
    let (status, out, _) = kalahari(&[
        "match",
        "random",
        &client,
        "--game",
        "kalah:6x4",
        "--games",
        "2",
        "--time",
        "20ms",
        "--json",
    ]);
    let result: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &result["wins"]), (0, &Value::from(2)), "{result}");
    assert_eq!(result["forfeits"][1]["crash"], 2);
}

#[test]
fn a_server_and_a_client_play_and_keep_their_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let [home, abroad, names] =
        ["home.db", "abroad.db", "names.json"].map(|name| folder.path().join(name));
    let address = format!("127.0.0.1:{}", free_port());
    let mut server = spawn(&[
        "kgp",
        "serve",
        "--listen",
        &address,
        "--board",
        "4x3",
        "--opponents",
        "level:1",
        "--alone",
        "10ms",
        "--db",
        text(&home),
        "--names",
        text(&names),
        "--json",
    ]);
    let url = format!("ws://{address}/socket");
    let guest = spawn(&[
        "kgp",
        "connect",
        &url,
        "--agent",
        "level:4",
        "--name",
        "Ada",
        "--token",
        "secret",
        "--db",
        text(&abroad),
        "--json",
    ]);
    let mut lines = BufReader::new(server.stdout.take().expect("a pipe"));
    for _ in 0..5 {
        let mut line = String::new();
        lines.read_line(&mut line).expect("a line");
        let game: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(game["ending"], "rules", "{line}");
        assert_eq!(game["game"], "kalah:4x3:standard+majority");
    }
    let (good, out) = end(guest);
    assert!(good);
    let ended = out
        .lines()
        .filter(|line| line.contains("\"event\":\"end\""))
        .count();
    assert!(ended >= 4, "{out}");
    server.stdout = Some(lines.into_inner());
    assert!(end(server).0);
    for (file, least) in [(&home, 5), (&abroad, 4)] {
        let (status, out, _) = kalahari(&["records", "export", "--db", text(file)]);
        assert_eq!(status, 0);
        let games = out.matches("Game: kalah:4x3:standard+majority").count();
        assert!(games >= least, "{}: {out}", file.display());
    }
    let kept = std::fs::read_to_string(&names).expect("names");
    assert!(kept.contains("ada") && !kept.contains("secret"));
}

/// Waits until a process ends; returns its exit status and all it has printed.
fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let all = text(output.stdout) + &text(output.stderr);
    (output.status.code(), all)
}

#[test]
fn a_tournament_that_is_held_is_a_success() {
    let address = format!("127.0.0.1:{}", free_port());
    let tournament = ["kgp", "serve", "--tournament", "--listen", &address];
    let more = ["--players", "2", "--board", "3x3", "--sanity", "0"];
    let server = spawn(&[&tournament[..], &more[..]].concat());
    let guests = ["ada", "bob"].map(|name| {
        let connect = ["kgp", "connect", &address, "--agent", "level:1"];
        spawn(&[&connect[..], &["--name", name]].concat())
    });
    let (status, all) = ended(server);
    for guest in guests {
        end(guest);
    }
    assert_eq!(status, Some(0), "{all}");
    assert!(all.contains("ada - bob: +"), "{all}");
    let nobody = spawn(&[&tournament[..], &["--registration", "10ms"]].concat());
    let (status, all) = ended(nobody);
    assert_eq!(status, Some(2), "{all}");
    assert!(all.contains("fewer than two players"), "{all}");
}

#[test]
fn senseless_arguments_are_refused() {
    bad(&["kgp", "serve", "--time", "0s"], "no time for a move");
    bad(
        &["kgp", "connect", "http://x"],
        "only ws:// and wss:// are supported",
    );
    bad(
        &["kgp", "connect", "x", "--agent", "level:99"],
        "levels go from",
    );
    bad(&["kgp", "serve", "--board", "8y8"], "a size looks like");
    bad(&["kgp", "serve", "--opponents", "kgp:x"], "is a client");
    let (status, _, err) = kalahari(&[
        "kgp",
        "connect",
        &format!("127.0.0.1:{}", free_port()),
        "--once",
    ]);
    assert_eq!(status, 3, "{err}");
    assert!(err.contains("cannot connect"), "{err}");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let (status, _, err) = kalahari(&["kgp", "serve", "--listen", &address]);
    assert_eq!(status, 3, "{err}");
    assert!(err.contains("cannot listen"), "{err}");
}
