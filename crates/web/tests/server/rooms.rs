//! Two people at two devices play one game.

use crate::common::{Answer, Client, Running, block_on};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A room with two players: the owner first, an invited person second.
struct Table {
    server: Running,
    room: String,
    seats: [String; 2],
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

impl Table {
    fn new(server: Running, game: &str, clock: Value) -> Self {
        let owner = server.as_owner();
        let wanted = json!({"game": game, "clock": clock, "name": "Ada", "side": "first"});
        let opened = owner.post("/api/v1/rooms", &wanted).ok();
        assert_eq!(opened["view"]["you"], 0);
        let room = text(&opened["view"]["room"]);
        let alone = json!({"seat": opened["seat"], "round": 1, "deed": "resign"});
        let alone = owner.post(&format!("/api/v1/rooms/{room}/deed"), &alone);
        assert_eq!(alone.refusal().1, "alone");
        let sat = server
            .post(
                &format!("/api/v1/rooms/{room}/seat"),
                &json!({"name": "  Bob\u{202e}\n"}),
            )
            .ok();
        assert_eq!(
            (&sat["view"]["you"], &sat["view"]["seats"][1]["name"]),
            (&json!(1), &json!("Bob"))
        );
        let seats = [text(&opened["seat"]), text(&sat["seat"])];
        Table {
            server,
            room,
            seats,
        }
    }

    fn play(&self, seat: usize, at: (u32, usize), mv: &str) -> Answer {
        move_in(&self.server, &self.room, &self.seats[seat], at, mv)
    }

    fn act(&self, seat: usize, round: u32, deed: &str) -> Answer {
        let body = json!({"seat": self.seats[seat], "round": round, "deed": deed});
        self.server
            .post(&format!("/api/v1/rooms/{}/deed", self.room), &body)
    }

    async fn watch(&self, server: &Running, seat: Option<usize>) -> Client {
        let mut client = server.socket().await;
        let seat = seat.map(|seat| self.seats[seat].clone());
        client
            .send(&json!({"id": 7, "type": "watch", "room": self.room, "seat": seat}))
            .await;
        client
    }
}

fn move_in(
    server: &Running,
    room: &str,
    seat: &str,
    (round, ply): (u32, usize),
    mv: &str,
) -> Answer {
    let body = json!({"seat": seat, "round": round, "ply": ply, "move": mv});
    server.post(&format!("/api/v1/rooms/{room}/move"), &body)
}

/// The next message about the room for which `holds` is true.
async fn until(client: &mut Client, holds: impl Fn(&Value) -> bool) -> Value {
    while let Some(frame) = client.next().await {
        if frame["type"] == "room" && holds(&frame) {
            return frame;
        }
    }
    panic!("the connection ended");
}

#[test]
fn two_people_play_a_game_and_others_watch() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::hosted(folder.path(), |_| {});
    let table = Table::new(server, "kalah:6x4", Value::Null);
    block_on(async {
        let mut spectator = table.watch(&table.server, None).await;
        let seen = until(&mut spectator, |_| true).await;
        assert_eq!((&seen["you"], &seen["watching"]), (&Value::Null, &json!(1)));
        let mut second = table.watch(&table.server, Some(1)).await;
        until(&mut spectator, |news| news["seats"][1]["here"] == true).await;
        // The secrets of the seats are not sent to others.
        assert!(!seen.to_string().contains(&table.seats[0]));

        assert_eq!(table.play(1, (1, 0), "0").refusal().1, "not_your_turn");
        assert_eq!(table.play(0, (1, 0), "9").refusal().1, "bad_move");
        assert_eq!(table.play(0, (2, 0), "2").refusal().1, "stale");
        let wrong = move_in(
            &table.server,
            &table.room,
            "aaaaaaaaaaaaaaaaaaaaaaaaaa",
            (1, 0),
            "2",
        );
        assert_eq!(wrong.refusal().1, "not_yours");
        let moved = table.play(0, (1, 0), "2").ok();
        assert_eq!(moved["state"]["last"]["again"], true);
        // The client did not get the answer: the same move sent again is not a second move.
        assert_eq!(
            table.play(0, (1, 0), "2").ok()["line"]["moves"],
            json!(["2"])
        );
        assert_eq!(table.play(0, (1, 0), "3").refusal().1, "stale");
        table.play(0, (1, 1), "5").ok();
        let news = until(&mut second, |news| {
            news["line"]["moves"] == json!(["2", "5"])
        })
        .await;
        assert_eq!(
            (&news["you"], &news["state"]["to_move"]),
            (&json!(1), &json!(1))
        );
        until(&mut spectator, |news| {
            news["line"]["moves"] == json!(["2", "5"])
        })
        .await;

        // A takeback needs the opponent's consent.
        assert_eq!(table.act(1, 1, "takeback").refusal().1, "no_offer");
        table.act(0, 1, "takeback").ok();
        assert_eq!(table.act(0, 1, "accept").refusal().1, "no_offer");
        until(&mut second, |news| {
            news["offer"] == json!({"kind": "takeback", "by": 0})
        })
        .await;
        table.act(1, 1, "decline").ok();
        table.act(0, 1, "takeback").ok();
        let back = table.act(1, 1, "accept").ok();
        assert_eq!(
            (&back["line"]["moves"], &back["offer"]),
            (&json!(["2"]), &Value::Null)
        );

        // A resignation, then a rematch with the sides changed.
        assert_eq!(table.act(0, 1, "rematch").refusal().1, "no_offer");
        let over = table.act(0, 1, "resign").ok();
        assert_eq!(over["end"], json!({"kind": "resigned", "winner": 1}));
        assert_eq!(table.play(0, (1, 1), "5").refusal().1, "game_over");
        table.act(1, 1, "rematch").ok();
        let again = table.act(0, 1, "rematch").ok();
        assert_eq!(
            (&again["round"], &again["you"], &again["line"]["moves"]),
            (&json!(2), &json!(1), &json!([]))
        );
        assert_eq!(
            (&again["seats"][0]["name"], &again["seats"][0]["won"]),
            (&json!("Bob"), &json!(1))
        );
        assert_eq!(table.act(0, 1, "resign").refusal().1, "stale");
        table.play(1, (2, 0), "2").ok();

        // A player leaves, and the others get a message.
        drop(second);
        until(&mut spectator, |news| news["seats"][0]["here"] == false).await;
        spectator
            .send(&json!({"id": 8, "type": "stop", "target": 7}))
            .await;
        spectator.until_done(7).await;
    });
    let third = table.server.post(
        &format!("/api/v1/rooms/{}/seat", table.room),
        &json!({"name": "Eve"}),
    );
    assert_eq!(third.refusal().1, "taken");
    assert_eq!(
        table.server.get("/api/v1/rooms/nowhere").refusal().1,
        "no_room"
    );
}

