//! All readers of the wire, one after the other, for tests with arbitrary input.

use crate::rooms::read_kept;
use crate::wire::rooms::{NewRoom, RoomDeed, RoomMove};
use kalahari_wire::frames::Ask;
use kalahari_wire::{line, opponents, puzzle, setup};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads bytes as every kind of request and frame, and answers those that need no search. Every answer can be
/// written.
pub fn read_anything(bytes: &[u8]) {
    if let Some(Ok(answer)) = read(bytes).map(line::read) {
        written(&answer);
    }
    if let Some(Ok(answer)) = read(bytes).map(|request| setup::read(&request)) {
        written(&answer);
    }
    if let (Some(request), Some(first)) = (read(bytes), puzzle::list().puzzles.first())
        && let Ok(answer) = puzzle::attempt(first.id, Default::default(), request)
    {
        written(&answer);
    }
    let _ = (
        read::<NewRoom>(bytes),
        read::<RoomMove>(bytes),
        read::<RoomDeed>(bytes),
    );
    let _ = read_kept(bytes, std::time::Duration::ZERO);
    if let Some(ask) = read::<Ask>(bytes) {
        let _ = ask.agent.as_deref().map(opponents::agent);
        let _ = ask.line.map(|line| line.checked().map(|line| line.play()));
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

fn written(answer: &impl Serialize) {
    assert!(serde_json::to_vec(answer).is_ok());
}
