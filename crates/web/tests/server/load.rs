//! Many clients at once: every client is answered, and a person who plays hardly notices the others.

use crate::common::{Client, Running, block_on, memory};
use crate::others::Others;
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

/// What a crowd of clients saw.
struct Crowd {
    /// How many frames each client got.
    news: Vec<usize>,
    /// The depth that each client's analysis reached.
    depths: Vec<u64>,
    /// How long the person waited for each move.
    replies: Vec<Duration>,
    /// The most memory, server and clients together, in MiB.
    memory: u64,
}

/// How long a client waits for its first answer beyond the time of the test, and how long a person waits for a move.
const PATIENCE: Duration = Duration::from_secs(4);

fn crowd(clients: usize, time: Duration) -> Crowd {
    let server = Running::usual();
    let games = [
        "kalah:6x6",
        "kalah:6x5:empty-capture",
        "isolation:7x7:queen",
        "isolation:9x11:knight",
    ];
    block_on(async {
        let mut sockets = Vec::new();
        for _ in 0..clients {
            sockets.push(server.socket().await);
        }
        let mut person = server.socket().await;
        let end = Instant::now() + time;
        let analysts = (0_u64..).zip(sockets).map(|(id, mut client)| async move {
            let game = games[id as usize % games.len()];
            let limit = json!({"time_ms": time.as_millis() as u64 + 60_000});
            let line = json!({"game": game, "moves": []});
            client
                .send(&json!({"id": id, "type": "analyze", "line": line, "limit": limit}))
                .await;
            let (mut news, mut depth) = (0, 0);
            // Every client waits for an answer, however busy the machine is.
            while news == 0 || Instant::now() < end {
                let until = if news == 0 { end + PATIENCE } else { end };
                let frame = tokio::time::timeout_at(until.into(), client.next()).await;
                let Ok(Some(frame)) = frame else {
                    break;
                };
                assert_eq!(frame["type"], "info", "{frame}");
                news += 1;
                depth = frame["depth"].as_u64().unwrap_or(0);
            }
            (news, depth)
        });
        let plays = async {
            let mut replies = Vec::new();
            let mut moves: Vec<String> = Vec::new();
            let mut most = 0;
            for id in 0.. {
                tokio::time::sleep(time / 12).await;
                most = most.max(memory().unwrap_or(0));
                if Instant::now() >= end {
                    break;
                }
                let begin = Instant::now();
                let line = json!({"game": "kalah:6x4", "moves": moves});
                person
                    .send(&json!({"id": id, "type": "move", "agent": "level:6", "line": line}))
                    .await;
                let frames = person.until_done(id).await;
                replies.push(begin.elapsed());
                let reply = &frames[0];
                assert_eq!(reply["type"], "move", "{reply}");
                moves.push(reply["move"].as_str().unwrap_or_default().to_owned());
                if reply["state"]["over"] == true {
                    moves.clear();
                }
            }
            (replies, most)
        };
        let (seen, (replies, memory)) =
            tokio::join!(futures_util::future::join_all(analysts), plays);
        let (news, depths) = seen.into_iter().unzip();
        Crowd {
            news,
            depths,
            replies,
            memory,
        }
    })
}

fn check(crowd: &Crowd, patience: Duration) {
    let least = crowd.news.iter().min().copied().unwrap_or(0);
    let shallowest = crowd.depths.iter().min().copied().unwrap_or(0);
    let slowest = crowd.replies.iter().max().copied().unwrap_or_default();
    println!(
        "{} clients: at least {least} answers each, depth {shallowest} to {}; {} replies, slowest {slowest:?}; {} MiB",
        crowd.news.len(),
        crowd.depths.iter().max().copied().unwrap_or(0),
        crowd.replies.len(),
        crowd.memory
    );
    assert!(least >= 1);
    assert!(shallowest >= 2);
    assert!(!crowd.replies.is_empty());
    assert!(slowest < patience, "{slowest:?}");
    assert!(crowd.memory < 500, "{} MiB", crowd.memory);
}

#[test]
fn thirty_clients_are_all_answered() {
    check(&crowd(30, Duration::from_secs(4)), PATIENCE);
}

