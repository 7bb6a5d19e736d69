//! Games in progress over HTTP.

use crate::common::Running;
use kalahari_agents::{Mind, Player, Question};
use kalahari_arena::Live;
use kalahari_games::{AnyGame, Game};
use kalahari_terms::{Limits, Stop};
use kalahari_web::ServeOptions;
use serde_json::json;

#[test]
fn games_are_seen_as_they_are_played() {
    let live = Live::default();
    let server = Running::with(ServeOptions {
        live: Some(live.clone()),
        ..ServeOptions::default()
    });
    assert_eq!(server.get("/api/v1/meta").ok()["live"], true);
    assert_eq!(server.get("/api/v1/live").ok(), json!({"games": []}));
    let game = AnyGame::new("kalah:6x4".parse().expect("a game"));
    let agents = ["level:1", "random"]
        .map(|agent| Player::new(&agent.parse().expect("an agent"), &game, 1).expect("built"));
    let ([mut first, _second], seated) = live.sit_down(game.spec(), agents, 0);
    let question = Question::best(game.start(), Limits::NONE);
    let answer = first.answer(&question, &Stop::new(), &mut |_| {});
    let mv = answer.expect("an answer").best.expect("a move");
    let seen = server.get("/api/v1/live").ok();
    let entry = &seen["games"][0];
    assert_eq!(
        (&entry["first"], &entry["second"]),
        (&json!("level:1"), &json!("random"))
    );
    assert_eq!(entry["line"]["moves"], json!([mv.to_string()]));
    assert_eq!(entry["result"], json!(null));
    assert_eq!(server.post("/api/v1/line", &entry["line"]).status, 200);
    drop(seated);
    assert_eq!(server.get("/api/v1/live").ok(), json!({"games": []}));
    let without = Running::usual();
    assert_eq!(without.get("/api/v1/meta").ok()["live"], false);
    assert_eq!(without.get("/api/v1/live").status, 404);
}
