//! A server that can be reached from other machines: it refuses clients without an invitation, and invited people can do no more
//! than they should.

use crate::common::{Running, block_on};
use kalahari_web::{QrCode, ServeOptions};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

const PATHS: [&str; 12] = [
    "/",
    "/index.html",
    "/icon.svg",
    "/js/main.js",
    "/book/",
    "/api/v1/meta",
    "/api/v1/openapi.json",
    "/api/v1/puzzles",
    "/api/v1/arena",
    "/api/v1/invitation",
    "/api/v1/rooms/abc",
    "/api/v1/nothing",
];

#[test]
fn clients_without_the_token_are_refused() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |_| {});
    let stranger = server.showing(None);
    for (number, path) in PATHS.iter().enumerate() {
        assert_eq!(stranger.get(path).status, 401, "{number}: {path}");
    }
    let posted = stranger.post("/api/v1/line", &json!({"game": "kalah:6x4"}));
    assert_eq!(posted.refusal().1, "no_invitation");
    block_on(async {
        assert!(stranger.try_socket().await.is_none());
        assert!(server.try_socket().await.is_some());
    });
    // The refusal contains nothing of the page.
    let refused = server.showing(Some("aaaaaaaaaaaaaaaaaaaaaaaaaa")).get("/");
    assert_eq!(refused.status, 401);
    assert!(!refused.body.contains("script"), "{}", refused.body);
    assert_eq!(server.get("/").status, 200);
    assert_eq!(server.as_owner().get("/").status, 200);
}

#[test]
fn a_client_that_guesses_tokens_is_slowed_down_and_others_are_not() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |_| {});
    let token = server.token.clone().expect("an invitation");
    let mut refused = [0, 0];
    for number in 0..40 {
        let mut wrong = token.clone().into_bytes();
        let place = number % wrong.len();
        wrong[place] = if wrong[place] == b'a' { b'b' } else { b'a' };
        let wrong = String::from_utf8(wrong).expect("letters");
        let answer = match number % 2 {
            0 => server.showing(Some(&wrong)).get("/api/v1/meta"),
            _ => server.showing(None).get(&format!("/invite/{wrong}")),
        };
        match answer.status {
            401 => refused[0] += 1,
            429 => refused[1] += 1,
            status => panic!("{status}"),
        }
    }
    assert!(refused[0] >= 8 && refused[1] >= 10, "{refused:?}");
    assert_eq!(server.get("/api/v1/meta").status, 200);
}

#[test]
fn the_link_is_exchanged_for_a_cookie() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |_| {});
    let token = server.token.clone().expect("an invitation");
    let stranger = server.showing(None);
    let entered = stranger.get(&format!("/invite/{token}"));
    assert_eq!(entered.status, 303);
    assert!(entered.head.contains("location: /\r\n"), "{}", entered.head);
    let cookie = entered
        .head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie.expect("a cookie");
    assert!(
        cookie.contains("httponly") && cookie.contains("samesite=lax"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().expect("its value");
    let with = stranger.request(
        "GET /api/v1/meta",
        &[("Cookie", &format!("a=b; {cookie}"))],
        b"",
    );
    let meta = with.ok();
    assert_eq!(
        (meta["owner"].clone(), meta["rooms"].clone()),
        (json!(false), json!(true))
    );
    // The link is the same after a restart, unless a new one is asked for.
    let mut server = server;
    server.end();
    let mut again = Running::hosted(folder.path(), |_| {});
    assert_eq!(again.token, Some(token.clone()));
    again.end();
    let renewed = Running::hosted(folder.path(), |options| {
        options.hosting.as_mut().expect("hosting").renew = true;
    });
    assert_ne!(renewed.token, Some(token.clone()));
    assert_eq!(renewed.showing(Some(&token)).get("/").status, 401);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = std::fs::metadata(folder.path().join("hosting.json")).expect("a file");
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn other_hosts_and_origins_are_refused_with_a_token_too() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |_| {});
    let port = server.address.port();
    for host in [
        "evil.example",
        "localhost",
        "127.0.0.1",
        "127.0.0.3",
        "192.168.1.1",
    ] {
        let host = format!("{host}:{port}");
        let answer = server.request("GET /api/v1/meta", &[("Host", &host)], b"");
        assert_eq!(answer.status, 403, "{host}");
    }
    let from = |origin: &str| {
        server
            .request("GET /api/v1/meta", &[("Origin", origin)], b"")
            .status
    };
    assert_eq!(from("http://evil.example"), 403);
    assert_eq!(from(&format!("https://{}", server.address)), 403);
    assert_eq!(from(&format!("http://{}", server.address)), 200);
    // For the owner nothing has changed.
    let owner = server.as_owner();
    let by_name = format!("localhost:{port}");
    assert_eq!(
        owner.request("GET /", &[("Host", &by_name)], b"").status,
        200
    );
    let elsewhere = server.address.to_string();
    assert_eq!(
        owner.request("GET /", &[("Host", &elsewhere)], b"").status,
        403
    );
    // A request that was forwarded for another client is not from the owner.
    let forwarded = owner.request("GET /", &[("X-Forwarded-For", "10.0.0.7")], b"");
    assert_eq!(forwarded.status, 401);
}