#[test]
#[ignore = "200 clients for 30 s"]
fn two_hundred_clients_are_all_answered() {
    check(&crowd(200, Duration::from_secs(30)), PATIENCE);
}

/// A client that asks every kind of player for moves and analyses, so that everything that takes memory has taken it.
async fn busy_client(server: &Running, number: u64, rounds: u64) {
    let games = [
        "kalah:6x4",
        "kalah:12x20",
        "isolation:7x7:queen",
        "isolation:5x5:trail",
    ];
    let agents = ["perfect", "mcts", "engine", "level:6"];
    let mut client = server.socket().await;
    for round in 0..rounds {
        let game = games[((number + round) % 4) as usize];
        let agent = agents[((number / 4 + round) % 4) as usize];
        let line = json!({"game": game, "moves": []});
        let limit = json!({"time_ms": 500});
        client
            .send(&json!({"id": 2 * round, "type": "move", "agent": agent, "line": line}))
            .await;
        client
            .send(&json!({"id": 2 * round + 1, "type": "analyze", "line": line, "limit": limit}))
            .await;
        client.until_done(2 * round).await;
    }
}

#[test]
fn memory_is_given_back_after_all_clients_have_left() {
    let Some(_) = memory() else { return };
    let server = Running::usual();
    // The first client causes what is made once and kept: books, fonts, threads.
    block_on(busy_client(&server, 0, 2));
    std::thread::sleep(Duration::from_secs(2));
    let before = memory().unwrap_or(0);
    block_on(async {
        let clients = (0..24).map(|number| busy_client(&server, number, 2));
        futures_util::future::join_all(clients).await;
    });
    let most = memory().unwrap_or(0);
    let begin = Instant::now();
    let mut after = most;
    while after > before + KEPT && begin.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(250));
        after = memory().unwrap_or(0);
    }
    println!("{before} MiB before, {most} MiB at the end, {after} MiB after the last client left");
    assert!(after <= before + KEPT, "{before} MiB before, {after} after");
}

/// How many MiB may stay in use: free memory between allocations that the allocator cannot give back.
const KEPT: u64 = 24;

/// What a client of the soak test saw.
#[derive(Default)]
struct Seen {
    asked: u64,
    answered: u64,
    /// What happened to requests that were not answered.
    lost: Vec<String>,
    /// The slowest reply to a person who plays.
    slowest: Duration,
    /// The slowest answer to anything.
    longest: Duration,
}

/// How long a request of the soak test may go unanswered. The clients ask for more than the machine can do, so some wait.
const UNHEARD: Duration = Duration::from_secs(180);

/// All frames with this id, up to `done` or `error`, or the reason why they did not come.
async fn all_of(client: &mut Client, id: u64) -> Result<Vec<Value>, String> {
    let mut frames = Vec::new();
    loop {
        let message = tokio::time::timeout(UNHEARD, client.stream.next()).await;
        let text = match message {
            Ok(Some(Ok(Message::Text(text)))) => text,
            Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => continue,
            Ok(other) => return Err(format!("{other:?}")),
            Err(_) => return Err(format!("nothing for {UNHEARD:?}")),
        };
        let frame: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        if frame["id"] != json!(id) {
            continue;
        }
        let last = frame["type"] == "done" || frame["type"] == "error";
        frames.push(frame);
        if last {
            return Ok(frames);
        }
    }
}

