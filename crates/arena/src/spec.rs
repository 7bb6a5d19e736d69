//! What a match is: who plays what, from which openings, how long they may think.

use crate::openings::Openings;
use crate::seeds;
use kalahari_agents::{AgentSpec, format_duration, parse_duration};
use kalahari_games::GameSpec;
use kalahari_search::Limits;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Everything that decides how the games of a match go, but not how many are played.
///
/// Two matches with equal specs are the same match: the store resumes one with the other.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSpec {
    /// Who plays. Results are from the first one's side.
    pub agents: [AgentSpec; 2],
    /// The game.
    pub game: GameSpec,
    /// Where games begin.
    pub openings: Openings,
    /// What all random choices are made from.
    pub seed: u64,
    /// When and how games end.
    pub rules: Rules,
}

/// When and how games end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// What an agent may spend on a move unless its own spec says so.
    pub limits: Limits,
    /// A clock for the whole game; `limits.clock` is made from it.
    pub clock: Option<TimeControl>,
    /// How late a move may come before it loses the game.
    pub grace: Duration,
    /// Whether games are ended early.
    pub adjudicate: Adjudicate,
}

impl Rules {
    /// How late a move may come if nobody says otherwise.
    pub const GRACE: Duration = Duration::from_millis(200);
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            limits: Limits::default(),
            clock: None,
            grace: Rules::GRACE,
            adjudicate: Adjudicate::Never,
        }
    }
}

/// Time for the whole game and for every move: `10s+0.1s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// What the clock begins with.
    pub base: Duration,
    /// What every move adds.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0s"));
        let base = parse_duration(base)?;
        let increment = parse_duration(increment)?;
        if base.is_zero() {
            return Err("a clock that begins with 0s leaves no time to move".to_owned());
        }
        Ok(TimeControl { base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, increment) = (format_duration(self.base), format_duration(self.increment));
        write!(f, "{base}+{increment}")
    }
}

/// Whether a game is ended before its rules end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Adjudicate {
    /// It is not.
    #[default]
    Never,
    /// When the winner can no longer change: in Kalah, a store holds more than half of the seeds.
    Majority,
    /// When both agents have proven the same winner, or a draw.
    Proven,
}

impl Adjudicate {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Adjudicate::Never => "never",
            Adjudicate::Majority => "majority",
            Adjudicate::Proven => "proven",
        }
    }
}

impl FromStr for Adjudicate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Adjudicate::Never, Adjudicate::Majority, Adjudicate::Proven]
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| {
                format!("games are adjudicated by majority, proven or never, not '{text}'")
            })
    }
}

impl fmt::Display for Adjudicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl MatchSpec {
    /// What agents may spend, in words: `depth 6`, `100ms a move`, `10s+0.1s`, or that their own specs say.
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

    /// Everything in the spec as a text; equal specs have equal keys.
    pub fn key(&self) -> String {
        let [a, b] = &self.agents;
        format!(
            "{a} | {b} | {} | openings {} | seed {} | {} | grace {} | adjudicate {}",
            self.game,
            self.openings.key(),
            self.seed,
            self.limits_text(),
            format_duration(self.rules.grace),
            self.rules.adjudicate,
        )
    }

    /// The match's name: 16 hexadecimal digits made of its key.
    pub fn id(&self) -> String {
        format!("{:016x}", seeds::of_text(&self.key()))
    }
}
