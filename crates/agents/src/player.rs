//! A player: an agent for one game, with the limits of its spec.

use crate::build::{build, default_limits};
use crate::{AgentError, AgentSpec};
use kalahari_search::{Agent, Limits, Report, Searchable, Stop, Task};

/// An agent that plays one game.
pub struct Player<G: Searchable> {
    spec: AgentSpec,
    agent: Box<dyn Agent<G>>,
    own_limits: Limits,
}

impl<G: Searchable> Player<G> {
    /// The player of a spec. Random choices come from `seed` unless the spec names one.
    pub fn new(spec: &AgentSpec, game: &G, seed: u64) -> Result<Self, AgentError> {
        let (agent, own_limits) = build(spec, game, seed)?;
        Ok(Player {
            spec: spec.clone(),
            agent,
            own_limits,
        })
    }

    /// A player of an agent that somebody else has made; `spec` is only its name. It has no limits of its own.
    pub fn with_agent(spec: AgentSpec, agent: Box<dyn Agent<G>>) -> Self {
        Player {
            spec,
            agent,
            own_limits: Limits::default(),
        }
    }

    /// What the player was made from.
    pub fn spec(&self) -> &AgentSpec {
        &self.spec
    }

    /// The limits it will think with if a command asks for these: its own ones win, and if nobody names
    /// any, sensible ones are used.
    pub fn limits(&self, asked: Limits) -> Limits {
        [self.own_limits, asked, default_limits(&self.spec)]
            .into_iter()
            .find(|limits| !limits.is_unlimited())
            .unwrap_or_default()
    }

    /// Thinks about a position and chooses a move.
    pub fn choose(&mut self, position: G::Position, asked: Limits, stop: &Stop) -> Report<G::Move> {
        self.think(position, asked, stop, false, &mut |_| {})
    }

    /// Thinks about a position and chooses a move. `progress` hears of every finished depth.
    pub fn think_aloud(
        &mut self,
        position: G::Position,
        asked: Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.think(position, asked, stop, false, progress)
    }

    /// Thinks about a position and values every legal move. `progress` hears of every finished depth.
    pub fn analyse(
        &mut self,
        position: G::Position,
        asked: Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        self.think(position, asked, stop, true, progress)
    }

    fn think(
        &mut self,
        position: G::Position,
        asked: Limits,
        stop: &Stop,
        all_moves: bool,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let limits = self.limits(asked);
        self.agent.think(Task {
            position,
            limits,
            stop,
            all_moves,
            progress,
        })
    }

    /// Why the last answer was none, if the agent failed; see [`Agent::failure`]. A player that has failed
    /// is best made anew.
    pub fn failure(&mut self) -> Option<String> {
        self.agent.failure()
    }

    /// Begins a new game, whose random choices come from `seed`.
    pub fn begin_game(&mut self, seed: u64) {
        self.agent.forget(seed);
    }

    /// Whether the same position always gets the same answer under these limits.
    pub fn is_deterministic(&self, asked: Limits) -> bool {
        let limits = self.limits(asked);
        self.agent.is_deterministic() && limits.move_time().is_none()
    }
}
