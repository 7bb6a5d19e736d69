//! What a tuning run is.

use crate::lines::Line;
use crate::space::Space;
use crate::spsa::Spsa;
use crate::{TuneError, clop::Clop};
use kalahari_agents::AgentSpec;
use kalahari_arena::{Openings, Rules};
use kalahari_games::GameSpec;
use std::fmt;
use std::str::FromStr;

/// A way to tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Confident local optimisation: finds an optimum anywhere in the box.
    Clop,
    /// Simultaneous perturbation: climbs from the agent's present values.
    Spsa,
}

impl Method {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Clop => "clop",
            Method::Spsa => "spsa",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Method::Clop, Method::Spsa]
            .into_iter()
            .find(|method| method.name() == text)
            .ok_or_else(|| format!("methods are clop and spsa, not '{text}'"))
    }
}

/// Everything that decides how a run goes. Two runs with equal specs are the same run.
#[derive(Clone, Debug)]
pub struct TuneSpec {
    /// Whose numbers are sought.
    pub agent: AgentSpec,
    /// Where they are sought.
    pub space: Space,
    /// The same for SPSA, with starts and gains; empty for CLOP.
    pub lines: Vec<Line>,
    /// How.
    pub method: Method,
    /// Whom the agent plays, in turn. SPSA may do without: then its two sides play each other.
    pub opponents: Vec<AgentSpec>,
    /// The game.
    pub game: GameSpec,
    /// Where games begin.
    pub openings: Openings,
    /// What all random choices are made from.
    pub seed: u64,
    /// When and how games end.
    pub rules: Rules,
    /// How many games are wanted. CLOP may go on beyond an earlier number; SPSA's gains depend on it.
    pub games: u32,
}

/// The share of a range that SPSA moves a parameter at the end if nobody says.
const C_END: f64 = 0.05;
/// SPSA's last ratio of gains if nobody says.
const R_END: f64 = 0.02;

impl TuneSpec {
    /// Games of a sample.
    pub fn games_of_sample(&self) -> u32 {
        match (self.method, self.opponents.is_empty()) {
            (Method::Spsa, false) => 4,
            _ => 2,
        }
    }

    /// How many samples make the games.
    pub fn samples(&self) -> u32 {
        self.games.div_ceil(self.games_of_sample())
    }

    /// Checks everything that can be checked before a game and fills in what SPSA needs.
    pub fn checked(mut self) -> Result<Self, TuneError> {
        let known = kalahari_agents::parameters(&self.agent, self.game)
            .map_err(kalahari_arena::ArenaError::from)?;
        self.space = self.space.checked(&self.agent.to_string(), &known)?;
        if self.method == Method::Clop && self.opponents.is_empty() {
            let problem = "CLOP needs an opponent: --against AGENT";
            return Err(TuneError::Run(problem.to_owned()));
        }
        for opponent in &self.opponents {
            kalahari_agents::try_out(opponent, self.game)
                .map_err(kalahari_arena::ArenaError::from)?;
        }
        if self.games == 0 {
            return Err(TuneError::Run("a run has at least one game".to_owned()));
        }
        if self.method == Method::Spsa && self.lines.is_empty() {
            for axis in &self.space.0 {
                if axis.log {
                    let problem = format!("'{axis}': SPSA has no log scale");
                    return Err(TuneError::Parameters(problem));
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

    /// Everything in the spec as a text; equal runs have equal keys.
    pub fn key(&self) -> String {
        let opponents: Vec<String> = self.opponents.iter().map(AgentSpec::to_string).collect();
        let method = match self.method {
            Method::Clop => self.space.to_string(),
            Method::Spsa => {
                let lines: Vec<String> = self.lines.iter().map(Line::to_string).collect();
                format!("{} in {} samples", lines.join("; "), self.samples())
            }
        };
        // The match of a run's agent with itself names game, openings, seed and rules.
        let rest = kalahari_arena::MatchSpec {
            agents: [self.agent.clone(), self.agent.clone()],
            game: self.game,
            openings: self.openings.clone(),
            seed: self.seed,
            rules: self.rules,
        };
        format!(
            "{} {method} | against {} | {}",
            self.method,
            opponents.join(" "),
            rest.key()
        )
    }

    /// A run of its method that has not begun.
    pub(crate) fn tuner(&self) -> Tuner {
        match self.method {
            Method::Clop => Tuner::Clop(Clop::new(self.space.0.len(), self.seed)),
            Method::Spsa => Tuner::Spsa(Spsa::new(self.lines.clone(), self.samples(), self.seed)),
        }
    }
}

/// A run of either method.
#[derive(Clone, Debug)]
pub(crate) enum Tuner {
    Clop(Clop),
    Spsa(Spsa),
}