#[test]
fn a_game_ends_by_its_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::hosted(folder.path(), |_| {});
    let table = Table::new(server, "kalah:1x1", Value::Null);
    // The owner's only seed goes into the store; then that side is empty.
    let over = table.play(0, (1, 0), "0").ok();
    assert_eq!(over["end"], json!({"kind": "rules", "winner": null}));
    assert_eq!(over["state"]["over"], true);
}

#[test]
fn a_game_continues_after_the_server_is_restarted() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::hosted(folder.path(), |_| {});
    let mut table = Table::new(server, "kalah:6x4", json!({"minutes": 3, "increment": 2}));
    table.play(0, (1, 0), "2").ok();
    let before = table.play(0, (1, 1), "5").ok();
    assert_eq!(before["clock"]["running"], 1);
    table.server.end();
    table.server = Running::hosted(folder.path(), |_| {});
    let path = format!("/api/v1/rooms/{}", table.room);
    let after = table.server.get(&path).ok();
    assert_eq!(after["line"]["moves"], json!(["2", "5"]));
    assert_eq!(after["seats"][0]["name"], "Ada");
    // No player loses time while the server is down.
    let left =
        |room: &Value, player: usize| room["clock"]["left_ms"][player].as_u64().expect("a time");
    assert!(left(&after, 0) >= 180_000, "{after}");
    table.play(1, (1, 2), "0").ok();
    let moved = table.server.get(&path).ok();
    assert!(left(&moved, 1) > 180_000, "{moved}");
}

#[test]
fn a_player_whose_time_is_up_has_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::hosted(folder.path(), |_| {});
    let mut table = Table::new(
        server,
        "isolation:5x5:queen",
        json!({"minutes": 1, "increment": 0}),
    );
    table.server.end();
    // So that the test need not wait a minute, the file is changed to say that little time is left.
    let file = folder.path().join("hosting.json");
    let mut kept: Value =
        serde_json::from_slice(&std::fs::read(&file).expect("a file")).expect("JSON");
    kept["rooms"][0]["clock"]["left_ms"] = json!([300, 60_000]);
    std::fs::write(&file, kept.to_string()).expect("a file");
    table.server = Running::hosted(folder.path(), |_| {});
    block_on(async {
        let mut second = table.watch(&table.server, Some(1)).await;
        let seen = until(&mut second, |_| true).await;
        // The clock waits until its player has come back.
        assert_eq!(seen["clock"]["left_ms"][0], 300);
        let _first = table.watch(&table.server, Some(0)).await;
        let over = until(&mut second, |news| news["end"] != Value::Null).await;
        assert_eq!(over["end"], json!({"kind": "time", "winner": 1}));
        assert_eq!(over["clock"]["left_ms"][0], 0);
    });
    assert_eq!(table.play(0, (1, 0), "a1").refusal().1, "game_over");
}