/// A client that plays, analyses, cancels and disconnects until `end`.
async fn soak(server: &Running, number: u64, end: Instant) -> Seen {
    let mut seen = Seen::default();
    let mut dice = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut roll = move |below: u64| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        dice % below
    };
    let games = [
        "kalah:6x4",
        "kalah:6x6",
        "isolation:7x7:queen",
        "isolation:8x8:trail",
    ];
    // Every tenth client is a person who plays.
    let person = number.is_multiple_of(10);
    while Instant::now() < end {
        let mut client = server.socket().await;
        let mut moves: Vec<String> = Vec::new();
        let game = games[roll(4) as usize];
        for id in 0..2 + roll(20) {
            tokio::time::sleep(Duration::from_millis(500 + roll(1_500))).await;
            if Instant::now() >= end {
                break;
            }
            let line = json!({"game": game, "moves": moves});
            let mut ask = match roll(if person { 1 } else { 5 }) {
                0 if person => json!({"type": "move", "agent": format!("level:{}", roll(4))}),
                0 => {
                    let agent = ["engine", "mcts", "perfect"][roll(3) as usize];
                    json!({"type": "move", "agent": agent})
                }
                1 => json!({"type": "hint"}),
                2 if !moves.is_empty() => json!({"type": "review", "limit": {"time_ms": 10}}),
                _ => json!({"type": "analyze", "limit": {"time_ms": 2_000}}),
            };
            ask["id"] = json!(id);
            ask["line"] = line;
            client.send(&ask).await;
            seen.asked += 1;
            let begin = Instant::now();
            if !person && roll(3) == 0 {
                tokio::time::sleep(Duration::from_millis(roll(300))).await;
                client.send(&json!({"id": 1_000, "type": "stop"})).await;
            } else if !person && roll(12) == 0 {
                // The client disconnects during a search.
                seen.answered += 1;
                break;
            }
            let frames = match all_of(&mut client, id).await {
                Ok(frames) => frames,
                Err(why) => {
                    seen.lost
                        .push(format!("{why} after {:?}: {ask}", begin.elapsed()));
                    break;
                }
            };
            seen.answered += 1;
            seen.longest = seen.longest.max(begin.elapsed());
            if person {
                seen.slowest = seen.slowest.max(begin.elapsed());
            }
            let over = frames[0]["state"]["over"] == true;
            match frames[0]["move"].as_str() {
                _ if over => moves.clear(),
                Some(mv) if frames[0]["type"] == "move" => moves.push(mv.to_owned()),
                _ => {}
            }
        }
    }
    seen
}

#[test]
#[ignore = "200 clients for 15 minutes; SOAK_MINUTES sets another duration"]
fn a_soak_test_of_a_quarter_of_an_hour() {
    let minutes: f64 = std::env::var("SOAK_MINUTES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(15.0);
    let time = Duration::from_secs_f64(60.0 * minutes);
    let server = Running::start(None, |limits| limits.requests_per_second = 10_000);
    let begin = Instant::now();
    let end = begin + time;
    let mut others = Others::new();
    let (clients, early, late) = std::thread::scope(|scope| {
        let clients = scope.spawn(|| {
            block_on(async {
                let clients = (0..200).map(|number| soak(&server, number, end));
                futures_util::future::join_all(clients).await
            })
        });
        // The memory every second: the peak of the first third, and of the rest.
        let (mut early, mut late) = (0, 0);
        while Instant::now() < end {
            std::thread::sleep(Duration::from_secs(1));
            others.look();
            let now = memory().unwrap_or(0);
            match begin.elapsed() < time / 3 {
                true => early = early.max(now),
                false => late = late.max(now),
            }
        }
        (clients.join().expect("no client panicked"), early, late)
    });
    let asked: u64 = clients.iter().map(|seen| seen.asked).sum();
    let answered: u64 = clients.iter().map(|seen| seen.answered).sum();
    let slowest = clients.iter().map(|seen| seen.slowest).max();
    let slowest = slowest.unwrap_or_default();
    let longest = clients.iter().map(|seen| seen.longest).max();
    std::thread::sleep(Duration::from_secs(8));
    let after = memory().unwrap_or(0);
    println!(
        "most memory: {early} MiB in the first third, {late} MiB later, {after} MiB after the last client left"
    );
    println!(
        "{asked} requests, {answered} answered, slowest reply to a person {slowest:?}, to any client {longest:?}"
    );
    println!("{}", others.told());
    let lost: Vec<&String> = clients.iter().flat_map(|seen| &seen.lost).collect();
    assert!(
        lost.is_empty(),
        "{} lost: {:#?}",
        lost.len(),
        &lost[..lost.len().min(5)]
    );
    assert_eq!(asked, answered);
    assert!(late <= early + early / 10 + 16, "{early} MiB, then {late}");
    // Other programs make everything slower, also these replies.
    let most = Duration::from_secs(1).mul_f64(others.slowness());
    assert!(
        slowest < most,
        "{slowest:?}, but at most {most:?} is allowed"
    );
}