#[test]
fn behind_a_proxy_the_owner_needs_a_link_too() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |options| {
        let hosting = options.hosting.as_mut().expect("hosting");
        hosting.host = [127, 0, 0, 1].into();
        hosting.names = vec!["kalah.example.org".parse().expect("a name")];
    });
    let named = |headers: &[(&str, &str)], token: bool| {
        let mut all = vec![
            ("Host", "kalah.example.org"),
            ("X-Forwarded-For", "10.0.0.7"),
        ];
        all.extend(headers);
        let client = match token {
            true => server.showing(server.token.as_deref()),
            false => server.showing(None),
        };
        client.request("GET /api/v1/meta", &all, b"").status
    };
    assert_eq!(named(&[], false), 401);
    assert_eq!(named(&[], true), 200);
    assert_eq!(named(&[("Origin", "https://kalah.example.org")], true), 200);
    assert_eq!(named(&[("Origin", "http://kalah.example.org")], true), 403);
    assert_eq!(server.showing(None).get("/").status, 401);
    // Under a name with a certificate, the cookie is only sent over HTTPS.
    let token = server.token.clone().expect("an invitation");
    let way_in = format!("GET /invite/{token}");
    let entered = |headers: &[(&str, &str)]| server.showing(None).request(&way_in, headers, b"");
    assert!(
        entered(&[("Host", "kalah.example.org")])
            .head
            .contains("; secure")
    );
    assert!(!entered(&[]).head.contains("; secure"));
    // The owner who opens the link for guests stays the owner.
    let kept = std::fs::read_to_string(folder.path().join("hosting.json")).expect("a file");
    let kept: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
    let own = kept["owner"].as_str().expect("a token");
    let owner = server.showing(Some(own));
    let entered = owner.request(&way_in, &[], b"");
    assert_eq!(entered.status, 303);
    assert!(!entered.head.contains("set-cookie"), "{}", entered.head);
    let name = format!("kalahari_{}", server.address.port());
    let both = format!("{name}={token}; {name}={own}");
    let meta = server
        .showing(None)
        .request("GET /api/v1/meta", &[("Cookie", &both)], b"");
    assert_eq!(meta.ok()["owner"], json!(true));
}