#[test]
fn rooms_are_bounded() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::hosted(folder.path(), |options| {
        options.limits.requests_per_second = 10_000
    });
    let open = |server: &Running| server.post("/api/v1/rooms", &json!({"game": "kalah:6x4"}));
    let opened = (0..30).filter(|_| open(&server).status == 200).count();
    assert_eq!(opened, 20);
    assert_eq!(open(&server).refusal().1, "busy");
    // A client that opens many rooms does not hold up others.
    assert_eq!(open(&server.as_owner()).status, 200);
    for bad in [
        json!({"minutes": 0, "increment": 0}),
        json!({"minutes": 181, "increment": 0}),
        json!({"minutes": 3, "increment": 61}),
    ] {
        let refused = server
            .as_owner()
            .post("/api/v1/rooms", &json!({"game": "kalah:6x4", "clock": bad}));
        assert_eq!(refused.refusal().2.as_deref(), Some("clock"));
    }
    let refused = server
        .as_owner()
        .post("/api/v1/rooms", &json!({"game": "chess"}));
    assert_eq!(refused.refusal().1, "bad_game");
}

#[test]
fn a_client_that_comes_and_goes_does_not_disturb_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::hosted(folder.path(), |options| {
        options.limits.frames_per_second = 10_000;
    });
    let table = Table::new(server, "kalah:6x4", Value::Null);
    let other = server_room(&table.server);
    block_on(async {
        let mut spectator = table.watch(&table.server, None).await;
        until(&mut spectator, |_| true).await;
        let mut restless = table.watch(&table.server, None).await;
        until(&mut restless, |_| true).await;
        let seen = until(&mut spectator, |news| news["watching"] == 2).await;
        // The same request again: the others get no message, and the newest request is served.
        for id in 100..200 {
            let again = json!({"id": id, "type": "watch", "room": table.room});
            restless.send(&again).await;
        }
        let news = until(&mut restless, |news| news["id"] == 199).await;
        assert_eq!(news["watching"], 2);
        let next = until(&mut spectator, |_| true).await;
        assert_eq!(next["version"], seen["version"]);
        // Others get messages about a client that comes and goes, but not every time.
        let begin = Instant::now();
        for id in 200..1_000 {
            let room = if id % 2 == 0 { &other } else { &table.room };
            restless
                .send(&json!({"id": id, "type": "watch", "room": room}))
                .await;
        }
        until(&mut restless, |news| news["id"] == 999).await;
        restless
            .send(&json!({"id": 1_000, "type": "stop", "target": 999}))
            .await;
        restless.until_done(999).await;
        let mut heard = 0;
        while spectator.next().await.expect("news")["watching"] != 1
            || begin.elapsed() < Duration::from_millis(500)
        {
            heard += 1;
        }
        let bound = 4 + begin.elapsed().as_millis() / 200;
        assert!(heard <= bound, "{heard} in {:?}", begin.elapsed());
    });
}

/// Opens a room and returns its name.
fn server_room(server: &Running) -> String {
    let opened = server.post("/api/v1/rooms", &json!({"game": "kalah:6x4"}));
    text(&opened.ok()["view"]["room"])
}

#[test]
fn rooms_that_could_not_be_written_are_written_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let [here, gone] = ["here", "gone"].map(|name| folder.path().join(name));
    let server = Running::hosted(&here, |_| {});
    std::fs::rename(&here, &gone).expect("a folder elsewhere");
    // Nothing can be written where a file is in the way of the folder.
    std::fs::write(&here, "").expect("a file");
    let room = server_room(&server);
    std::fs::remove_file(&here).expect("the file is there");
    std::fs::rename(&gone, &here).expect("the folder is back");
    let begin = Instant::now();
    let file = here.join("hosting.json");
    while !std::fs::read_to_string(&file).is_ok_and(|kept| kept.contains(&room)) {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(100));
    }
}
