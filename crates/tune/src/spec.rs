//! The definition of a tuning run.

use crate::TuneError;
use crate::clop::Clop;
use crate::error::{AxisProblem, RunError, SpaceError};
use crate::lines::Line;
use crate::space::Space;
use crate::spsa::Spsa;
use kalahari_agents::AgentSpec;
use kalahari_arena::{ArenaError, Identity, MatchSpec, Openings, Rules, named};
use kalahari_games::{AnyGame, GameSpec};
use kalahari_terms::Stop;
use serde::{Deserialize, Serialize};

/// A way to tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Confident local optimization: finds an optimum anywhere in the box.
    Clop,
    /// Simultaneous perturbation: climbs from the agent's current values.
    Spsa,
}

named!(Method, "methods are clop and spsa", Clop "clop", Spsa "spsa");

/// Everything that decides how a run goes. Two runs with equal specs and equal [identities](Identity) are the same run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSpec {
    /// The agent whose parameters are tuned.
    pub agent: AgentSpec,
    /// The parameters and their ranges.
    pub space: Space,
    /// The same for SPSA, with starts and gains; empty for CLOP.
    #[serde(default)]
    pub lines: Vec<Line>,
    /// The method.
    pub method: Method,
    /// The opponents, which the agent plays in turn. For SPSA the list may be empty: then its two sides play each other.
    pub opponents: Vec<AgentSpec>,
    /// The game.
    pub game: GameSpec,
    /// Where games begin.
    pub openings: Openings,
    /// The seed of all random choices.
    #[serde(rename = "seed")]
    pub rng_seed: u64,
    /// When and how games end.
    pub rules: Rules,
    /// How many games are wanted. A CLOP run can be continued with a larger number; SPSA's gains depend on it.
    pub games: u32,
}

/// The default for how far SPSA perturbs a parameter at the end, as a fraction of its range.
const C_END: f64 = 0.05;
/// The default for SPSA's last ratio of gains.
const R_END: f64 = 0.02;

impl TuneSpec {
    /// The number of games of a sample.
    pub fn games_of_sample(&self) -> u32 {
        match (self.method, self.opponents.is_empty()) {
            (Method::Spsa, false) => 4,
            _ => 2,
        }
    }

    /// The number of samples for the wanted games.
    pub fn samples(&self) -> u32 {
        self.games.div_ceil(self.games_of_sample())
    }

    /// Checks everything that can be checked before a game and fills in what SPSA needs. External programs are asked for a move,
    /// unless `stop` is requested.
    pub fn checked(mut self, stop: &Stop) -> Result<Self, TuneError> {
        let game = AnyGame::new(self.game);
        let known = kalahari_agents::parameters(&self.agent, &game)?;
        self.space = self.space.checked(&self.agent, &known)?;
        if self.method == Method::Clop && self.opponents.is_empty() {
            return Err(RunError::NoOpponent.into());
        }
        for opponent in &self.opponents {
            kalahari_agents::try_out(opponent, &game, stop)?;
        }
        if self.games == 0 {
            return Err(RunError::NoGames.into());
        }
        if self.method == Method::Spsa && self.lines.is_empty() {
            for axis in &self.space.0 {
                if axis.log {
                    let (axis, problem) = (axis.to_string(), AxisProblem::NoLogScale);
                    return Err(SpaceError::Axis { axis, problem }.into());
                }
                let value = known.iter().find(|known| known.name == axis.name);
                let start = value.map_or(axis.low, |known| known.value);
                self.lines.push(Line {
                    name: axis.name.clone(),
                    integer: axis.integer,
                    start: start.clamp(axis.low, axis.high),
                    min: axis.low,
                    max: axis.high,
                    c_end: C_END * (axis.high - axis.low),
                    r_end: R_END,
                });
            }
        }
        for (line, axis) in self.lines.iter_mut().zip(&self.space.0) {
            line.integer = axis.integer;
        }
        Ok(self)
    }

    /// The agent with the values of a point.
    pub fn agent_at(&self, values: &[f64]) -> AgentSpec {
        let each = self.space.0.iter().zip(values);
        each.fold(self.agent.clone(), |agent, (axis, value)| {
            agent.with_option(&axis.name, &axis.played(*value).to_string())
        })
    }

    /// Everything in the spec as text; equal runs have equal keys.
    pub fn key(&self) -> String {
        let opponents: Vec<String> = self.opponents.iter().map(AgentSpec::to_string).collect();
        let method = match self.method {
            Method::Clop => self.space.to_string(),
            Method::Spsa => {
                let lines: Vec<String> = self.lines.iter().map(Line::to_string).collect();
                format!("{} in {} samples", lines.join("; "), self.samples())
            }
        };
        // The key of a match of the agent with itself covers game, openings, seed and rules.
        let rest = MatchSpec {
            agents: [self.agent.clone().into(), self.agent.clone().into()],
            game: self.game,
            openings: self.openings.clone(),
            rng_seed: self.rng_seed,
            rules: self.rules,
        };
        format!(
            "{} {method} | against {} | {}",
            self.method,
            opponents.join(" "),
            rest.key()
        )
    }

    /// What its games depend on besides the spec, as currently found on this machine.
    pub fn identity(&self) -> Result<Identity, ArenaError> {
        let agents: Vec<AgentSpec> = self
            .opponents
            .iter()
            .chain([&self.agent])
            .cloned()
            .collect();
        Identity::of(&agents, self.game)
    }

    /// A new run of its method.
    pub(crate) fn tuner(&self) -> Tuner {
        match self.method {
            Method::Clop => Tuner::Clop(Clop::new(self.space.0.len(), self.rng_seed)),
            Method::Spsa => {
                Tuner::Spsa(Spsa::new(self.lines.clone(), self.samples(), self.rng_seed))
            }
        }
    }
}

/// A run of either method.
#[derive(Clone, Debug)]
pub(crate) enum Tuner {
    Clop(Clop),
    Spsa(Spsa),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_and_written() {
        let spec = TuneSpec {
            agent: "mcts:playouts=20".parse().expect("an agent"),
            space: "alpha=0..1,c=0.01..2:log".parse().expect("a box"),
            lines: vec![
                "alpha, float, 0.5, 0, 1, 0.05, 0.02"
                    .parse()
                    .expect("a line"),
            ],
            method: Method::Spsa,
            opponents: vec!["level:1".parse().expect("an agent")],
            game: "kalah:4x3".parse().expect("a game"),
            openings: Openings::Random(2),
            rng_seed: 7,
            rules: Rules::default(),
            games: 100,
        };
        let text = serde_json::to_string(&spec).expect("written");
        let read: TuneSpec = serde_json::from_str(&text).expect(&text);
        assert_eq!(read, spec);
        assert_eq!(read.key(), spec.key());
        for (from, to) in [
            ("\"seed\"", "\"sead\""),
            ("spsa", "spas"),
            ("0.01..2", "2..1"),
            ("\"games\"", "\"game_s\":1,\"games\""),
        ] {
            let wrong = text.replace(from, to);
            assert!(serde_json::from_str::<TuneSpec>(&wrong).is_err(), "{wrong}");
        }
    }
}
