//! The room of a browser's worker, run on this machine: which messages it sends, in which order, and why requests end.

use kalahari_terms::{Clock, SystemClock};
use kalahari_wasm::{Heard, Outside, Room};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Records the messages that the room sends.
#[derive(Debug, Default)]
struct Listener {
    said: Mutex<Vec<Value>>,
}

impl Clock for Listener {
    fn now(&self) -> Duration {
        SystemClock.now()
    }
}

impl Outside for Listener {
    fn hear(&self, frame: &Heard) {
        let frame = serde_json::to_value(frame).expect("a frame");
        self.said.lock().expect("one thread").push(frame);
    }
}

struct Worker {
    room: Room,
    listener: Arc<Listener>,
}

impl Worker {
    fn new() -> Self {
        let listener = Arc::new(Listener::default());
        let mut worker = Worker {
            room: Room::new(listener.clone()),
            listener,
        };
        assert_eq!(
            worker.hand(&json!({"memory": {"mib": 1}})),
            [] as [Value; 0]
        );
        worker
    }

    fn hand(&mut self, request: &Value) -> Vec<Value> {
        self.room.hear(request.to_string().as_bytes());
        std::mem::take(&mut self.listener.said.lock().expect("one thread"))
    }

    fn ask(&mut self, name: &str, request: Value) -> Value {
        let said = self.hand(&json!({"question": {"name": name, "request": request}}));
        assert_eq!(said.len(), 1, "{name}");
        said[0].clone()
    }

    /// All messages about a request to think.
    fn think(&mut self, ask: Value) -> Vec<Value> {
        let mut said = self.hand(&json!({"think": ask}));
        while said
            .last()
            .is_some_and(|last| last["thinking"]["more"] == true)
        {
            said.extend(self.hand(&json!({"step": {}})));
        }
        said.into_iter()
            .filter_map(|frame| frame.get("say").cloned())
            .collect()
    }
}

fn types(frames: &[Value]) -> Vec<&str> {
    let types = frames.iter().filter_map(|frame| frame["type"].as_str());
    types.collect()
}

