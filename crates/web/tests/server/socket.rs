//! The socket: analysis, moves, hints, reviews.

use crate::common::{Client, Running, block_on};
use kalahari_agents::{LEVELS, Player};
use kalahari_exact::prover::{TablePolicy, set_table_policy};
use kalahari_games::kalah::{KalahSetup, KalahSpec};
use kalahari_games::{AnyGame, Game};
use kalahari_oracle::{ArrayKalah, KalahNegamax};
use kalahari_terms::{Limits, Stop};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn kinds(frames: &[Value]) -> Vec<&str> {
    let kinds = frames.iter().map(|frame| frame["type"].as_str());
    kinds.map(Option::unwrap_or_default).collect()
}

fn line(game: &str, moves: &[&str]) -> Value {
    json!({"game": game, "moves": moves})
}

#[test]
fn small_games_are_analysed_to_the_end_and_the_values_are_true() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        for (id, text) in (1..).zip([
            "2 2 2 0 2 2 2 0 0",
            "1 0 3 2 0 2 2 2 1",
            "0 4 1 1 3 0 1 2 0",
            "2 0 1 0 1 1 4 3 1",
        ]) {
            let ask = json!({"id": id, "type": "analyze",
                "line": {"game": "kalah:3x2", "start": text, "moves": []}});
            client.send(&ask).await;
            let frames = client.until_done(id).await;
            assert_eq!(frames[frames.len() - 1]["reason"], "finished");
            let info = &frames[frames.len() - 2];
            assert_eq!(
                (&info["type"], &info["proven"]),
                (&json!("info"), &json!(true))
            );
            assert_eq!(info["unit"], "seeds");
            let spec: KalahSpec = "kalah:3x2".parse().expect("a game");
            let setup: KalahSetup = text.parse().expect("a position");
            let array = ArrayKalah::from_setup(spec, &setup);
            let mut oracle = KalahNegamax::default();
            assert_eq!(info["value"], json!(f64::from(oracle.final_margin(&array))));
            for mv in info["moves"].as_array().expect("moves") {
                let pit = mv["move"].as_str().and_then(|pit| pit.parse().ok());
                let truth = oracle.margin_of_move(&array, pit.expect("a pit"));
                assert_eq!(mv["value"], json!(f64::from(truth)), "{text} {mv}");
                assert_eq!(mv["proven"], true);
            }
        }
    });
}

#[test]
fn large_games_are_analysed_deeper_and_deeper() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        for (id, game) in (1..).zip([
            "kalah:6x6",
            "isolation:7x7:classic",
            "isolation:9x11:knight",
        ]) {
            let ask = json!({"id": id, "type": "analyze", "line": line(game, &[]),
                "limit": {"time_ms": 800}});
            client.send(&ask).await;
            let frames = client.until_done(id).await;
            assert_eq!(frames[frames.len() - 1]["reason"], "limit", "{game}");
            let depths: Vec<u64> = frames
                .iter()
                .filter_map(|frame| frame["depth"].as_u64())
                .collect();
            assert!(depths.is_sorted() && depths.len() > 1, "{game} {depths:?}");
            let info = &frames[frames.len() - 2];
            let best = info["best"].as_str().expect("a best move");
            assert_eq!(info["pv"][0], best);
            let bar = info["bar"].as_f64().expect("a bar");
            assert!((-1.0..=1.0).contains(&bar));
        }
    });
}

#[test]
fn a_finished_game_needs_no_analysis() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        let over = line("kalah:1x1", &["0"]);
        client
            .send(&json!({"id": 1, "type": "analyze", "line": over}))
            .await;
        let frames = client.until_done(1).await;
        assert_eq!(kinds(&frames), ["info", "done"]);
        assert_eq!(frames[0]["proven"], true);
        for (id, kind) in [(2, "move"), (3, "hint")] {
            let ask = json!({"id": id, "type": kind, "line": over, "agent": "level:1"});
            client.send(&ask).await;
            let frames = client.until_done(id).await;
            assert_eq!(frames[0]["code"], "game_over");
        }
    });
}

#[test]
fn every_opponent_answers_with_a_legal_move() {
    let server = Running::usual();
    let meta = server.get("/api/v1/meta").ok();
    let opponents = meta["opponents"].as_array().expect("opponents").clone();
    block_on(async {
        let mut client = server.socket().await;
        let games = ["kalah:4x3", "isolation:4x4:queen"];
        let asks = opponents.iter().flat_map(|o| games.map(|game| (o, game)));
        for (id, (opponent, game)) in (0..).zip(asks) {
            let ask = json!({"id": id, "type": "move", "agent": opponent["agent"], "line": line(game, &[])});
            client.send(&ask).await;
            let frames = client.until_done(id).await;
            assert_eq!(kinds(&frames), ["move", "done"], "{opponent} {frames:?}");
            assert_eq!(frames[0]["state"]["ply"], 1);
            assert_eq!(frames[0]["state"]["last"]["move"], frames[0]["move"]);
        }
    });
}

