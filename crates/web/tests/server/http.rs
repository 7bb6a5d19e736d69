//! HTTP requests: the page, lines, boards, and requests that are refused.

use crate::common::Running;
use serde_json::{Value, json};

#[test]
fn the_page_comes_with_strict_headers() {
    let server = Running::usual();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-type: text/html"));
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin",
    ] {
        assert!(page.head.contains(header), "{header}");
    }
    let tag = page
        .head
        .lines()
        .find_map(|line| line.strip_prefix("etag: "));
    let tag = tag.expect("a tag").to_owned();
    let again = server.request("GET /", &[("If-None-Match", &tag)], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn the_page_is_one_script_and_one_style_that_browsers_keep_forever() {
    let server = Running::usual();
    let page = server.get("/").body;
    assert!(!page.contains("js/main.js"), "the modules are joined");
    for (before, after) in [
        ("<script type=\"module\" src=\"", ".js"),
        ("href=\"page-", ".css"),
    ] {
        let at = page.find(before).expect(before);
        let name = &page[at..at + page[at..].find(after).expect(after) + after.len()];
        let name = &name[name.find("page-").expect("a name")..];
        let file = server.get(&format!("/{name}"));
        assert_eq!(file.status, 200, "{name}");
        assert!(file.head.contains("immutable"), "{}", file.head);
        assert!(!file.body.contains("\nimport "), "{name}");
        let packed = server.request(
            &format!("GET /{name}"),
            &[("Accept-Encoding", "br, gzip;q=0.5")],
            b"",
        );
        assert!(
            packed.head.contains("content-encoding: gzip"),
            "{}",
            packed.head
        );
        let length = packed
            .head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("a length").trim().parse().expect("a number");
        assert!(length * 2 < file.body.len());
        let refused = server.request(
            &format!("GET /{name}"),
            &[("Accept-Encoding", "gzip;q=0")],
            b"",
        );
        assert_eq!(refused.body, file.body);
    }
    // The page contains the answers that it would ask for first.
    let at = page.find("id=\"given\">").expect("what is given") + 11;
    let given = &page[at..at + page[at..].find("</script>").expect("its end")];
    let given: Value = serde_json::from_str(given).expect("JSON");
    assert_eq!(given["meta"], server.get("/api/v1/meta").ok());
    let first = json!({"game": "kalah:6x4", "ahead": true});
    assert_eq!(given["first"], server.post("/api/v1/line", &first).ok());
}

#[test]
fn positions_ahead_are_those_that_moves_lead_to() {
    let server = Running::usual();
    for (game, moves) in [
        ("kalah:6x4", json!(["2", "5"])),
        ("isolation:5x5:queen", json!([])),
    ] {
        let line = json!({"game": game, "moves": moves, "ahead": true});
        let answer = server.post("/api/v1/line", &line).ok();
        let now = answer["states"]
            .as_array()
            .and_then(|all| all.last())
            .expect("a state");
        let ahead = answer["ahead"].as_array().expect("positions");
        assert_eq!(ahead.len(), now["legal"].as_array().map_or(0, Vec::len));
        for state in ahead {
            let one =
                json!({"game": game, "start": now["position"], "moves": [state["last"]["move"]]});
            assert_eq!(&server.post("/api/v1/line", &one).ok()["states"][1], state);
        }
    }
    // Nothing is sent ahead for positions with hundreds of moves, nor if it was not asked for.
    let classic = json!({"game": "isolation:classic", "ahead": true});
    assert_eq!(
        server.post("/api/v1/line", &classic).ok()["ahead"],
        json!([])
    );
    let line = server.post("/api/v1/line", &json!({"game": "kalah:6x4"}));
    assert_eq!(line.ok().get("ahead"), None);
}

#[test]
fn only_files_of_the_page_are_served() {
    let server = Running::usual();
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fsrc/lib.rs",
        "/etc/passwd",
        "//etc/passwd",
        "/API.md",
        "/nothing",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_line_is_played_through() {
    let server = Running::usual();
    let line = json!({"game": "kalah:6x4", "moves": ["2", "5"]});
    let answer = server.post("/api/v1/line", &line).ok();
    assert_eq!(answer["game"], "kalah:6x4:standard");
    assert_eq!(answer["start"], Value::Null);
    assert_eq!(answer["states"].as_array().map(Vec::len), Some(3));
    let state = &answer["states"][1];
    assert_eq!(state["position"], "4 4 0 5 5 5 1 4 4 4 4 4 4 0 0");
    assert_eq!(state["to_move"], 0);
    assert_eq!(
        state["board"]["pits"],
        json!([[4, 4, 0, 5, 5, 5], [4, 4, 4, 4, 4, 4]])
    );
    assert_eq!(state["board"]["stores"], json!([1, 0]));
    assert_eq!(state["last"]["again"], true);
    assert_eq!(
        state["last"]["steps"],
        json!([
            {"t": "lift", "player": 0, "pit": 2, "seeds": 4},
            {"t": "sow", "player": 0, "pit": 3, "now": 5},
            {"t": "sow", "player": 0, "pit": 4, "now": 5},
            {"t": "sow", "player": 0, "pit": 5, "now": 5},
            {"t": "sow", "player": 0, "pit": null, "now": 1},
            {"t": "again", "player": 0}
        ])
    );
    assert_eq!(state["legal"].as_array().map(Vec::len), Some(5));
}

#[test]
fn isolation_is_shown_and_classic_has_removals() {
    let server = Running::usual();
    let line = json!({"game": "isolation:5x5:trail", "moves": ["b1"]});
    let answer = server.post("/api/v1/line", &line).ok();
    let board = &answer["states"][1]["board"];
    assert_eq!(board["cells"], "x1......................2");
    assert_eq!(board["pieces"], json!(["b1", "e5"]));
    assert_eq!(board["visited"], json!([2, 1]));
    let line = json!({"game": "isolation:3x3:classic"});
    let state = server.post("/api/v1/line", &line).ok()["states"][0].clone();
    assert_eq!(state["legal"][0]["move"], Value::Null);
    assert_eq!(state["legal"][0]["to"], "a1");
    assert_eq!(
        state["removable"],
        json!(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "c3"])
    );
}

#[test]
fn a_finished_game_has_a_result_and_a_record() {
    let server = Running::usual();
    let line = json!({"game": "kalah:1x1", "moves": ["0"]});
    let answer = server.post("/api/v1/line", &line).ok();
    let state = &answer["states"][1];
    assert_eq!(state["over"], true);
    assert_eq!(state["result"]["winner"], Value::Null);
    assert_eq!(state["result"]["counted"], true);
    let record = answer["record"].as_str().expect("a record");
    let pasted = server.post("/api/v1/line", &json!({"text": record})).ok();
    assert_eq!(pasted["moves"], answer["moves"]);
    assert_eq!(pasted["players"], json!(["First", "Second"]));
}

#[test]
fn everything_that_can_be_pasted_is_read() {
    let server = Running::usual();
    let read = |text: &str, game: Option<&str>| {
        let answer = server.post("/api/v1/line", &json!({"text": text, "game": game}));
        let answer = answer.ok();
        let text = |name: &str| answer[name].as_str().unwrap_or("-").to_owned();
        let moves = answer["moves"].as_array().map_or(0, Vec::len);
        (text("game"), text("start"), moves)
    };
    let expect = |game: &str, start: &str, moves| (game.to_owned(), start.to_owned(), moves);
    let start = "4 4 4 4 4 4 0 4 4 4 4 4 4 0 0";
    let game = "kalah:6x4:standard";
    assert_eq!(read(start, None), expect(game, "-", 0));
    assert_eq!(read("2 5 1", Some("kalah:6x4")), expect(game, "-", 3));
    assert_eq!(read("kalah:6x4 2, 5,1", None), expect(game, "-", 3));
    let odd = "4 4 4 4 4 4 0 4 4 4 4 4 5 0 0";
    let moves = format!("kalah:6x4 {odd} moves 2 5");
    assert_eq!(read(&moves, None), expect(game, odd, 2));
    assert_eq!(
        read("<3,0,0,2,2,1,2,2,2>", Some("isolation")),
        expect("kalah:3x1:standard", "2 2 1 0 2 2 2 0 0", 0)
    );
    assert_eq!(
        read("1../.#./..2 0", Some("isolation:7x7:classic")),
        expect("isolation:3x3:classic", "1../.#./..2 0", 0)
    );
    assert_eq!(
        read("isolation:5x5 b1 d5", None),
        expect("isolation:5x5:trail", "-", 2)
    );
    // The server reads what it writes.
    let line = json!({"game": "kalah:6x4", "start": odd, "moves": ["2"]});
    let text = server.post("/api/v1/line", &line).ok()["text"].clone();
    let again = server.post("/api/v1/line", &json!({"text": text})).ok();
    assert_eq!(again["text"], text);
}

#[test]
fn bad_lines_are_refused_with_the_place() {
    let server = Running::usual();
    let refused = |body: Value| {
        let (status, code, field) = server.post("/api/v1/line", &body).refusal();
        assert_eq!(status, 422);
        (code, field.unwrap_or_default())
    };
    let expect = |code: &str, field: &str| (code.to_owned(), field.to_owned());
    let many = vec!["0"; 2_001];
    for (body, expected) in [
        (json!({"game": "chess"}), expect("bad_game", "game")),
        (json!({}), expect("bad_request", "game")),
        (
            json!({"game": "kalah:6x4", "moves": ["2", "9"]}),
            expect("bad_move", "moves[1]"),
        ),
        (
            json!({"game": "kalah:6x4", "moves": ["x"]}),
            expect("bad_move", "moves[0]"),
        ),
        (
            json!({"game": "kalah:6x4", "start": "1 2"}),
            expect("bad_position", "start"),
        ),
        (
            json!({"game": "kalah:6x4", "moves": many}),
            expect("too_long", "moves"),
        ),
        (
            json!({"game": "kalah:6x4", "start": "9".repeat(2_000)}),
            expect("too_long", "start"),
        ),
        (json!({"text": ""}), expect("bad_text", "text")),
        (json!({"text": "hello"}), expect("bad_text", "text")),
        (json!({"text": "kalah:99x1 2"}), expect("bad_game", "game")),
        (json!({"text": "1../.. 0"}), expect("bad_text", "text")),
        (
            json!({"text": "kalahari-record 2"}),
            expect("bad_text", "text"),
        ),
        (json!({"game": 7}), expect("bad_json", "")),
        (
            json!({"game": "kalah", "strange": 1}),
            expect("bad_json", ""),
        ),
    ] {
        assert_eq!(refused(body.clone()), expected, "{body}");
    }
}

#[test]
fn boards_are_made_or_refused() {
    let server = Running::usual();
    let kalah = |south: Value, to_move: u64| {
        json!({"game": "kalah:3x2", "to_move": to_move, "board":
            {"kind": "kalah", "pits": [south, [2, 2, 2]], "stores": [0, 0]}})
    };
    let made = server
        .post("/api/v1/setup", &kalah(json!([1, 2, 3]), 1))
        .ok();
    assert_eq!(made["start"], "1 2 3 0 2 2 2 0 1");
    assert_eq!(made["state"]["to_move"], 1);
    assert_eq!(made["notes"], json!([]));
    let odd = server
        .post("/api/v1/setup", &kalah(json!([1, 2, 9]), 0))
        .ok();
    assert_eq!(
        odd["notes"],
        json!([{"t": "seeds", "seeds": 18, "usual": 12}])
    );
    let isolation = |cells: &str| json!({"game": "isolation:3x3:trail", "to_move": 0, "board": {"kind": "isolation", "cells": cells}});
    let made = server.post("/api/v1/setup", &isolation("1...#...2")).ok();
    assert_eq!(made["start"], "1../.#./..2 0");
    for (body, field) in [
        (kalah(json!([1, 2]), 0), "board.pits[0]"),
        (kalah(json!([1, -2, 0]), 0), "board.pits[0][1]"),
        (kalah(json!([1, 2, 481]), 0), "board.pits[0][2]"),
        (kalah(json!([1, 2, 480]), 0), "board"),
        (kalah(json!([1, 2, 3]), 2), "to_move"),
        (isolation("1...2"), "board.cells"),
        (isolation("1...?...2"), "board.cells"),
        (isolation("1........"), "board"),
        (isolation("11......2"), "board"),
        (
            json!({"game": "kalah:3x2", "to_move": 0, "board": {"kind": "isolation", "cells": ""}}),
            "board.kind",
        ),
    ] {
        let (status, code, at) = server.post("/api/v1/setup", &body).refusal();
        assert_eq!((status, code.as_str()), (422, "bad_position"), "{body}");
        assert_eq!(at.as_deref(), Some(field), "{body}");
    }
}

#[test]
fn other_sites_and_names_are_refused() {
    let server = Running::usual();
    let own = format!("http://{}", server.address);
    let local = format!("localhost:{}", server.address.port());
    let status = |headers: &[(&str, &str)]| server.request("GET /api/v1/meta", headers, b"").status;
    assert_eq!(status(&[]), 200);
    assert_eq!(status(&[("Origin", &own)]), 200);
    assert_eq!(status(&[("Host", &local)]), 200);
    for headers in [
        &[("Host", "evil.example")][..],
        &[("Host", "127.0.0.1")],
        &[("Host", "")],
        &[("Origin", "http://evil.example")],
        &[("Origin", "null")],
        &[("Origin", "https://localhost:1")],
        &[("Sec-Fetch-Site", "cross-site")],
    ] {
        assert_eq!(status(headers), 403, "{headers:?}");
    }
    let socket = [
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("Origin", "http://evil.example"),
    ];
    assert_eq!(server.request("GET /api/v1/ws", &socket, b"").status, 403);
}

#[test]
fn a_second_host_or_origin_is_refused() {
    let server = Running::usual();
    let host = server.address.to_string();
    let own = format!("http://{host}");
    let status = |headers: &[(&str, &str)]| server.request("GET /api/v1/meta", headers, b"").status;
    assert_eq!(status(&[("Host", &host), ("Origin", &own)]), 200);
    for other in [host.as_str(), "evil.example"] {
        assert_eq!(status(&[("Host", &host), ("Host", other)]), 400, "{other}");
    }
    for other in [own.as_str(), "http://evil.example"] {
        let twice = [("Origin", own.as_str()), ("Origin", other)];
        assert_eq!(status(&twice), 400, "{other}");
    }
}

#[test]
fn hosts_without_the_usual_port_are_accepted() {
    let hosts = kalahari_web::own_hosts(80);
    for host in ["127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"] {
        assert!(hosts.iter().any(|own| own == host), "{host}");
    }
    let hosts = kalahari_web::own_hosts(8080);
    assert_eq!(hosts, ["127.0.0.1:8080", "localhost:8080"]);
}

#[test]
fn wrong_requests_get_clear_answers() {
    let server = Running::usual();
    let json = [("Content-Type", "application/json")];
    let check = |line: &str, headers: &[(&str, &str)], body: &[u8], status: u16, code: &str| {
        let answer = server.request(line, headers, body);
        let (got, name, _) = answer.refusal();
        assert_eq!((got, name.as_str()), (status, code), "{line}");
        assert!(answer.head.contains("content-security-policy"), "{line}");
    };
    check("POST /api/v1/line", &json, b"{", 400, "bad_json");
    check("POST /api/v1/line", &json, b"\xff\xfe", 400, "bad_json");
    check("POST /api/v1/line", &[], b"{}", 415, "unsupported");
    check(
        "POST /api/v1/line",
        &json,
        &vec![b' '; 70_000],
        413,
        "too_large",
    );
    check("PUT /api/v1/line", &json, b"{}", 405, "method");
    check("GET /api/v2/line", &[], b"", 404, "not_found");
    check("GET /api/v1/ws", &[], b"", 400, "bad_request");
    check("GET /api/v1/arena", &[], b"", 404, "no_store");
    check("GET /api/v1/puzzles/zzz", &[], b"", 404, "not_found");
}

#[test]
fn too_many_requests_are_told_to_wait() {
    let server = Running::start(None, |limits| limits.requests_per_second = 1);
    let answers: Vec<u16> = (0..12).map(|_| server.get("/api/v1/meta").status).collect();
    assert_eq!(answers[..8], [200; 8]);
    assert!(answers.contains(&429), "{answers:?}");
    let last = server.get("/api/v1/meta");
    assert!(last.status == 200 || last.head.contains("retry-after: 1"));
}

#[test]
fn too_many_connections_of_an_address_are_refused() {
    let server = Running::start(None, |limits| limits.connections_per_address = 3);
    let held: Vec<_> = (0..3)
        .map(|_| std::net::TcpStream::connect(server.address).expect("a connection"))
        .collect();
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(server.get("/api/v1/meta").status, 0);
    drop(held);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(server.get("/api/v1/meta").status, 200);
}

#[test]
fn the_interface_is_described() {
    let server = Running::usual();
    let description = server.get("/api/v1/openapi.json").ok();
    for path in [
        "/api/v1/meta",
        "/api/v1/line",
        "/api/v1/setup",
        "/api/v1/puzzles",
        "/api/v1/puzzles/{id}",
        "/api/v1/puzzles/{id}/try",
        "/api/v1/arena",
        "/api/v1/ws",
    ] {
        assert!(description["paths"][path].is_object(), "{path}");
    }
    for schema in ["Ask", "Say", "State", "LineAnswer", "Info", "Reviewed"] {
        assert!(
            description["components"]["schemas"][schema].is_object(),
            "{schema}"
        );
    }
    // The query parameters, and the statuses of refusals.
    for (path, method, names, statuses) in [
        (
            "/api/v1/arena/matches/{id}",
            "get",
            &["from", "count"][..],
            &["400", "404", "422"][..],
        ),
        (
            "/api/v1/puzzles/{id}/try",
            "post",
            &["solution"],
            &["400", "404", "413", "415", "422"],
        ),
        ("/api/v1/line", "post", &[], &["400", "413", "415", "422"]),
        ("/api/v1/setup", "post", &[], &["400", "413", "415", "422"]),
        ("/api/v1/meta", "get", &[], &["400", "403", "429"]),
    ] {
        let described = &description["paths"][path][method];
        let parameters = described["parameters"].as_array();
        for name in names {
            let mut named = parameters.into_iter().flatten();
            let place = named.find(|parameter| parameter["name"] == *name);
            assert_eq!(place.map(|place| &place["in"]), Some(&json!("query")));
        }
        for status in statuses {
            let refusal = &described["responses"][status]["content"];
            assert!(refusal.is_object(), "{path} {status}");
        }
    }
    let meta = server.get("/api/v1/meta").ok();
    assert_eq!(meta["opponents"].as_array().map(Vec::len), Some(16));
}

#[test]
fn the_server_ends_when_asked_to() {
    let mut server = Running::usual();
    let idle = std::net::TcpStream::connect(server.address).expect("a connection");
    let begin = std::time::Instant::now();
    server.end();
    assert!(begin.elapsed() < std::time::Duration::from_secs(4));
    drop(idle);
    assert!(std::net::TcpStream::connect(server.address).is_err());
}