#[test]
fn questions_are_answered_in_the_shapes_of_the_server() {
    let mut worker = Worker::new();
    let meta = &worker.ask("meta", json!({}))["answer"];
    assert_eq!(
        (&meta["arena"], &meta["live"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(meta["games"][0]["kind"], "kalah");
    let line = worker.ask("line", json!({"game": "kalah:6x4", "moves": ["2", "5"]}));
    assert_eq!(line["answer"]["states"].as_array().map(Vec::len), Some(3));
    let bad = worker.ask("line", json!({"game": "kalah:6x4", "moves": ["9"]}));
    assert_eq!(bad["refused"]["code"], "bad_move");
    let list = worker.ask("puzzles", json!({}));
    let id = list["answer"]["puzzles"][0]["id"].clone();
    assert_eq!(worker.ask("puzzle", json!({"id": id}))["answer"]["id"], id);
    let tried = worker.ask(
        "tryPuzzle",
        json!({"id": id, "solution": true, "moves": []}),
    );
    assert_eq!(tried["answer"]["verdict"], "shown");
    for (name, code) in [("arena", "no_store"), ("live", "no_live")] {
        assert_eq!(worker.ask(name, json!({}))["refused"]["code"], code);
    }
    for nonsense in [
        json!(1),
        json!({"step": 3}),
        json!({"question": {"name": "no"}}),
    ] {
        assert_eq!(worker.hand(&nonsense)[0]["refused"]["code"], "bad_json");
    }
}

#[test]
fn a_finished_game_becomes_a_record_that_can_be_pasted() {
    let mut worker = Worker::new();
    let line = json!({"game": "kalah:1x1", "moves": ["0"]});
    let answer = worker.ask("line", line)["answer"].clone();
    let record = answer["record"].as_str().expect("it is over");
    let named = record.replace("First: First", "First: Ada");
    let read = worker.ask("line", json!({"text": named}))["answer"].clone();
    assert_eq!(read["players"], json!(["Ada", "Second"]));
    for field in ["game", "moves", "states"] {
        assert_eq!(read[field], answer[field], "{field}");
    }
    assert_eq!(read["record"], named);
    let bad = worker.ask("line", json!({"text": record.replace("\n0\n", "\n7\n")}));
    assert_eq!(bad["refused"]["code"], "bad_text");
    let open = worker.ask("line", json!({"game": "kalah:6x4", "moves": ["2"]}));
    assert_eq!(open["answer"]["record"], json!(null));
}

#[test]
fn every_kind_of_request_ends_as_on_a_server() {
    let mut worker = Worker::new();
    let line = json!({"game": "kalah:4x3", "moves": ["1", "0"]});
    let moved = worker.think(json!({"id": 1, "type": "move", "agent": "level:3", "line": line}));
    assert_eq!(types(&moved), ["move", "done"]);
    let hint = worker.think(json!({"id": 2, "type": "hint", "line": line}));
    assert_eq!(types(&hint), ["hint", "done"]);
    let limit = json!({"time_ms": 5});
    let review = json!({"id": 3, "type": "review", "line": line, "limit": limit});
    assert_eq!(
        types(&worker.think(review)),
        ["reviewed", "reviewed", "review", "done"]
    );
    // A small game is solved; a large one ends by its limit.
    let solved = worker.think(json!({"id": 4, "type": "analyze", "line": line}));
    let last = &solved[solved.len() - 2..];
    assert_eq!(
        (&last[0]["proven"], &last[1]["reason"]),
        (&json!(true), &json!("finished"))
    );
    for limit in [json!({"time_ms": 30}), json!({"depth": 4})] {
        let line = json!({"game": "kalah:6x6"});
        let frames =
            worker.think(json!({"id": 5, "type": "analyze", "line": line, "limit": limit}));
        assert_eq!(frames.last().expect("an end")["reason"], "limit", "{limit}");
    }
    let refused = worker.think(json!({"id": 6, "type": "move", "agent": "ugi:sh", "line": line}));
    assert_eq!(refused[0]["code"], "bad_agent");
    let refused =
        worker.think(json!({"id": 6, "type": "analyze", "line": line, "limit": {"depth": 0}}));
    assert_eq!(
        (&refused[0]["id"], &refused[0]["field"]),
        (&json!(6), &json!("limit.depth"))
    );
}

#[test]
fn running_requests_are_stopped_replaced_and_paused() {
    let mut worker = Worker::new();
    let line = json!({"game": "kalah:6x6"});
    let analyze = |id: u64| json!({"think": {"id": id, "type": "analyze", "line": line}});
    let more = json!({"thinking": {"more": true}});
    let rest = json!({"thinking": {"more": false}});
    assert_eq!(worker.hand(&analyze(1)), std::slice::from_ref(&more));
    assert!(worker.hand(&json!({"step": {}})).contains(&more));
    // While the room rests, it works only on moves.
    assert_eq!(
        worker.hand(&json!({"step": {"resting": true}})),
        std::slice::from_ref(&rest)
    );
    let line = json!({"game": "kalah:4x3"});
    worker.hand(&json!({"think": {"id": 2, "type": "move", "agent": "level:1", "line": line}}));
    let said = worker.hand(&json!({"step": {"resting": true}}));
    assert_eq!((&said[0]["say"]["id"], &said[2]), (&json!(2), &rest));
    let replaced = json!({"say": {"type": "done", "id": 1, "reason": "replaced"}});
    assert_eq!(worker.hand(&analyze(3)), [replaced, more]);
    let stop = |target: Value| json!({"think": {"id": 9, "type": "stop", "target": target}});
    assert_eq!(worker.hand(&stop(json!(1))).len(), 1, "it is over");
    let stopped = json!({"say": {"type": "done", "id": 3, "reason": "stopped"}});
    assert_eq!(worker.hand(&stop(json!(3))), [stopped, rest]);
}
