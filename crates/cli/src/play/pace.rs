//! How fast moves are shown.

use clap::ValueEnum;
use std::time::Duration;

/// A speed people can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Speed {
    Slow,
    Normal,
    Fast,
}

impl Speed {
    const ALL: [Speed; 3] = [Speed::Slow, Speed::Normal, Speed::Fast];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Speed::Slow => "slow",
            Speed::Normal => "normal",
            Speed::Fast => "fast",
        }
    }

    /// The next faster (+1) or slower (-1) speed; the same one if there is none.
    pub(crate) fn beside(self, by: isize) -> Speed {
        let place = Speed::ALL.iter().position(|&speed| speed == self);
        let place = place.unwrap_or(0).saturating_add_signed(by);
        Speed::ALL[place.min(Speed::ALL.len() - 1)]
    }
}

/// How moves are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    pub(crate) speed: Speed,
    /// Whether moves are shown step by step.
    pub(crate) animate: bool,
}

impl Pace {
    /// How long one step, such as the fall of a seed, is shown.
    pub(crate) fn step(self) -> Duration {
        Duration::from_millis(match self.speed {
            Speed::Slow => 320,
            Speed::Normal => 130,
            Speed::Fast => 45,
        })
    }

    /// How long a board stays before an agent's move. Without animation there is no pause either,
    /// unless people only watch.
    pub(crate) fn pause(self, looking_on: bool) -> Duration {
        if !self.animate && !looking_on {
            return Duration::ZERO;
        }
        let still = if self.animate { 1 } else { 2 };
        still
            * Duration::from_millis(match self.speed {
                Speed::Slow => 1_000,
                Speed::Normal => 500,
                Speed::Fast => 150,
            })
    }
}
