//! Every number of a player that may be tuned: its name, what it is, its range and its default.
//!
//! This is the one place where they are declared. Players take their defaults from here, specs such as
//! `mcts:alpha=0.9` are checked against the ranges, and the tuner searches them. `docs/tuning.md` tells how the defaults
//! were found.

use kalahari_games::GameKind;
use kalahari_games::isolation::IsolationRule;
use thiserror::Error;

/// A number that may be changed and tuned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in an agent's spec.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its value: the default, or one that was set.
    pub value: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// Whether only whole numbers make sense.
    pub integer: bool,
}

impl Parameter {
    /// The same parameter with another value.
    pub const fn with_value(self, value: f64) -> Self {
        Parameter { value, ..self }
    }

    /// Checks a value and says what is wrong with it.
    pub fn check(&self, value: f64) -> Result<(), ParameterError> {
        let &Parameter { name, min, max, .. } = self;
        if !(value >= min && value <= max) {
            return Err(ParameterError::OutOfRange {
                name,
                min,
                max,
                value,
            });
        }
        if self.integer && value.fract() != 0.0 {
            return Err(ParameterError::NotWhole { name, value });
        }
        Ok(())
    }

    /// Reads a value and checks it.
    pub fn read(&self, text: &str) -> Result<f64, ParameterError> {
        let value = text.parse().map_err(|_| ParameterError::NoNumber {
            name: self.name,
            text: text.to_owned(),
        })?;
        self.check(value).map(|()| value)
    }
}

/// What is wrong with a parameter.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParameterError {
    /// The value is too small, too large or not a number.
    #[error("{name} must be from {min} to {max}, not {value}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
        /// The value.
        value: f64,
    },
    /// Only whole numbers make sense.
    #[error("{name} must be a whole number, not {value}")]
    NotWhole {
        /// The parameter.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// The text is not a number.
    #[error("{name} must be a number, not '{text}'")]
    NoNumber {
        /// The parameter.
        name: &'static str,
        /// The text.
        text: String,
    },
    /// There is no such parameter.
    #[error("no parameter '{name}'; there are: {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    Unknown {
        /// The name.
        name: String,
        /// All names there are.
        known: Vec<&'static str>,
    },
}

const fn real(
    name: &'static str,
    value: f64,
    min: f64,
    max: f64,
    about: &'static str,
) -> Parameter {
    Parameter {
        name,
        about,
        value,
        min,
        max,
        integer: false,
    }
}

const fn whole(
    name: &'static str,
    value: i32,
    min: i32,
    max: i32,
    about: &'static str,
) -> Parameter {
    Parameter {
        name,
        about,
        value: value as f64,
        min: min as f64,
        max: max as f64,
        integer: true,
    }
}

/// `mcts`: the share of the heuristic value.
pub fn alpha(game: GameKind) -> Parameter {
    let value = match game {
        GameKind::Kalah => 0.86,
        GameKind::Isolation => 0.5,
    };
    let about = "weight of the heuristic value against the playouts";
    real("alpha", value, 0.0, 1.0, about)
}

/// `mcts`: exploration.
pub fn exploration(game: GameKind) -> Parameter {
    let value = match game {
        GameKind::Kalah => 0.1,
        GameKind::Isolation => 0.2,
    };
    real("c", value, 0.0, 100.0, "how much is explored")
}

/// `engine`: the first window.
pub const WINDOW: Parameter = real(
    "window",
    2.0,
    0.0,
    50.0,
    "half the width of the first window around the last depth's value, in seeds or half cells",
);

/// `engine`: where all children are looked up before any is searched.
pub const ETC_DEPTH: Parameter = whole(
    "etc-depth",
    8,
    2,
    40,
    "with at least this many plies to go, all children are looked up in the table first",
);

/// `eval=weighted`: the stores against the rows.
pub const WEIGHT: Parameter = whole(
    "weight",
    18,
    1,
    100,
    "what a seed in store is worth compared with one in the row",
);

/// `eval=again`: an extra turn.
pub const BONUS: Parameter = whole(
    "bonus",
    6,
    -100,
    100,
    "what an extra turn is worth, in seeds",
);

/// `eval=reach`: cells that both could get to.
pub fn tie(rule: IsolationRule) -> Parameter {
    let value = match rule {
        IsolationRule::Trail | IsolationRule::Knight => 0,
        IsolationRule::Queen | IsolationRule::Classic => 1,
    };
    let about = "how much less a cell counts that both reach in the same number of moves, in cells (not in trail)";
    whole("tie", value, 0, 2, about)
}

/// `eval=reach`: moves to choose from.
pub fn steps(rule: IsolationRule) -> Parameter {
    let value = match rule {
        IsolationRule::Trail | IsolationRule::Knight | IsolationRule::Queen => 0,
        IsolationRule::Classic => 2,
    };
    let about = "what a move that a piece could make is worth, in cells";
    whole("steps", value, -10, 10, about)
}

/// `eval=kalahari`: the weight of a feature at one end of the game. There is one for each name in
/// [`FEATURES`](crate::eval::FEATURES), followed by `.few` (no seeds in play) or `.many` (72); the defaults
/// are in `params/kalahari.txt`.
pub const FEATURE: Parameter = real(
    "",
    0.0,
    -1_000.0,
    1_000.0,
    "weight of a feature in hundredths of a seed, with no (few) or 72 (many) seeds in play",
);
