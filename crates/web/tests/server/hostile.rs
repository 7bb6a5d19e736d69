//! Malformed requests and frames, floods, and clients that do not read.

use crate::common::{Running, block_on, memory};
use futures_util::{SinkExt, StreamExt};
use kalahari_web::Limits;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

/// A small generator of random numbers (SplitMix64), so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.below(most);
        (0..length).map(|_| self.next() as u8).collect()
    }

    /// A text of JSON's own characters, or a good text with a few characters changed.
    fn almost_json(&mut self) -> String {
        const GOOD: [&str; 8] = [
            r#"{"game":"kalah:6x4","moves":["2","5"]}"#,
            r#"{"text":"4 4 4 4 4 4 0 4 4 4 4 4 4 0 0"}"#,
            r#"{"id":1,"type":"analyze","line":{"game":"kalah:6x4","moves":[]}}"#,
            r#"{"id":2,"type":"move","agent":"level:1","line":{"game":"isolation","moves":[]}}"#,
            r#"{"game":"isolation:3x3","board":{"kind":"isolation","cells":"1.......2"},"to_move":0}"#,
            r#"{"id":3,"type":"review","line":{"game":"kalah:6x4","moves":["0"]},"limit":{"time_ms":1}}"#,
            r#"{"id":4,"type":"watch","room":"nowhere","seat":"nobody"}"#,
            r#"{"seat":"nobody","round":1,"ply":0,"move":"2"}"#,
        ];
        const STRANGE: [&str; 14] = [
            "{",
            "}",
            "[",
            "]",
            "\"",
            ",",
            ":",
            "-1",
            "1e999",
            "null",
            "\u{0}",
            "\\u0000",
            "é",
            "99999999999999999999",
        ];
        let mut text: Vec<char> = GOOD[self.below(GOOD.len())].chars().collect();
        for _ in 0..=self.below(4) {
            let place = self.below(text.len());
            let strange = STRANGE[self.below(STRANGE.len())].chars();
            match self.below(3) {
                0 => drop(text.splice(place..=place, strange)),
                1 => drop(text.splice(place..place, strange)),
                _ => text.truncate(place.max(1)),
            }
        }
        text.into_iter().collect()
    }
}

/// Sends random and almost valid requests; checks that every answer is one that a client can understand.
fn throw_requests(server: &Running, count: usize) {
    let mut dice = Dice(1);
    let paths = [
        "/api/v1/line",
        "/api/v1/setup",
        "/api/v1/puzzles/k001/try",
        "/api/v1/rooms",
        "/api/v1/rooms/nowhere/move",
        "/api/v1/invitation?room=%00",
        "/invite/%ff",
        "/api/v1/ws",
        "/api/v1/meta",
        "/api/v1/arena/plots/..%2f..%2fetc",
        "/%00",
        "/api/v1/puzzles/%ff",
    ];
    for number in 0..count {
        let path = paths[dice.below(paths.len())];
        let answer = match dice.below(4) {
            0 => server.raw(&dice.bytes(200)),
            1 => {
                let method = ["GET", "POST", "DELETE", "BREW", "get"][dice.below(5)];
                let body = dice.bytes(100);
                server.request(
                    &format!("{method} {path}"),
                    &[("Content-Type", "application/json")],
                    &body,
                )
            }
            _ => {
                let body = dice.almost_json();
                server.request(
                    &format!("POST {path}"),
                    &[("Content-Type", "application/json")],
                    body.as_bytes(),
                )
            }
        };
        let expected = [
            0, 200, 304, 400, 401, 403, 404, 405, 408, 409, 413, 414, 415, 422, 429, 431,
        ];
        assert!(
            expected.contains(&answer.status),
            "request {number}: {answer:?}"
        );
    }
}

/// Sends almost valid frames, over a new connection whenever the server has closed the old one.
async fn throw_frames(server: &Running, count: usize) {
    let mut dice = Dice(2);
    let mut client = server.socket().await;
    for _ in 0..count {
        let message = match dice.below(50) {
            0 => Message::Binary(dice.bytes(50).into()),
            1 => Message::Ping(dice.bytes(50).into()),
            _ => Message::Text(dice.almost_json().into()),
        };
        if client.stream.send(message).await.is_err() {
            client = server.socket().await;
        }
    }
}

fn survive(mut server: Running, requests: usize, frames: usize) {
    throw_requests(&server, requests / 10);
    block_on(throw_frames(&server, frames / 10));
    let before = memory();
    throw_requests(&server, requests);
    block_on(throw_frames(&server, frames));
    assert_eq!(server.get("/api/v1/meta").status, 200);
    if let (Some(before), Some(after)) = (before, memory()) {
        assert!(after < before + 100, "{before} MiB before, {after} after");
    }
    server.end();
}

fn unhurried(limits: &mut Limits) {
    limits.requests_per_second = 1_000_000;
    limits.frames_per_second = 1_000_000;
}

#[test]
fn malformed_requests_and_frames_do_no_harm() {
    survive(Running::start(None, unhurried), 1_000, 1_000);
}

#[test]
fn malformed_requests_and_frames_of_invited_people_do_no_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::hosted(folder.path(), |options| unhurried(&mut options.limits));
    survive(server, 500, 500);
}

#[test]
#[ignore = "ten thousand malformed requests and frames: about a minute"]
fn ten_thousand_malformed_requests_and_frames_do_no_harm() {
    survive(Running::start(None, unhurried), 5_000, 5_000);
}

