//! Values and moves as JSON: numbers for pits, text for cells, and an entry for every pit or move.

use kalahari_games::GameSpec;
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// A value without a needless fraction.
pub(crate) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        json!(value as i64)
    } else {
        json!((value * 1e6).round() / 1e6)
    }
}

/// A move: a pit's number, or the text of an Isolation move.
pub(crate) fn mv(game: GameSpec, mv: impl Display) -> Value {
    let text = mv.to_string();
    match game {
        GameSpec::Kalah(_) => text.parse::<u64>().map_or(Value::Null, Value::from),
        GameSpec::Isolation(_) => Value::from(text),
    }
}

/// The values of moves: for Kalah a list with an entry for every pit, null where it may not be sown; for
/// Isolation an object from move to value.
pub(crate) fn moves<M: Display>(game: GameSpec, values: &[(M, f64)]) -> Value {
    match game {
        GameSpec::Kalah(spec) => {
            let mut pits = vec![Value::Null; spec.pits()];
            for (mv, value) in values {
                if let Some(slot) = mv
                    .to_string()
                    .parse()
                    .ok()
                    .and_then(|pit: usize| pits.get_mut(pit))
                {
                    *slot = number(*value);
                }
            }
            Value::Array(pits)
        }
        GameSpec::Isolation(_) => {
            let entries = values
                .iter()
                .map(|(mv, value)| (mv.to_string(), number(*value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}
