//! Honest clients among hostile ones.

use crate::support::{Script, club, is_fair, practice};
use kalahari_arena::Who;
use kalahari_club::{ClubEvent, Ledger, practise};
use kalahari_kgp::HostLimits;
use kalahari_terms::Stop;
use std::time::Duration;

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
