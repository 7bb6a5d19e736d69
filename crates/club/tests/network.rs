//! Both sides of the protocol over real connections: our host with Python clients, some of them hostile; our agents with
//! a faulty Python server; and our two sides with each other.

use kalahari_arena::{Ending, GameRecord, Live, Store, Who};
use kalahari_club::{
    Club, ClubEvent, Ended, Ledger, Names, Practice, TournamentResult, TournamentSetup, VisitEvent,
    VisitOptions, guest_match, hold_tournament, practise, visit,
};
use kalahari_games::Verdict;
use kalahari_kgp::{Host, HostLimits, HostOptions};
use kalahari_terms::Stop;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longer than anything here takes, even on a busy machine.
const TOO_LONG: Duration = Duration::from_secs(300);

/// A running Python script.
struct Script {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Script {
    fn start(name: &str, arguments: &[&str]) -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/");
        let mut child = Command::new("python3")
            .arg("-B")
            .arg(format!("{folder}{name}"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 runs");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        Script { child, out }
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("it prints");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("JSON, not '{line}'"))
    }

    /// Closes its input and returns the last line that it prints.
    fn end(mut self) -> Value {
        drop(self.child.stdin.take());
        let last = self.line();
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).expect("it ends");
        last
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn club(limits: HostLimits, games_per_client: usize) -> Club {
    let host = Host::open(HostOptions {
        listen: "127.0.0.1:0".parse().expect("an address"),
        limits,
        gatekeeper: Box::new(Names::open(None, false).expect("no file")),
    });
    Club {
        host: Arc::new(host.expect("a free port")),
        live: Live::default(),
        wait: Duration::from_secs(5),
        games_per_client,
    }
}

fn practice(time: Duration) -> Practice {
    Practice {
        boards: ["kalah:6x4", "kalah:8x8"]
            .map(|board| board.parse().expect("a board"))
            .to_vec(),
        time,
        opponents: vec!["level:1".parse().expect("an agent")],
        alone: Duration::from_millis(20),
        games: 200,
        rng_seed: 1,
    }
}

/// Practises until this many games have ended.
fn play_until(
    club: &Club,
    practice: &Practice,
    ledger: &mut Ledger,
    games: usize,
) -> Vec<GameRecord> {
    let stop = Stop::new().within(TOO_LONG);
    let mut records = Vec::new();
    let played = practise(club, practice, ledger, &stop, &mut |event| {
        if let ClubEvent::Ended(record) = event {
            records.push(*record);
            if records.len() == games {
                stop.request();
            }
        }
    });
    played.expect("no error");
    assert!(
        records.len() >= games,
        "only {} games in time",
        records.len()
    );
    records
}

fn is_fair(record: &GameRecord) -> bool {
    record.ending == Ending::Rules && record.replay().is_ok()
}

#[test]
fn clients_in_python_practise() {
    let club = club(HostLimits::default(), 2);
    let port = club.host.address().port().to_string();
    let clients = Script::start("clients.py", &[&port, "--tcp", "5", "--ws", "5"]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    let mut ledger = Ledger::new(Some(Store::open(&file).expect("a store")));
    let games = 500;
    let records = play_until(&club, &practice(Duration::from_secs(5)), &mut ledger, games);
    let seen = clients.end();
    for record in &records {
        assert!(is_fair(record), "{record}");
    }
    assert_eq!(seen["errors"], serde_json::json!([]));
    assert_eq!(seen["lost_connections"], 0);
    let store = ledger.store().expect("a store");
    let kept: u64 = store
        .matches()
        .expect("read")
        .iter()
        .map(|entry| entry.games)
        .sum();
    assert_eq!(kept, records.len() as u64);
    assert!(!club.live.all().is_empty());
}

fn options(address: String, agent: &str) -> VisitOptions {
    VisitOptions {
        address: address.parse().expect("an address"),
        agent: agent.parse().expect("an agent"),
        name: Some("kalahari".to_owned()),
        token: Some("a secret".to_owned()),
        ponder: false,
        quiet: Duration::from_secs(120),
        once: false,
    }
}

/// Visits in another thread; returns the games that have ended and the complaints.
fn visiting(
    options: VisitOptions,
    stop: &Stop,
) -> std::thread::JoinHandle<(Vec<Ended>, Vec<String>)> {
    let stop = stop.clone();
    std::thread::spawn(move || {
        let (mut ended, mut complaints) = (Vec::new(), Vec::new());
        let visited = visit(&options, &stop, &mut |event| match event {
            VisitEvent::Ended(end) => ended.push(*end),
            VisitEvent::Complaint(problem) => complaints.push(problem),
            _ => {}
        });
        visited.expect("it tries again");
        (ended, complaints)
    })
}

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
        let pits = vec![seeds; 12].join(",");
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

/// A client whose lines are all written by the test.
struct Caller(BufReader<TcpStream>);

impl Caller {
    /// Connects and chooses a mode, with a name and a token unless they are empty.
    fn come(club: &Club, name: &str, token: &str) -> Self {
        let stream = TcpStream::connect(club.host.address()).expect("the host listens");
        let patience = stream.set_read_timeout(Some(TOO_LONG));
        patience.expect("a timeout");
        let mut caller = Caller(BufReader::new(stream));
        caller.hear(" kgp ");
        for (option, value) in [("info:name", name), ("auth:token", token)] {
            if !value.is_empty() {
                caller.say(&format!("set {option} \"{value}\""));
            }
        }
        caller.say("mode freeplay");
        caller.hear(" ok");
        caller
    }

    fn say(&mut self, line: &str) {
        let said = writeln!(self.0.get_mut(), "{line}");
        said.expect("the host reads");
    }

    /// The next line that contains a word.
    fn hear(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.0.read_line(&mut line).expect("the host speaks");
            assert!(
                read > 0,
                "the host has closed the connection without sending '{word}'"
            );
            if line.contains(word) {
                return line;
            }
        }
    }

    /// Waits for a question and answers it.
    fn answer(&mut self, pit: u32) {
        let asked = self.hear(" state ");
        let id = asked.split(' ').next().expect("a number");
        let id = id.split('@').next().expect("a number").to_owned();
        self.say(&format!("@{id} move {pit}"));
        self.say(&format!("@{id} yield"));
    }

    /// Says goodbye and waits for the host's goodbye.
    fn leave(mut self) {
        self.say("goodbye");
        self.hear("goodbye");
    }
}

/// Practises in another thread, without agents of ours, while `clients` runs. Returns the games that counted.
fn while_practising(club: &Club, time: Duration, clients: impl FnOnce()) -> Vec<GameRecord> {
    let mut practice = practice(time);
    practice.opponents.clear();
    practice.boards.truncate(1);
    let stop = Stop::new().within(TOO_LONG);
    std::thread::scope(|scope| {
        let practising = scope.spawn(|| {
            let mut records = Vec::new();
            let mut ledger = Ledger::default();
            let played = practise(club, &practice, &mut ledger, &stop, &mut |event| {
                if let ClubEvent::Ended(record) = event {
                    records.push(*record);
                }
            });
            played.expect("no error");
            records
        });
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(clients));
        stop.request();
        let records = practising.join().expect("no panic");
        if let Err(panic) = done {
            std::panic::resume_unwind(panic);
        }
        records
    })
}

/// Longer than a test runs: nothing may wait this long.
const FOR_EVER: Duration = Duration::from_secs(3600);

#[test]
fn a_game_does_not_count_if_a_client_leaves_before_its_first_move() {
    let mut club = club(HostLimits::default(), 1);
    club.wait = FOR_EVER;
    let records = while_practising(&club, FOR_EVER, || {
        let mut ada = Caller::come(&club, "ada", "a secret");
        let mut bob = Caller::come(&club, "bob", "");
        // In a match, the first name in alphabetical order moves first, then the other: ada against bob, bob against cyd, cyd against bob.
        ada.hear(" state ");
        ada.leave();
        let mut cyd = Caller::come(&club, "cyd", "");
        bob.answer(9);
        bob.hear("lost");
        cyd.hear("won");
        cyd.hear(" state ");
        bob.leave();
        cyd.say("move 1");
        cyd.say("yield");
        let _dan = Caller::come(&club, "dan", "another secret");
        cyd.hear(" state ");
    });
    let [record] = &records[..] else {
        panic!("{records:?}");
    };
    assert_eq!((record.ending, record.moves.len()), (Ending::Illegal, 0));
    let why = "move 9 is illegal: pits are numbered 1 to 6";
    assert!(record.detail.contains(why), "{}", record.detail);
}

#[test]
fn a_client_resumes_a_game_only_with_its_token() {
    for name in ["", "ada"] {
        let club = club(HostLimits::default(), 1);
        let records = while_practising(&club, FOR_EVER, || {
            let mut ada = Caller::come(&club, name, "");
            let mut bob = Caller::come(&club, "bob", "");
            ada.answer(1);
            let _ = bob.hear(" state ");
            ada.leave();
            let _stranger = Caller::come(&club, name, "");
            bob.say("move 1");
            bob.say("yield");
            bob.hear("won");
        });
        assert_eq!(records.len(), 1);
        let ended = (records[0].ending, records[0].moves.len());
        assert_eq!(ended, (Ending::Crash, 2));
    }
    let club = club(HostLimits::default(), 1);
    let records = while_practising(&club, FOR_EVER, || {
        let mut ada = Caller::come(&club, "ada", "secret");
        let mut bob = Caller::come(&club, "bob", "");
        ada.answer(1);
        let _ = bob.hear(" state ");
        ada.leave();
        bob.say("move 1");
        bob.say("yield");
        let mut ada = Caller::come(&club, "ada", "secret");
        let question = ada.hear(" state ");
        assert!(!question.contains("<6,0,0,4,4,4,4,4,4,"), "{question}");
    });
    assert!(records.is_empty(), "{records:?}");
}

#[test]
fn half_a_second_is_not_sent_as_zero() {
    let club = club(HostLimits::default(), 1);
    while_practising(&club, Duration::from_millis(500), || {
        let mut ada = Caller::come(&club, "ada", "");
        let _bob = Caller::come(&club, "bob", "");
        let clock = ada.hear("time:clock");
        assert!(clock.trim().ends_with("time:clock 1"), "{clock}");
    });
}

#[test]
fn clients_rarely_meet_the_same_opponent_twice_in_a_row() {
    let club = club(HostLimits::default(), 1);
    let port = club.host.address().port().to_string();
    let clients = Script::start("clients.py", &[&port, "--tcp", "8"]);
    let mut practice = practice(Duration::from_secs(5));
    (practice.alone, practice.opponents) = (TOO_LONG, Vec::new());
    let records = play_until(&club, &practice, &mut Ledger::default(), 100);
    drop(clients);
    let mut last = std::collections::HashMap::new();
    let mut again = 0;
    for record in &records {
        let [a, b] = record.players.each_ref().map(|player| player.agent.clone());
        again += usize::from(last.insert(a.clone(), b.clone()) == Some(b.clone()));
        last.insert(b, a);
    }
    // Sometimes no other opponent is free.
    assert!(again <= 10, "{again} of {} games", records.len());
}

/// Holds a tournament of our own agents, which connect in this order. Also returns the number of games that were played.
fn hold_in_order(names: &[&str], swiss_above: usize, store: Store) -> (TournamentResult, usize) {
    let club = club(HostLimits::default(), 2);
    let port = club.host.address().port();
    let stop = Stop::new().within(TOO_LONG);
    let mut visits = Vec::new();
    for name in names {
        let mut visitor = options(format!("127.0.0.1:{port}"), "level:1");
        visitor.name = Some((*name).to_owned());
        visits.push(visiting(visitor, &stop));
        while club.host.guests().len() < visits.len() && !stop.look() {
            club.host.wait_for_change(Duration::from_millis(50));
        }
    }
    let mut setup = tournament(names.len(), swiss_above);
    setup.sanity = 1;
    let mut played = 0;
    let mut ledger = Ledger::new(Some(store));
    let result = hold_tournament(&club, &setup, &mut ledger, &stop, &mut |event| {
        played += usize::from(matches!(event, ClubEvent::Ended(_)));
    });
    stop.request();
    for visit in visits {
        visit.join().expect("no panic");
    }
    (result.expect("no error"), played)
}

#[test]
fn a_finished_tournament_is_the_same_in_whatever_order_players_come() {
    for swiss_above in [16, 2] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        let open = || Store::open(&file).expect("a store");
        let mut names = ["cyd", "ada", "eve", "bob", "dan"];
        let (result, played) = hold_in_order(&names, swiss_above, open());
        assert!(played > 10, "{played}");
        names.reverse();
        let (again, played) = hold_in_order(&names, swiss_above, open());
        assert_eq!(played, 0, "swiss above {swiss_above}");
        let json = |result| serde_json::to_value(result).expect("JSON");
        assert_eq!(json(again), json(result));
    }
}

