//! Many clients at once: everybody is answered, and a person who plays hardly notices.

use crate::common::{Running, block_on, memory};
use serde_json::json;
use std::time::{Duration, Instant};

/// What a crowd of clients saw.
struct Crowd {
    /// How many frames with news each client got.
    news: Vec<usize>,
    /// The depth each client's analysis came to.
    depths: Vec<u64>,
    /// How long the person waited for each move.
    replies: Vec<Duration>,
    /// The most memory, server and clients together, in MiB.
    memory: u64,
}

/// How long a client waits for its first answer beyond the time of the test, and a person for a move.
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
            // Everybody waits for an answer, however busy the machine is with other things.
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
