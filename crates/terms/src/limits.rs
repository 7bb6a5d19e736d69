//! How long a player may think.

use crate::duration_text;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a player may spend on one move. Limits that are `None` do not bind; a search with none at all
/// continues until it is stopped or has solved the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The deepest search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The most nodes; for Monte Carlo tree search, playouts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The most time for this move.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "duration_text::option"
    )]
    pub time: Option<Duration>,
    /// A clock for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<GameClock>,
}

/// A game clock as the player to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameClock {
    /// The time left for the rest of the game.
    #[serde(with = "duration_text")]
    pub remaining: Duration,
    /// The time added after every move.
    #[serde(with = "duration_text")]
    pub increment: Duration,
}

impl Limits {
    /// Nothing is limited.
    pub const NONE: Limits = Limits {
        depth: None,
        nodes: None,
        time: None,
        clock: None,
    };

    /// Only the depth.
    pub const fn depth(depth: u32) -> Self {
        Limits {
            depth: Some(depth),
            ..Limits::NONE
        }
    }

    /// Only the nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Limits {
            nodes: Some(nodes),
            ..Limits::NONE
        }
    }

    /// Only the time for this move.
    pub const fn time(time: Duration) -> Self {
        Limits {
            time: Some(time),
            ..Limits::NONE
        }
    }

    /// What both allow: the tighter of each pair of limits.
    #[must_use]
    pub fn and(self, other: Limits) -> Limits {
        fn tighter<T>(a: Option<T>, b: Option<T>, less: impl Fn(&T, &T) -> bool) -> Option<T> {
            match (a, b) {
                (Some(a), Some(b)) => Some(if less(&b, &a) { b } else { a }),
                (a, b) => a.or(b),
            }
        }
        Limits {
            depth: tighter(self.depth, other.depth, |a, b| a < b),
            nodes: tighter(self.nodes, other.nodes, |a, b| a < b),
            time: tighter(self.time, other.time, |a, b| a < b),
            clock: tighter(self.clock, other.clock, |a, b| a.remaining < b.remaining),
        }
    }

    /// Whether nothing is limited.
    #[inline]
    pub const fn is_unlimited(&self) -> bool {
        let Limits {
            depth,
            nodes,
            time,
            clock,
        } = self;
        depth.is_none() && nodes.is_none() && time.is_none() && clock.is_none()
    }

    /// Whether a search of any game ends under these limits without being stopped: the time or the nodes are limited.
    pub fn is_bounded(&self) -> bool {
        self.nodes.is_some() || self.move_time().is_some()
    }

    /// The time for this move: the given one, or a share of the clock that leaves enough for the rest.
    pub fn move_time(&self) -> Option<Duration> {
        /// A game of Kalah or Isolation rarely has more moves than this left.
        const MOVES_TO_GO: u32 = 16;
        /// What starting and stopping may cost.
        const SAFETY: Duration = Duration::from_millis(5);
        let from_clock = self.clock.map(|clock| {
            // The clock's numbers may be arbitrarily large.
            let added = clock.increment.saturating_mul(3) / 4;
            let share = (clock.remaining / MOVES_TO_GO).saturating_add(added);
            share.min(clock.remaining.saturating_sub(SAFETY).saturating_mul(4) / 5)
        });
        match (self.time, from_clock) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share),
        }
    }

    /// The time after which a move comes too late: the given one, or what the clock has left.
    pub fn latest(&self) -> Option<Duration> {
        let left = self.clock.map(|clock| clock.remaining);
        [self.time, left].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_combine_by_intersection() {
        let clock = GameClock {
            remaining: Duration::from_secs(10),
            increment: Duration::ZERO,
        };
        let match_clock = Limits {
            clock: Some(clock),
            ..Limits::NONE
        };
        let both = Limits::depth(8).and(match_clock);
        assert_eq!((both.depth, both.clock), (Some(8), Some(clock)));
        assert_eq!(both.latest(), Some(Duration::from_secs(10)));
        assert_eq!(Limits::depth(8).and(Limits::depth(3)), Limits::depth(3));
        assert_eq!(Limits::NONE.and(Limits::nodes(5)), Limits::nodes(5));
        assert!(both.is_bounded() && !Limits::depth(8).is_bounded());
    }

    #[test]
    fn no_clock_is_too_large() {
        let clock = GameClock {
            remaining: Duration::MAX,
            increment: Duration::MAX,
        };
        let limits = Limits {
            clock: Some(clock),
            ..Limits::NONE
        };
        assert!(limits.move_time() > Some(Duration::from_secs(1_000_000)));
    }

    #[test]
    fn limits_are_read_and_written() {
        let limits = Limits {
            nodes: Some(1_000),
            time: Some(Duration::from_millis(100)),
            ..Limits::NONE
        };
        let text = serde_json::to_string(&limits).expect("written");
        assert_eq!(text, r#"{"nodes":1000,"time":"100ms"}"#);
        assert_eq!(serde_json::from_str::<Limits>(&text).expect("read"), limits);
        assert!(serde_json::from_str::<Limits>(r#"{"tme":"1s"}"#).is_err());
        assert!(serde_json::from_str::<Limits>(r#"{"time":"1"}"#).is_err());
    }
}
