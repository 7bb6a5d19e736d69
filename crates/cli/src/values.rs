//! Values and moves as JSON: numbers for pits, text for cells, and an entry for every pit or move.

use kalahari_games::{AnyMove, GameSpec};
use kalahari_terms::{Bounds, Score};
use serde_json::{Map, Value, json};

/// A value without a needless fraction.
pub(crate) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        json!(value as i64)
    } else {
        json!((value * 1e6).round() / 1e6)
    }
}

/// How much a score is, in its unit.
pub(crate) fn amount(score: Score) -> Value {
    number(score.amount())
}

/// A score with its unit and whether it is proven.
pub(crate) fn score(score: Score) -> Value {
    json!({
        "value": amount(score),
        "unit": score.worth().unit().name(),
        "proven": score.is_proven(),
    })
}

/// What is proven of a value: the least and the most that it can be.
pub(crate) fn bounds(bounds: Bounds) -> Value {
    json!([bounds.lower, bounds.upper])
}

/// A move: a pit's number, or the text of an Isolation move.
pub(crate) fn mv(mv: AnyMove) -> Value {
    match mv {
        AnyMove::Kalah(pit) => json!(pit.index()),
        AnyMove::Isolation(mv) => json!(mv.to_string()),
    }
}

/// Something about every move: for Kalah a list with an entry for every pit, null where it may not be played; for
/// Isolation an object from move to entry.
pub(crate) fn moves<T: Copy>(
    game: GameSpec,
    moves: &[(AnyMove, T)],
    entry: impl Fn(T) -> Value,
) -> Value {
    match game {
        GameSpec::Kalah(spec) => {
            let mut pits = vec![Value::Null; spec.pits()];
            for (mv, about) in moves {
                if let AnyMove::Kalah(pit) = mv
                    && let Some(slot) = pits.get_mut(pit.index())
                {
                    *slot = entry(*about);
                }
            }
            Value::Array(pits)
        }
        GameSpec::Isolation(_) => {
            let entries = moves
                .iter()
                .map(|(mv, about)| (mv.to_string(), entry(*about)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}