fn tournament(players: usize, swiss_above: usize) -> TournamentSetup {
    TournamentSetup {
        boards: ["kalah:6x4", "kalah:4x4"]
            .map(|board| board.parse().expect("a board"))
            .to_vec(),
        time: Duration::from_secs(5),
        registration: Duration::from_secs(60),
        players: Some(players),
        sanity: 2,
        swiss_above,
        rounds: 0,
        rng_seed: 1,
    }
}

fn hold(setup: &TournamentSetup, clients: usize, store: Option<Store>) -> TournamentResult {
    let club = club(HostLimits::default(), 2);
    let port = club.host.address().port();
    let python = Script::start(
        "clients.py",
        &[&port.to_string(), "--tcp", &clients.to_string()],
    );
    let stop = Stop::new().within(TOO_LONG);
    let visit = visiting(options(format!("127.0.0.1:{port}"), "level:5"), &stop);
    let mut ledger = Ledger::new(store);
    let result = hold_tournament(&club, setup, &mut ledger, &stop, &mut |_| {});
    stop.request();
    visit.join().expect("no panic");
    drop(python);
    result.expect("no error")
}

#[test]
fn a_tournament_finds_the_best() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    let open = || Some(Store::open(&file).expect("a store"));
    let result = hold(&tournament(6, 16), 5, open());
    assert!(!result.interrupted);
    let players = result.standings.len();
    assert_eq!(players + result.disqualified.len(), 6);
    assert_eq!(result.standings[0].name, "kalahari");
    assert_eq!(result.stages.len(), 2);
    for stage in &result.stages {
        assert_eq!(stage.meetings.len(), players * (players - 1) / 2);
    }
    let points: u64 = result.standings.iter().map(|placed| placed.points).sum();
    let games = 2 * 2 * players * (players - 1) / 2;
    assert_eq!(points, 2 * games as u64);
    assert!(result.standings.iter().all(|placed| placed.forfeits == 0));
    // Games in the store are not played again.
    let begin = Instant::now();
    let again = hold(&tournament(6, 16), 5, open());
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_eq!(again.standings.len(), players);
    assert_eq!(again.standings[0].points, result.standings[0].points);
}

