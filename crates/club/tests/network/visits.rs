//! Our agents as clients: of a faulty Python server, of a host that changes the board, and of our own host.

use crate::support::{Script, TOO_LONG, club, is_fair, options, play_until, practice, visiting};
use kalahari_club::{Ended, Ledger, guest_match};
use kalahari_games::Verdict;
use kalahari_kgp::HostLimits;
use kalahari_terms::Stop;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// Our agent against the faulty Python server.
fn abroad(transport: &str, agent: &str, games: u64, more: &[&str]) -> (Value, Vec<Ended>) {
    let wanted = games.to_string();
    let mut server = Script::start("server.py", &[&["--games", &wanted], more].concat());
    let ports = server.line();
    let address = match transport {
        "ws" => format!("ws://127.0.0.1:{}/socket", ports["ws"]),
        _ => format!("127.0.0.1:{}", ports["tcp"]),
    };
    let stop = Stop::new();
    let mut visitor = options(address, agent);
    if more.contains(&"--forget") {
        visitor.quiet = Duration::from_secs(2);
    }
    visitor.ponder = transport == "ws";
    let visit = visiting(visitor, &stop);
    let seen = server.line();
    stop.request();
    let (ended, _) = visit.join().expect("no panic");
    assert_eq!(seen["games"], games, "{seen}");
    for fault in ["random", "illegal", "left", "no_pong"] {
        assert_eq!(seen[fault], 0, "{seen}");
    }
    for (name, token) in [("names", "kalahari"), ("tokens", "a secret")] {
        let said = seen[name].as_array().expect("a list");
        assert!(
            !said.is_empty() && said.iter().all(|said| said == token),
            "{seen}"
        );
    }
    for ended in &ended {
        assert!(ended.record.replay().is_ok(), "{}", ended.record);
    }
    (seen, ended)
}

#[test]
fn a_faulty_server_costs_us_no_game() {
    let at_once = ["--at-once", "24", "--time", "5"];
    let (seen, ended) = abroad(
        "tcp",
        "level:2",
        150,
        &[&at_once[..], &["--ping", "0.3"]].concat(),
    );
    assert!(seen["refused"].as_u64() > Some(100), "{seen}");
    assert_eq!(ended.len(), 150);
    let more = [&at_once[..], &["--board", "8x8"]].concat();
    let (seen, ended) = abroad("ws", "engine:nodes=500,hash=1", 150, &more);
    assert!(seen["won"].as_u64() > Some(140), "{seen}");
    assert_eq!(ended.len(), 150);
}

#[test]
fn games_are_found_one_after_the_other() {
    let (seen, ended) = abroad("tcp", "level:1", 10, &["--blind", "0", "--deaf", "0"]);
    assert_eq!(ended.len(), 10);
    let count = |verdict| {
        ended
            .iter()
            .filter(|end| end.verdict == Some(verdict))
            .count() as u64
    };
    // Some results are not known, but those that are known are right.
    assert!(Some(count(Verdict::Win)) <= seen["won"].as_u64());
    assert!(Some(count(Verdict::Loss)) <= seen["lost"].as_u64());
    assert!(ended.iter().all(|end| end.record.start.is_none()));
    assert!(count(Verdict::Win) + count(Verdict::Loss) + count(Verdict::Draw) >= 4);
}

#[test]
fn a_server_that_forgets_us_is_called_again() {
    let (seen, _) = abroad("ws", "level:1", 4, &["--forget", "2"]);
    assert!(seen["connections"].as_u64() >= Some(2), "{seen}");
}

#[test]
fn the_time_is_used_until_the_host_says_stop() {
    // An engine without limits of its own searches until `stop`, and its last move counts.
    let more = ["--time", "0.25", "--board", "6x3"];
    let (seen, ended) = abroad("tcp", "engine:hash=4", 2, &more);
    assert_eq!(ended.len(), 2, "{seen}");
    let longest = ended
        .iter()
        .flat_map(|end| &end.record.moves)
        .filter_map(|mv| mv.micros)
        .max();
    assert!(longest >= Some(200_000), "{longest:?}");
}

/// A host that asks two questions about boards of one size, but with different numbers of seeds. More than 255 seeds need another kind
/// of board.
#[test]
fn a_host_may_change_the_number_of_seeds() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    let mut visitor = options(address, "engine:depth=3,hash=1");
    visitor.once = true;
    let visit = visiting(visitor, &Stop::new().within(TOO_LONG));
    let (stream, _) = listener.accept().expect("a visitor");
    let patience = stream.set_read_timeout(Some(TOO_LONG));
    patience.expect("a timeout");
    let mut guest = BufReader::new(stream);
    let say = |guest: &mut BufReader<TcpStream>, line: &str| {
        writeln!(guest.get_mut(), "{line}").expect("the visitor reads");
    };
    say(&mut guest, "1 kgp 1 0 0");
    for (id, seeds) in [(3, "21"), (5, "22"), (7, "21")] {
        let pits = [seeds; 12].join(",");
        say(&mut guest, &format!("{id} state <6,0,0,{pits}>"));
        let answer = loop {
            let mut line = String::new();
            let read = guest.read_line(&mut line).expect("the visitor speaks");
            assert!(read > 0, "the visitor has left");
            if line.contains(&format!("@{id} ")) {
                break line;
            }
        };
        assert!(answer.contains(" move "), "{seeds} seeds: {answer}");
        say(&mut guest, &format!("@{id} stop"));
    }
    say(&mut guest, "goodbye");
    let (_, complaints) = visit.join().expect("no panic");
    assert_eq!(complaints, Vec::<String>::new());
}

#[test]
fn our_two_sides_play_each_other() {
    let club = club(HostLimits::default(), 3);
    let port = club.host.address().port();
    let stop = Stop::new();
    let visits = ["", "ws://"].map(|scheme| {
        let mut visitor = options(format!("{scheme}127.0.0.1:{port}"), "level:2");
        visitor.name = Some(format!(
            "kalahari {}",
            if scheme.is_empty() { "tcp" } else { "ws" }
        ));
        visiting(visitor, &stop)
    });
    let records = play_until(
        &club,
        &practice(Duration::from_secs(5)),
        &mut Ledger::default(),
        260,
    );
    stop.request();
    for visit in visits {
        let (ended, complaints) = visit.join().expect("no panic");
        assert_eq!(complaints, Vec::<String>::new());
        assert!(ended.len() > 80);
        let unknown = ended.iter().filter(|end| end.verdict.is_none()).count();
        // The results of games that were in progress when we left are unknown.
        assert!(unknown <= 6, "{unknown}");
        for end in ended.iter().filter(|end| end.verdict.is_some()) {
            assert!(end.record.replay().is_ok());
        }
    }
    for record in &records {
        assert!(is_fair(record), "{record}");
    }
}

#[test]
fn games_of_a_visit_have_a_match() {
    let visitor = options("127.0.0.1:1".to_owned(), "level:1");
    let game = "kalah:6x4:standard+majority".parse().expect("a game");
    let spec = guest_match(&visitor, game, "").expect("Kalah");
    assert_eq!(spec.agents[1].to_string(), "kgp:127.0.0.1");
    let spec = guest_match(&visitor, game, "ada").expect("Kalah");
    assert_eq!(spec.agents[1].to_string(), "kgp:ada");
    let isolation = "isolation".parse().expect("a game");
    assert!(guest_match(&visitor, isolation, "").is_none());
}