#[test]
fn invited_people_see_no_store_and_start_no_programs() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |options: &mut ServeOptions| {
        options.agents = vec!["level:1".parse().expect("an agent")];
    });
    for path in [
        "/api/v1/arena",
        "/api/v1/arena/matches/1",
        "/api/v1/arena/plots/a.svg",
        "/api/v1/live",
    ] {
        assert_eq!(server.get(path).refusal().1, "owner_only", "{path}");
        assert_eq!(server.as_owner().get(path).status, 404, "{path}");
    }
    let own = |server: &Running| {
        let meta = server.get("/api/v1/meta").ok();
        let opponents = meta["opponents"].as_array().expect("a list").clone();
        opponents.iter().filter(|one| one["kind"] == "own").count()
    };
    assert_eq!((own(&server), own(&server.as_owner())), (0, 1));
    assert!(!server.get("/").body.contains("own:level:1"));
    assert!(server.as_owner().get("/").body.contains("own:level:1"));
    block_on(async {
        let line = json!({"game": "kalah:6x4", "moves": []});
        let mut guest = server.socket().await;
        for (id, agent) in [
            "own:level:1",
            "py:agent.py",
            "ugi:./engine",
            "exe:/bin/sh",
            "engine:hash=4096",
        ]
        .iter()
        .enumerate()
        {
            guest
                .send(&json!({"id": id, "type": "move", "agent": agent, "line": line}))
                .await;
            let answer = guest.until_done(id as u64).await;
            assert_eq!(answer[0]["code"], "bad_agent", "{agent}");
        }
        let mut owner = server.as_owner().socket().await;
        owner
            .send(&json!({"id": 1, "type": "move", "agent": "own:level:1", "line": line}))
            .await;
        assert_eq!(owner.until_done(1).await[0]["type"], "move");
    });
    for path in [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/hosting.json",
        "/book/../hosting.json",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn invited_people_have_a_budget() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |options| {
        options.limits.guests.searches = 3;
        options.limits.guests.searches_per_address = 3;
        options.limits.guests.connections_per_address = 8;
    });
    block_on(async {
        let line = json!({"game": "kalah:6x6", "moves": []});
        let mut clients = Vec::new();
        let mut refused = 0;
        for _ in 0..5 {
            let mut client = server.socket().await;
            client.send(&json!({"id": 1, "type": "analyze", "line": line, "limit": {"time_ms": 600_000}})).await;
            let first = client.next().await.expect("an answer");
            refused += usize::from(first["code"] == "busy");
            clients.push(client);
        }
        assert_eq!(refused, 2);
        // The owner does not have to wait for them.
        let mut owner = server.as_owner().socket().await;
        owner
            .send(&json!({"id": 1, "type": "move", "agent": "level:2", "line": line}))
            .await;
        assert_eq!(owner.until_done(1).await[0]["type"], "move");
        // Nor can guests hold more connections than their limit.
        for _ in 0..3 {
            clients.push(server.socket().await);
        }
        assert!(server.try_socket().await.is_none());
        assert_eq!(server.as_owner().get("/api/v1/meta").status, 200);
    });
}

#[test]
fn an_invitation_is_a_link_and_a_code() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |_| {});
    let token = server.token.clone().expect("an invitation");
    let invitation = server.get("/api/v1/invitation?room=abc").ok();
    let link = format!("http://{}/invite/{token}#/room?id=abc", server.address);
    assert_eq!(invitation["link"], json!(link));
    let code = QrCode::new(&link).expect("a code");
    assert_eq!(invitation["code"], json!(code.rows()));
    let plain = Running::usual();
    assert_eq!(plain.get("/api/v1/invitation").refusal().1, "no_rooms");
    let room = plain.post("/api/v1/rooms", &json!({"game": "kalah:6x4"}));
    assert_eq!(room.refusal().1, "no_rooms");
    assert_eq!(plain.get("/invite/abc").status, 404);
}

/// That decoders can read the codes was tried by hand.
#[test]
fn qr_codes_have_the_fixed_patterns() {
    for length in [1, 14, 26, 42, 62, 84, 106, 122, 152, 180, 213] {
        let text = "k".repeat(length);
        let code = QrCode::new(&text).expect("a code");
        let size = code.size();
        assert_eq!((size - 21) % 4, 0);
        for (row, col) in [(0, 0), (0, size - 7), (size - 7, 0)] {
            for place in 0..7 {
                assert!(code.is_dark(row, col + place) && code.is_dark(row + place, col));
            }
            assert!(!code.is_dark(row + 1, col + 1) && code.is_dark(row + 3, col + 3));
        }
        for place in 8..size - 8 {
            assert_eq!(code.is_dark(6, place), place % 2 == 0);
        }
        assert_eq!(code.rows().len(), size);
    }
    assert_eq!(QrCode::new(&"k".repeat(214)), None);
}

