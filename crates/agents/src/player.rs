//! A player: an agent for one game, with the limits of its spec.

use crate::build::default_limits;
use crate::once::build_once;
use crate::{AgentError, AgentSpec};
use kalahari_games::{GameSpec, Totals};
use kalahari_search::{Agent, Limits, Parameter, Report, SearchVisitor, Searchable, Stop, Task};
use std::time::Duration;

/// The numbers of an agent that can be tuned in a game, as its spec sets them; see `kalahari params`.
pub fn parameters(spec: &AgentSpec, game: GameSpec) -> Result<Vec<Parameter>, AgentError> {
    struct Visit<'a>(&'a AgentSpec);
    impl SearchVisitor for Visit<'_> {
        type Output = Result<Vec<Parameter>, AgentError>;

        fn visit<G: Searchable>(self, game: G) -> Self::Output {
            Ok(Player::new(self.0, &game, 0)?.parameters)
        }
    }
    kalahari_search::visit(game, Totals::Exact, Visit(spec))
}

/// Makes sure that another program, if that is what an agent is, starts, knows the game and answers: it is asked for
/// the first move. Our own agents are only built.
pub fn try_out(spec: &AgentSpec, game: GameSpec) -> Result<(), AgentError> {
    struct Visit<'a>(&'a AgentSpec);
    impl SearchVisitor for Visit<'_> {
        type Output = Result<(), AgentError>;

        fn visit<G: Searchable>(self, game: G) -> Self::Output {
            let mut player = Player::new(self.0, &game, 0)?;
            if self.0.name() != "ugi" {
                return Ok(());
            }
            let soon = Limits {
                time: Some(Duration::from_millis(100)),
                ..Limits::default()
            };
            player.begin_game(0);
            player.choose(game.start(), soon, &Stop::new());
            match player.failure() {
                Some(why) => Err(self.0.error(format!("asked for the first move: {why}"))),
                None => Ok(()),
            }
        }
    }
    kalahari_search::visit(game, Totals::Exact, Visit(spec))
}

/// An agent that plays one game.
pub struct Player<G: Searchable> {
    spec: AgentSpec,
    agent: Box<dyn Agent<G>>,
    own_limits: Limits,
    parameters: Vec<Parameter>,
}

impl<G: Searchable> Player<G> {
    /// The player of a spec. Random choices come from `seed` unless the spec names one.
    pub fn new(spec: &AgentSpec, game: &G, seed: u64) -> Result<Self, AgentError> {
        let built = build_once(spec, game, seed)?;
        Ok(Player {
            spec: spec.clone(),
            agent: built.agent,
            own_limits: built.limits,
            parameters: built.parameters,
        })
    }

    /// A player of an agent that somebody else has made; `spec` is only its name. It has no limits of its own.
    pub fn with_agent(spec: AgentSpec, agent: Box<dyn Agent<G>>) -> Self {
        Player {
            spec,
            agent,
            own_limits: Limits::default(),
            parameters: Vec::new(),
        }
    }

    /// What the player was made from.
    pub fn spec(&self) -> &AgentSpec {
        &self.spec
    }

    /// The numbers of this player that can be tuned, as its spec sets them.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
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