/// A level of the page is the agent that every command knows by that name.
#[test]
fn levels_are_the_agents_of_that_name() {
    let server = Running::usual();
    let meta = server.get("/api/v1/meta").ok();
    let opponents = meta["opponents"].as_array().expect("opponents").clone();
    let named = |level: u32| format!("level:{level}");
    let listed = opponents.iter().filter_map(|one| one["agent"].as_str());
    let levels: Vec<&str> = listed.filter(|one| one.starts_with("level")).collect();
    let all: Vec<String> = (0..=LEVELS).map(named).collect();
    assert_eq!(levels, all);
    block_on(async {
        let mut client = server.socket().await;
        let games = [
            "kalah:4x3",
            "kalah:6x4:empty-capture",
            "isolation:4x4:queen",
        ];
        // Level 0 is random; the highest levels take long on a busy machine.
        let asks = (1..8).flat_map(|level| games.map(|game| (named(level), game)));
        for (id, (level, game)) in (0..).zip(asks) {
            let ask = json!({"id": id, "type": "move", "agent": level, "line": line(game, &[])});
            client.send(&ask).await;
            let frames = client.until_done(id).await;
            let rules = AnyGame::new(game.parse().expect("a game"));
            let agent = level.parse().expect("an agent");
            let mut player = Player::new(&agent, &rules, 1).expect("a player");
            let own = player.choose(&rules.start(), Limits::NONE, &Stop::new());
            let expected = own.expect("a report").best.map(|mv| mv.to_string());
            assert_eq!(
                frames[0]["move"].as_str(),
                expected.as_deref(),
                "{level} {game}"
            );
        }
    });
}

#[test]
fn a_proof_of_a_result_gives_no_margin() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        // Pit 0 captures five seeds and wins.
        let line = json!({"game": "kalah:3x2", "start": "1 0 1 0 1 5 0 4 0", "moves": []});
        for (id, agent, unit) in [(1, "mcts", "result"), (2, "perfect", "seeds")] {
            let ask = json!({"id": id, "type": "move", "agent": agent, "line": line});
            client.send(&ask).await;
            let reply = &client.until_done(id).await[0];
            assert_eq!(
                (&reply["proven"], &reply["unit"]),
                (&json!(true), &json!(unit))
            );
            if agent == "mcts" {
                assert!(
                    [-1.0, 0.0, 1.0]
                        .map(|value| json!(value))
                        .contains(&reply["value"])
                );
            }
        }
    });
}

#[test]
fn clients_cannot_choose_other_agents() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        let names = [
            "ugi:sh -c true",
            "engine:threads=64",
            "level:13",
            "level:01",
            "random",
            "",
        ];
        for (id, agent) in (0..).zip(names) {
            let ask =
                json!({"id": id, "type": "move", "agent": agent, "line": line("kalah:6x4", &[])});
            client.send(&ask).await;
            assert_eq!(
                client.until_done(id).await[0]["code"],
                "bad_agent",
                "{agent}"
            );
        }
    });
}

/// Plays a game of an opponent against itself.
async fn play(client: &mut Client, game: &str, agent: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for id in 100.. {
        let ask = json!({"id": id, "type": "move", "agent": agent, "line": {"game": game, "moves": moves}});
        client.send(&ask).await;
        let frames = client.until_done(id).await;
        moves.push(frames[0]["move"].as_str().expect("a move").to_owned());
        if frames[0]["state"]["over"] == true {
            break;
        }
    }
    moves
}

#[test]
fn a_whole_game_is_played_and_reviewed() {
    let server = Running::start(None, |limits| limits.frames_per_second = 1_000);
    block_on(async {
        let mut client = server.socket().await;
        for (id, game) in (1..).zip(["kalah:4x3", "isolation:4x4:trail", "isolation:4x4:queen"]) {
            let moves = play(&mut client, game, "level:0").await;
            let ask = json!({"id": id, "type": "review", "limit": {"time_ms": 60},
                "line": {"game": game, "moves": moves}});
            client.send(&ask).await;
            let frames = client.until_done(id).await;
            let mut plies: Vec<u64> = frames
                .iter()
                .filter(|frame| frame["type"] == "reviewed")
                .filter_map(|frame| frame["ply"].as_u64())
                .collect();
            plies.sort_unstable();
            assert!(plies.iter().copied().eq(0..moves.len() as u64), "{game}");
            for frame in frames.iter().filter(|frame| frame["type"] == "reviewed") {
                let loss = frame["loss"]["value"].as_f64().expect("a loss");
                assert!(loss >= 0.0);
                assert_eq!(
                    frame["judgement"] == "best",
                    loss < 0.5 || frame["unit"] == "result" && loss < 0.1,
                    "{frame}"
                );
            }
            let summary = &frames[frames.len() - 2];
            assert_eq!(summary["type"], "review");
            assert_eq!(summary["plies"], moves.len());
            assert_eq!(
                summary["bars"].as_array().map(Vec::len),
                Some(moves.len() + 1)
            );
            assert_eq!(frames[frames.len() - 1]["reason"], "finished");
        }
    });
}

