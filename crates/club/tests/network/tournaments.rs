//! Tournaments at our host.

use crate::support::{Script, TOO_LONG, club, options, visiting};
use kalahari_arena::Store;
use kalahari_club::{ClubEvent, Ledger, TournamentResult, TournamentSetup, hold_tournament};
use kalahari_kgp::HostLimits;
use kalahari_terms::Stop;
use std::time::{Duration, Instant};

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
