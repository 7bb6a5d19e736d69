//! What a move or a position is worth, in words short enough for a pit.

use kalahari_search::eval::Evaluation;
use kalahari_search::{Searchable, Unit};
use kalahari_study::{Measure, Value};

/// A value for the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Worth {
    /// The proven final margin.
    Margin(i32),
    /// A proven win (above 0), draw (0) or loss.
    Result(i32),
    /// About this many points ahead in the end.
    Points(f64),
    /// A search saw a win (above 0) or a loss of this margin, but not every answer to it.
    Seen(i32),
    /// An estimate in units of its own.
    Guess(f64),
    /// A share of wins, 0 to 1.
    Share(f64),
}

impl Worth {
    /// The worth of an agent's value. Estimates are taken to be those of the game's best evaluation.
    pub(crate) fn of<G: Searchable>(value: f64, unit: Unit) -> Worth {
        let eval = G::Eval::of_choice();
        match unit {
            Unit::Margin => Worth::Margin(value as i32),
            Unit::Result => Worth::Result(value as i32),
            Unit::WinShare => Worth::Share(value),
            Unit::Eval if eval.point() > 0 => Worth::Points(value / f64::from(eval.point())),
            Unit::Eval => match eval.margin(value as i32) {
                0 => Worth::Guess(value),
                margin => Worth::Seen(margin),
            },
        }
    }

    /// The worth of what an analysis says.
    pub(crate) fn of_value(value: Value) -> Worth {
        let whole = value.amount as i32;
        match (value.measure, value.proven) {
            (Measure::Seeds | Measure::Cells, true) => Worth::Margin(whole),
            (Measure::Result, true) => Worth::Result(whole),
            (Measure::Seeds, false) => Worth::Points(value.amount),
            (Measure::Cells | Measure::Result, false) => Worth::Seen(whole),
            (Measure::Points, _) => Worth::Guess(value.amount),
        }
    }

    /// Whether it is the truth.
    pub(crate) fn is_proven(self) -> bool {
        matches!(self, Worth::Margin(_) | Worth::Result(_))
    }

    /// Where it stands among others of the same position, some of which may be proven.
    pub(crate) fn order(self) -> f64 {
        match self {
            Worth::Margin(value) | Worth::Result(value) | Worth::Seen(value) => f64::from(value),
            Worth::Points(value) | Worth::Share(value) => value,
            // Any win is above any guess, and any loss below.
            Worth::Guess(value) => value * 1e-9,
        }
    }

    /// In at most five characters: `+3`, `-1.5`, `win`, `55%`.
    pub(crate) fn short(self) -> String {
        match self {
            Worth::Margin(0) => "0".to_owned(),
            Worth::Margin(value) => format!("{value:+}"),
            Worth::Result(value) | Worth::Seen(value) => match value.signum() {
                1 => "win".to_owned(),
                0 => "draw".to_owned(),
                _ => "loss".to_owned(),
            },
            Worth::Points(value) | Worth::Guess(value) => match value {
                _ if value.abs() < 0.05 => "0".to_owned(),
                _ if value.abs() < 9.95 && value.fract() != 0.0 => format!("{value:+.1}"),
                _ => format!("{value:+.0}"),
            },
            Worth::Share(share) => format!("{:.0}%", 100.0 * share),
        }
    }

    /// In as few characters as `room` if that is possible without lying.
    pub(crate) fn within(self, room: u16) -> String {
        let text = self.short();
        match self {
            Worth::Points(value) | Worth::Guess(value) if text.len() > usize::from(room) => {
                format!("{value:+.0}")
            }
            _ => text,
        }
    }

    /// In words, for the player to move.
    pub(crate) fn words(self) -> String {
        match self {
            Worth::Margin(0) | Worth::Result(0) => "a proven draw".to_owned(),
            Worth::Margin(value) if value > 0 => format!("proven to win by {value}"),
            Worth::Margin(value) => format!("proven to lose by {}", -value),
            Worth::Result(value) if value > 0 => "proven to win".to_owned(),
            Worth::Result(_) => "proven to lose".to_owned(),
            Worth::Points(value) if value.abs() < 0.5 => "about even in the end".to_owned(),
            Worth::Points(value) => {
                let side = if value > 0.0 { "ahead" } else { "behind" };
                format!("about {:.0} {side} in the end", value.abs())
            }
            Worth::Seen(value) if value > 0 => "looks won".to_owned(),
            Worth::Seen(_) => "looks lost".to_owned(),
            Worth::Guess(value) => format!("estimate {}", Worth::Guess(value).short()),
            Worth::Share(_) => format!("wins {} of the time", self.short()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_games::isolation::Isolation;
    use kalahari_games::kalah::{Kalah, Packed};

    /// What a finished game of this margin is worth to an evaluation.
    fn finished<G: Searchable>(margin: i32) -> f64 {
        f64::from(G::Eval::of_choice().finished(margin))
    }

    #[test]
    fn values_are_short() {
        let kalah = |value, unit| Worth::of::<Kalah<Packed>>(value, unit).short();
        let seed = finished::<Kalah<Packed>>(1);
        assert_eq!(kalah(12.0, Unit::Margin), "+12");
        assert_eq!(kalah(-2.5 * seed, Unit::Eval), "-2.5");
        assert_eq!(kalah(30.0 * seed, Unit::Eval), "+30");
        assert_eq!(kalah(0.551, Unit::WinShare), "55%");
        let isolation = |value, unit| Worth::of::<Isolation<u64>>(value, unit).short();
        assert_eq!(isolation(finished::<Isolation<u64>>(4), Unit::Eval), "win");
        assert_eq!(isolation(-1.0, Unit::Result), "loss");
        assert_eq!(isolation(7.0, Unit::Eval), "+7");
    }

    #[test]
    fn proofs_and_estimates_have_one_order() {
        let value = |amount, measure, proven| {
            Worth::of_value(Value {
                amount,
                measure,
                proven,
            })
        };
        let rising = [
            value(-1.0, Measure::Result, true),
            value(-300.0, Measure::Points, false),
            value(12.0, Measure::Points, false),
            value(1.0, Measure::Result, true),
        ];
        assert!(rising.is_sorted_by(|a, b| a.order() < b.order()));
        assert_eq!(rising.map(Worth::is_proven), [true, false, false, true]);
        let rising = [
            value(-2.5, Measure::Seeds, false),
            value(-2.0, Measure::Seeds, true),
            value(3.5, Measure::Seeds, false),
            value(4.0, Measure::Seeds, true),
        ];
        assert!(rising.is_sorted_by(|a, b| a.order() < b.order()));
    }
}
