//! Practice at our host: with Python clients, and with clients whose lines are written by the tests.

use crate::support::{Script, TOO_LONG, club, is_fair, play_until, practice};
use kalahari_arena::{Ending, GameRecord, Store};
use kalahari_club::{Club, ClubEvent, Ledger, practise};
use kalahari_kgp::HostLimits;
use kalahari_terms::Stop;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

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