#[test]
fn moves_of_an_opening_are_not_judged() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        let line = json!({"game": "kalah:4x3", "moves": ["0", "1", "2", "0", "0"]});
        let ask = json!({"id": 1, "type": "review", "limit": {"time_ms": 20}, "opening": 3, "line": line});
        client.send(&ask).await;
        let frames = client.until_done(1).await;
        let judged = frames.iter().filter(|frame| frame["type"] == "reviewed");
        let plies: Vec<u64> = judged.filter_map(|frame| frame["ply"].as_u64()).collect();
        assert_eq!(plies, [4, 3]);
        let summary = &frames[frames.len() - 2];
        assert_eq!(
            (&summary["plies"], &summary["type"]),
            (&json!(5), &json!("review"))
        );
        let bars = summary["bars"].as_array().expect("bars");
        assert_eq!(bars.len(), 6);
        assert!(bars[..4].iter().all(|bar| *bar == bars[3]));
        for player in summary["players"].as_array().expect("players") {
            let accuracy = player["accuracy"].as_f64().expect("a number");
            assert!((0.0..=1.0).contains(&accuracy));
        }
        // An opening longer than the game leaves nothing to judge.
        let ask = json!({"id": 2, "type": "review", "opening": 99, "line": line});
        client.send(&ask).await;
        let frames = client.until_done(2).await;
        assert!(frames.iter().all(|frame| frame["type"] != "reviewed"));
    });
}

#[test]
fn a_blunder_is_called_a_blunder() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        // Pit 0 captures five seeds and wins; pit 2 gives them away.
        let ask = json!({"id": 1, "type": "review", "limit": {"time_ms": 2000}, "line":
            {"game": "kalah:3x2", "start": "1 0 1 0 1 5 0 4 0", "moves": ["2"]}});
        client.send(&ask).await;
        let frames = client.until_done(1).await;
        let spec: KalahSpec = "kalah:3x2".parse().expect("a game");
        let setup: KalahSetup = "1 0 1 0 1 5 0 4 0".parse().expect("a position");
        let array = ArrayKalah::from_setup(spec, &setup);
        let mut oracle = KalahNegamax::default();
        let lost = oracle.final_margin(&array) - oracle.margin_of_move(&array, 2);
        let judged = &frames[0];
        assert_eq!(
            judged["loss"],
            json!({"value": f64::from(lost), "unit": "seeds", "proven": true}),
            "{judged}"
        );
        let expected = if lost >= 6 {
            "blunder"
        } else if lost >= 2 {
            "mistake"
        } else {
            "best"
        };
        assert!(
            judged["judgement"] == expected || judged["judgement"] == "blunder",
            "{judged}"
        );
    });
}

#[test]
fn a_hint_is_a_good_move() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        let ask = json!({"id": 1, "type": "hint", "line":
            {"game": "kalah:3x2", "start": "1 0 1 0 1 5 0 4 0", "moves": []}});
        client.send(&ask).await;
        let frames = client.until_done(1).await;
        assert_eq!(kinds(&frames), ["hint", "done"]);
        assert_eq!(frames[0]["proven"], true);
        assert_eq!(frames[0]["steps"][0]["t"], "lift");
        assert_eq!(
            frames[0]["steps"][0]["pit"].to_string(),
            frames[0]["move"].as_str().unwrap_or_default()
        );
    });
}

#[test]
fn a_new_request_replaces_the_old_one() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        let ask = |id: u64| json!({"id": id, "type": "analyze", "line": line("kalah:6x6", &[])});
        client.send(&ask(1)).await;
        client.send(&ask(2)).await;
        let frames = client.until_done(1).await;
        assert_eq!(frames[frames.len() - 1]["reason"], "replaced");
        client
            .send(&json!({"id": 3, "type": "stop", "target": 2}))
            .await;
        let begin = Instant::now();
        let frames = client.until_done(2).await;
        assert_eq!(frames[frames.len() - 1]["reason"], "stopped");
        assert!(begin.elapsed() < Duration::from_secs(2));
    });
}