#[test]
fn a_client_that_floods_is_disconnected() {
    let server = Running::start(None, |limits| limits.frames_per_second = 10);
    block_on(async {
        let mut client = server.socket().await;
        for _ in 0..100 {
            let _ = client.stream.send(Message::Text("{}".into())).await;
        }
        let mut answers = 0;
        while client.next().await.is_some() {
            answers += 1;
        }
        assert!(answers < 100, "{answers}");
    });
    assert_eq!(server.get("/api/v1/meta").status, 200);
}

#[test]
fn a_frame_that_is_too_long_ends_the_connection() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        client.send_text("x".repeat(100_000)).await;
        assert_eq!(client.next().await, None);
    });
    assert_eq!(server.get("/api/v1/meta").status, 200);
}

#[test]
fn a_client_that_does_not_answer_pings_is_disconnected() {
    let server = Running::start(None, |limits| limits.ping = Duration::from_millis(300));
    let mut stream = TcpStream::connect(server.address).expect("a connection");
    let head = format!(
        "GET /api/v1/ws HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).expect("a request");
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .expect("a time");
    let begin = Instant::now();
    let mut all = Vec::new();
    // The server pings, gets no answer, and closes.
    stream.read_to_end(&mut all).expect("an end");
    assert!(all.starts_with(b"HTTP/1.1 101"));
    assert!(begin.elapsed() < Duration::from_secs(8));
}

#[test]
fn a_client_that_asks_and_never_reads_is_disconnected() {
    let server = Running::start(None, |limits| {
        limits.requests_per_second = 1_000_000;
        limits.connections_per_address = 3;
        limits.unread = Duration::from_millis(300);
    });
    let page = server.get("/").body;
    let at = page.find("src=\"page-").expect("a script") + 5;
    let script = &page[at..at + page[at..].find('"').expect("its end")];
    let ask = format!("GET /{script} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let deaf: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).expect("a connection");
            let time = Some(Duration::from_millis(200));
            stream.set_write_timeout(time).expect("a time");
            // More than the system keeps for a client that does not read.
            let _ = stream.write_all(ask.repeat(2_000).as_bytes());
            stream
        })
        .collect();
    let begin = Instant::now();
    while server.get("/api/v1/meta").status != 200 {
        assert!(
            begin.elapsed() < Duration::from_secs(15),
            "the connections are still open"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(deaf);
}

#[test]
fn a_close_frame_is_answered() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        let begin = Instant::now();
        client
            .stream
            .send(Message::Close(None))
            .await
            .expect("sent");
        let answer = client.stream.next().await;
        assert!(matches!(answer, Some(Ok(Message::Close(_)))), "{answer:?}");
        assert!(begin.elapsed() < Duration::from_secs(5));
    });
}

/// The test runs itself with another home, where the tablebase file is not a tablebase.
#[test]
fn a_damaged_tablebase_is_reported_to_the_operator_and_not_to_clients() {
    let inside = std::env::var_os("KALAHARI_HOME")
        .filter(|home| std::path::Path::new(home).ends_with("damaged"));
    if inside.is_none() {
        let place = tempfile::tempdir().expect("a folder");
        let home = place.path().join("damaged");
        std::fs::create_dir_all(home.join("tablebases")).expect("a folder");
        let table = home.join("tablebases/kalah-6-standard.tablebase");
        std::fs::write(table, [7; 5_000]).expect("a file");
        let test = std::env::current_exe().expect("this test");
        let name = "hostile::a_damaged_tablebase_is_reported_to_the_operator_and_not_to_clients";
        let run = std::process::Command::new(test)
            .args([name, "--exact", "--nocapture"])
            .env("KALAHARI_HOME", &home)
            .output()
            .expect("a run");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{said}");
        assert_eq!(
            said.matches("kalah-6-standard.tablebase").count(),
            1,
            "{said}"
        );
        return;
    }
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        let line = json!({"game": "kalah:6x4", "moves": ["2"]});
        for (id, ask) in (1..).zip([
            json!({"type": "move", "agent": "engine"}),
            json!({"type": "move", "agent": "perfect"}),
            json!({"type": "hint"}),
            json!({"type": "analyze", "limit": {"depth": 3}}),
            json!({"type": "review", "limit": {"time_ms": 20}}),
        ]) {
            let mut ask = ask;
            ask["id"] = json!(id);
            ask["line"] = line.clone();
            client.send(&ask).await;
            for frame in client.until_done(id).await {
                assert_ne!(frame["type"], "error", "{frame}");
            }
        }
    });
}

#[test]
fn a_client_that_does_not_read_does_not_hold_up_others() {
    let server = Running::usual();
    block_on(async {
        let mut deaf = Vec::new();
        for id in 0..6 {
            let mut client = server.socket().await;
            let line = json!({"game": "isolation:7x7:classic", "moves": []});
            client
                .send(&json!({"id": id, "type": "analyze", "line": line}))
                .await;
            deaf.push(client);
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        let mut person = server.socket().await;
        let begin = Instant::now();
        let line = json!({"game": "kalah:6x4", "moves": []});
        person
            .send(&json!({"id": 1, "type": "move", "agent": "level:2", "line": line}))
            .await;
        assert_eq!(person.until_done(1).await[0]["type"], "move");
        assert!(
            begin.elapsed() < Duration::from_secs(5),
            "{:?}",
            begin.elapsed()
        );
    });
}
