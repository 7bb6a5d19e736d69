//! What the tests share: Python scripts, a club, and visits in another thread.

use kalahari_arena::{Ending, GameRecord, Live};
use kalahari_club::{
    Club, ClubEvent, Ended, Ledger, Names, Practice, VisitEvent, VisitOptions, practise, visit,
};
use kalahari_kgp::{Host, HostLimits, HostOptions};
use kalahari_terms::Stop;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Longer than anything here takes, even on a busy machine.
pub(crate) const TOO_LONG: Duration = Duration::from_secs(300);

/// A running Python script.
pub(crate) struct Script {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Script {
    pub(crate) fn start(name: &str, arguments: &[&str]) -> Self {
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

    pub(crate) fn line(&mut self) -> Value {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("it prints");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("JSON, not '{line}'"))
    }

    /// Closes its input and returns the last line that it prints.
    pub(crate) fn end(mut self) -> Value {
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

pub(crate) fn club(limits: HostLimits, games_per_client: usize) -> Club {
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

pub(crate) fn practice(time: Duration) -> Practice {
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
pub(crate) fn play_until(
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

pub(crate) fn is_fair(record: &GameRecord) -> bool {
    record.ending == Ending::Rules && record.replay().is_ok()
}

pub(crate) fn options(address: String, agent: &str) -> VisitOptions {
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
pub(crate) fn visiting(
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