#[test]
fn a_bad_frame_does_no_harm() {
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        client.send_text("hello").await;
        let frame = client.next().await.expect("an answer");
        assert_eq!(
            (&frame["type"], &frame["id"]),
            (&json!("error"), &Value::Null)
        );
        for (id, ask, code, field) in [
            (
                1,
                json!({"id": 1, "type": "dance"}),
                "bad_json",
                Value::Null,
            ),
            (
                2,
                json!({"id": 2, "type": "analyze"}),
                "bad_request",
                json!("line"),
            ),
            (
                3,
                json!({"id": 3, "type": "analyze", "line": line("chess", &[])}),
                "bad_game",
                json!("line.game"),
            ),
            (
                4,
                json!({"id": 4, "type": "analyze", "line": line("kalah", &["9"])}),
                "bad_move",
                json!("line.moves[0]"),
            ),
            (
                5,
                json!({"id": 5, "type": "analyze", "line": line("kalah", &[]), "limit": {"depth": 0}}),
                "bad_limit",
                json!("limit.depth"),
            ),
            (
                6,
                json!({"id": 6, "type": "review", "line": line("kalah", &[])}),
                "bad_request",
                json!("line.moves"),
            ),
        ] {
            client.send(&ask).await;
            let frames = client.until_done(id).await;
            assert_eq!(
                (&frames[0]["code"], &frames[0]["field"]),
                (&json!(code), &field)
            );
        }
        client
            .send(&json!({"id": 9, "type": "hint", "line": line("kalah:3x2", &[])}))
            .await;
        assert_eq!(kinds(&client.until_done(9).await), ["hint", "done"]);
    });
}

#[test]
fn the_server_ends_while_searches_are_running() {
    let mut server = Running::usual();
    let mut client = block_on(async {
        let mut client = server.socket().await;
        client
            .send(&json!({"id": 1, "type": "analyze", "line": line("kalah:6x6", &[])}))
            .await;
        client.next().await.expect("news");
        client
    });
    let begin = Instant::now();
    server.end();
    assert!(begin.elapsed() < Duration::from_secs(4));
    block_on(async { while client.next().await.is_some() {} });
}

#[test]
fn answers_contain_no_sentences() {
    let server = Running::usual();
    let meta = server.get("/api/v1/meta").ok();
    assert!(meta["opponents"][0].get("about").is_none());
    let line = server
        .post(
            "/api/v1/line",
            &json!({"game": "kalah:6x4", "moves": ["2"]}),
        )
        .ok();
    let mut said = vec![meta, line];
    block_on(async {
        let mut client = server.socket().await;
        let moves = json!({"game": "kalah:4x3", "moves": ["1", "0"]});
        for (id, kind) in [(1, "hint"), (2, "review"), (3, "analyze")] {
            let ask = json!({"id": id, "type": kind, "line": moves, "limit": {"time_ms": 50}});
            client.send(&ask).await;
            said.extend(client.until_done(id).await);
        }
    });
    // A text with four words in a row is a sentence; positions are numbers, commands have colons and slashes.
    fn texts(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(all) => all.iter().for_each(|one| texts(one, found)),
            Value::Object(all) => all.values().for_each(|one| texts(one, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    said.iter().for_each(|value| texts(value, &mut found));
    assert!(found.len() > 50);
    for text in found {
        let words = text
            .split(' ')
            .filter(|word| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic()));
        assert!(words.count() < 4, "{text}");
    }
}

#[test]
fn the_table_is_kept_from_move_to_move() {
    // With an endgame table of this machine there would be nothing to search.
    set_table_policy(TablePolicy::Never);
    let server = Running::usual();
    block_on(async {
        let mut client = server.socket().await;
        // A position that is not solved at once; the second proof is quicker, because everything is in the table.
        let start = "0 4 1 3 2 0 9 1 0 2 3 1 2 8 0";
        let ask = |id: u64| {
            json!({"id": id, "type": "move", "agent": "engine",
            "line": {"game": "kalah:6x3", "start": start, "moves": []}})
        };
        let mut nodes = Vec::new();
        for id in [1, 2] {
            client.send(&ask(id)).await;
            let frames = client.until_done(id).await;
            assert_eq!(frames[0]["proven"], true, "{}", frames[0]);
            nodes.push(frames[0]["nodes"].as_u64().expect("nodes"));
        }
        assert!(nodes[1] * 2 < nodes[0], "{nodes:?}");
        // Another client starts with an empty table.
        let mut other = server.socket().await;
        other.send(&ask(1)).await;
        let fresh = other.until_done(1).await[0]["nodes"].as_u64();
        assert!(
            fresh.is_some_and(|fresh| nodes[1] * 2 < fresh),
            "{fresh:?} {nodes:?}"
        );
    });
}
