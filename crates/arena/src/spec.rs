//! The definition of a match: agents, game, openings and limits.

use crate::error::MatchProblem;
use crate::identity::Identity;
use crate::openings::Openings;
use crate::{ArenaError, named, rng_seeds, text_in_json};
use kalahari_agents::{AgentSpec, NamedAgent, Player};
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_terms::{
    DurationError, GameClock, Limits, duration_text, format_duration, parse_duration,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// Everything that decides how the games of a match go, except how many are played.
///
/// Two matches with equal specs and equal [identities](Identity) are the same match: the store resumes one with the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSpec {
    /// The agents. Results are from the first one's point of view.
    pub agents: [NamedAgent; 2],
    /// The game.
    pub game: GameSpec,
    /// Where games begin.
    pub openings: Openings,
    /// The seed of all random choices.
    #[serde(rename = "seed")]
    pub rng_seed: u64,
    /// When and how games end.
    pub rules: Rules,
}

/// When and how games end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The limits of an agent per move, unless its own spec sets limits.
    #[serde(default)]
    pub limits: Limits,
    /// A clock for the whole game, which applies to both agents; `limits.clock` is made from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// How late a move may come before it loses the game.
    #[serde(with = "duration_text")]
    pub grace: Duration,
    /// Whether games are ended early.
    pub adjudicate: Adjudicate,
}

impl Rules {
    /// The default for how late a move may come.
    pub const GRACE: Duration = Duration::from_millis(200);

    /// Checks that games can end this way.
    pub(crate) fn check(&self, game: &AnyGame) -> Result<(), MatchProblem> {
        match self.adjudicate == Adjudicate::Majority && !game.has_margins() {
            true => Err(MatchProblem::NoMajority(game.spec())),
            false => Ok(()),
        }
    }

    /// The limits for an agent whose clock shows `remaining`: its own combined with these, or the defaults of its kind if there
    /// are none.
    pub(crate) fn asked_of(&self, agent: &Player, remaining: Option<Duration>) -> Limits {
        let limits = agent.limits(self.asked(remaining));
        match limits.is_unlimited() {
            true => agent.spec().kind().unattended_limits(),
            false => limits,
        }
    }

    fn asked(&self, remaining: Option<Duration>) -> Limits {
        let clock = self.clock.zip(remaining);
        Limits {
            clock: clock.map(|(control, remaining)| GameClock {
                remaining,
                increment: control.increment,
            }),
            ..self.limits
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            limits: Limits::NONE,
            clock: None,
            grace: Rules::GRACE,
            adjudicate: Adjudicate::Never,
        }
    }
}

/// Time for the whole game and for every move: `10s+0.1s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// The time on the clock at the start.
    pub base: Duration,
    /// The time that every move adds.
    pub increment: Duration,
}

/// Why a text is not a clock.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimeControlError {
    /// A time cannot be read.
    #[error(transparent)]
    Time(#[from] DurationError),
    /// The clock leaves no time to move.
    #[error("a clock that begins with 0s leaves no time to move")]
    NoTime,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0s"));
        let base = parse_duration(base)?;
        let increment = parse_duration(increment)?;
        match base.is_zero() {
            true => Err(TimeControlError::NoTime),
            false => Ok(TimeControl { base, increment }),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, increment) = (format_duration(self.base), format_duration(self.increment));
        write!(f, "{base}+{increment}")
    }
}

text_in_json!(TimeControl);

/// Whether a game is ended before its rules end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Adjudicate {
    /// Never.
    #[default]
    Never,
    /// When the winner can no longer change: in Kalah, a store holds more than half of the seeds.
    Majority,
    /// When both agents have proven the same winner, or a draw.
    Proven,
}

named!(
    Adjudicate,
    "games are adjudicated by majority, proven or never",
    Never "never",
    Majority "majority",
    Proven "proven",
);

impl MatchSpec {
    /// The agents' limits as text: `depth 6`, `100ms a move`, `10s+0.1s`, or that each agent has its own.
    pub fn limits_text(&self) -> String {
        let Rules { limits, clock, .. } = &self.rules;
        let parts = [
            limits.depth.map(|depth| format!("depth {depth}")),
            limits.nodes.map(|nodes| format!("{nodes} nodes")),
            limits
                .time
                .map(|time| format!("{} a move", format_duration(time))),
            clock.map(|clock| clock.to_string()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => "each agent's own".to_owned(),
            false => parts.join(", "),
        }
    }

    /// The agents without their names.
    pub fn specs(&self) -> [AgentSpec; 2] {
        self.agents.each_ref().map(|agent| agent.spec.clone())
    }

    /// Everything in the spec as text, except names, which do not affect games. Equal specs have equal keys.
    pub fn key(&self) -> String {
        let [a, b] = self.specs();
        format!(
            "{a} | {b} | {} | openings {} | seed {} | {} | grace {} | adjudicate {}",
            self.game,
            self.openings.key(),
            self.rng_seed,
            self.limits_text(),
            format_duration(self.rules.grace),
            self.rules.adjudicate,
        )
    }

    /// What its games depend on besides the spec, as currently found on this machine.
    pub fn identity(&self) -> Result<Identity, ArenaError> {
        Identity::of(&self.specs(), self.game)
    }

    /// The match's id: 16 hexadecimal digits derived from the spec and from the identity.
    pub fn id(&self, identity: &Identity) -> String {
        format!(
            "{:016x}",
            rng_seeds::of_text(&identity.key_with(&self.key()))
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_and_written() {
        let plain = MatchSpec {
            agents: ["engine:depth=4,hash=8", "bot=ugi:./bot 'a b'"]
                .map(|agent| agent.parse().expect("an agent")),
            game: "kalah:6x4".parse().expect("a game"),
            openings: Openings::Balanced(6),
            rng_seed: u64::MAX,
            rules: Rules::default(),
        };
        let timed = MatchSpec {
            openings: Openings::Lines {
                name: "start".to_owned(),
                lines: vec!["2 5".to_owned()],
            },
            rules: Rules {
                limits: Limits::time(Duration::from_micros(1_500)),
                clock: Some("10s+100ms".parse().expect("a clock")),
                grace: Duration::ZERO,
                adjudicate: Adjudicate::Proven,
            },
            ..plain.clone()
        };
        for spec in [plain, timed] {
            let text = serde_json::to_string(&spec).expect("written");
            let read: MatchSpec = serde_json::from_str(&text).expect(&text);
            assert_eq!(read, spec, "{text}");
            assert_eq!(read.key(), spec.key());
            for (from, to) in [
                ("\"seed\"", "\"sead\""),
                ("kalah:6x4", "kalah:6y4"),
                ("engine:", "angine:"),
                ("\"grace\"", "\"limit\":3,\"grace\""),
            ] {
                let wrong = text.replace(from, to);
                assert_ne!(wrong, text);
                assert!(
                    serde_json::from_str::<MatchSpec>(&wrong).is_err(),
                    "{wrong}"
                );
            }
        }
        // A name in JSON is never the name of a file to read.
        assert!(serde_json::from_str::<Openings>("\"Cargo.toml\"").is_err());
        assert!(serde_json::from_str::<Openings>("\"random:101\"").is_err());
    }

    #[test]
    fn clocks_are_read_and_written() {
        let clock: TimeControl = "10s+100ms".parse().expect("a clock");
        assert_eq!(clock.to_string().parse(), Ok(clock));
        assert_eq!("0s".parse::<TimeControl>(), Err(TimeControlError::NoTime));
        assert!("10".parse::<TimeControl>().is_err());
    }
}