#[test]
fn only_one_server_uses_a_file_and_damaged_files_are_refused() {
    let folder = folder();
    let file = folder.path().join("hosting.json");
    let bind = |file: &Path| {
        let options = ServeOptions {
            hosting: Some(kalahari_web::Hosting {
                host: [127, 0, 0, 2].into(),
                names: Vec::new(),
                keep: file.to_owned(),
                renew: false,
            }),
            ..ServeOptions::default()
        };
        block_on(async {
            kalahari_web::Server::bind(options)
                .await
                .map(|_| ())
                .map_err(|error| error.to_string())
        })
    };
    let server = Running::hosted(folder.path(), |_| {});
    assert!(bind(&file).is_err_and(|error| error.contains("--keep")));
    #[cfg(unix)]
    {
        let link = folder.path().join("link.json");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        assert!(bind(&link).is_err_and(|error| error.contains("--keep")));
        assert!(bind(Path::new("/dev/null")).is_err_and(|error| error.contains("not a file")));
    }
    assert!(bind(folder.path()).is_err_and(|error| error.contains("not a file")));
    drop(server);
    // A file may have the name of a lock.
    let like_a_lock = folder.path().join("x.lock");
    assert_eq!(bind(&like_a_lock), Ok(()));
    assert_eq!(bind(&like_a_lock), Ok(()));
    let other = folder.path().join("other.json");
    for content in [
        "{",
        "[]",
        r#"{"mark":"x","version":1,"invitation":"","owner":"","rooms":[]}"#,
    ] {
        std::fs::write(&other, content).expect("a file");
        let refused = bind(&other).expect_err("refused");
        assert!(
            refused.contains("other.json") && refused.contains("--keep"),
            "{refused}"
        );
    }
    // A process that died before it wrote anything leaves an empty file.
    std::fs::write(&other, "").expect("a file");
    assert_eq!(bind(&other), Ok(()));
}

#[test]
fn silent_connections_are_limited_and_closed() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |_| {});
    let begin = Instant::now();
    let silent: Vec<TcpStream> = (0..60)
        .map(|_| TcpStream::connect(server.address).expect("the server listens"))
        .collect();
    // One address gets no more connections for clients that send nothing.
    let status = server.get("/api/v1/meta").status;
    assert!(status == 0 || begin.elapsed() > Duration::from_secs(4));
    for mut stream in silent {
        let time = Some(Duration::from_secs(20));
        stream.set_read_timeout(time).expect("a time");
        assert!(matches!(stream.read(&mut [0]), Ok(0)));
    }
    // The server waits longer for a client with a valid invitation.
    let mut stream = TcpStream::connect(server.address).expect("the server listens");
    let token = server.token.as_deref().expect("an invitation");
    for (pause, last) in [(5_500, "keep-alive"), (0, "close")] {
        let request = format!(
            "GET /api/v1/meta HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
             Connection: {last}\r\n\r\n",
            server.address
        );
        stream.write_all(request.as_bytes()).expect("still there");
        std::thread::sleep(Duration::from_millis(pause));
    }
    let mut answers = String::new();
    stream.read_to_string(&mut answers).expect("answers");
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 2);
}

#[test]
fn behind_a_proxy_sockets_are_counted_per_client_address() {
    let folder = folder();
    let server = Running::hosted(folder.path(), |options| {
        let hosting = options.hosting.as_mut().expect("hosting");
        hosting.host = [127, 0, 0, 1].into();
        hosting.names = vec!["kalah.example.org".parse().expect("a name")];
        options.limits.guests.connections = 60;
        options.limits.guests.connections_per_address = 50;
    });
    let kept = std::fs::read_to_string(folder.path().join("hosting.json")).expect("a file");
    let kept: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
    let [guest, owner] = ["invitation", "owner"].map(|name| kept[name].as_str().expect("a token"));
    let knock = |token: &str, from: &str| {
        let mut stream = TcpStream::connect(server.address).expect("the server listens");
        let request = format!(
            "GET /api/v1/ws HTTP/1.1\r\nHost: kalah.example.org\r\nX-Forwarded-For: {from}\r\n\
             Authorization: Bearer {token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("a request");
        let mut bytes = [0; 12];
        stream.read_exact(&mut bytes).ok()?;
        (bytes == *b"HTTP/1.1 101").then_some(stream)
    };
    let mut inside = Vec::new();
    let mut enter = |token: &str, from: &str, count: usize| {
        let before = inside.len();
        inside.extend((0..count).filter_map(|_| knock(token, from)));
        inside.len() - before
    };
    assert_eq!(enter(guest, "10.0.0.7", 52), 50);
    assert_eq!(enter(guest, "10.0.0.8", 9), 7);
    // The refused connections may not be closed yet.
    let begin = Instant::now();
    while enter(owner, "10.0.0.9", 1) == 0 {
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
}