#[test]
fn many_players_play_swiss_rounds() {
    let mut setup = tournament(8, 4);
    setup.sanity = 0;
    setup.boards.truncate(1);
    let result = hold(&setup, 7, None);
    assert_eq!(result.stages[0].meetings.len(), 3 * 4);
    assert_eq!(result.standings.len(), 8);
    assert!(result.standings[0].points >= 10);
}

/// The memory of this process, in MiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

/// Lets honest clients play among hostile ones. Every game between honest clients, or between one and our agent, must end by the
/// rules and in time.
fn siege(honest: usize, hostile: usize, time: Duration) {
    let limits = HostLimits {
        patience: Duration::from_secs(4),
        ..HostLimits::default()
    };
    let club = club(limits, 1);
    let port = club.host.address().port().to_string();
    let (tcp, ws) = ((honest / 2).to_string(), (honest - honest / 2).to_string());
    let hostile = hostile.to_string();
    let arguments = [
        "--tcp",
        &tcp,
        "--ws",
        &ws,
        "--hostile",
        &hostile,
        "--slow",
        "0.02",
    ];
    let clients = Script::start("clients.py", &[&[port.as_str()], &arguments[..]].concat());
    let mut practice = practice(Duration::from_secs(1));
    practice.boards.truncate(1);
    let before = resident();
    let stop = Stop::new().within(time);
    let mut fair = 0;
    let mut faults = Vec::new();
    let begun = std::cell::Cell::new(0usize);
    let played = practise(
        &club,
        &practice,
        &mut Ledger::default(),
        &stop,
        &mut |event| match event {
            ClubEvent::Began(_) => begun.set(begun.get() + 1),
            ClubEvent::Ended(record) => {
                let honest = |player: &Who| {
                    player.agent.starts_with("kgp:py") || player.agent.starts_with("level")
                };
                if record.players.iter().all(honest) {
                    fair += 1;
                    if !is_fair(&record) {
                        faults.push(record.to_string());
                    }
                }
            }
            ClubEvent::Stage(_) => {}
        },
    );
    played.expect("no error");
    let after = resident();
    let here = club
        .host
        .guests()
        .iter()
        .filter(|guest| guest.name().starts_with("py"))
        .count();
    let seen = clients.end();
    println!(
        "{fair} honest games of {} begun, {before} to {after} MiB, {seen}",
        begun.get()
    );
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(seen["errors"], serde_json::json!([]));
    assert_eq!((seen["lost_connections"].as_u64(), here), (Some(0), honest));
    assert!(fair >= honest / 2, "only {fair} games");
    assert!(after < before + 150, "{before} to {after} MiB");
}

#[test]
fn hostile_clients_do_no_harm() {
    siege(30, 10, Duration::from_secs(12));
}

#[test]
#[ignore = "a minute of 200 clients"]
fn two_hundred_clients_for_a_minute() {
    siege(180, 20, Duration::from_secs(60));
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
