//! A player: an agent for one game, with the limits of its spec.

use crate::build::build;
use crate::{AgentError, AgentKind, AgentName, AgentSpec};
use kalahari_exact::prover::game_is_under_way;
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game};
use kalahari_search::{Agent, Parameter, Report, Task};
use kalahari_terms::{Failure, Limits, Stop};
use std::time::Duration;

/// What a player has found in a position of any game.
pub type AnyReport = Report<AnyMove>;

/// The tunable parameters of an agent in a game, as its spec sets them; see `kalahari params`.
pub fn parameters(spec: &AgentSpec, game: &AnyGame) -> Result<Vec<Parameter>, AgentError> {
    Ok(Player::new(spec, game, 0)?.parameters)
}

/// Makes sure that an external agent starts, knows the game and answers: it is asked for the first move. A built-in agent is
/// only built.
pub fn try_out(spec: &AgentSpec, game: &AnyGame, stop: &Stop) -> Result<(), AgentError> {
    let mut player = Player::new(spec, game, 0)?;
    if !spec.kind().is_foreign() {
        return Ok(());
    }
    player.audition(game, Limits::time(Duration::from_millis(100)), stop)
}

/// An agent that plays one game.
pub struct Player {
    spec: AgentSpec,
    agent: Box<dyn Agent<AnyGame>>,
    own_limits: Limits,
    parameters: Vec<Parameter>,
}

impl Player {
    /// The player of a spec. Random choices come from `rng_seed` unless the spec names a seed.
    pub fn new(spec: &AgentSpec, game: &AnyGame, rng_seed: u64) -> Result<Self, AgentError> {
        let built = build(spec, game, rng_seed)?;
        Ok(Player {
            spec: spec.clone(),
            agent: built.agent,
            own_limits: built.limits,
            parameters: built.parameters,
        })
    }

    /// A player with an agent that the caller has made; `spec` only names it. It has no limits of its own.
    pub fn with_agent(spec: AgentSpec, agent: Box<dyn Agent<AnyGame>>) -> Self {
        Player {
            spec,
            agent,
            own_limits: Limits::NONE,
            parameters: Vec::new(),
        }
    }

    /// What the player was made from.
    pub fn spec(&self) -> &AgentSpec {
        &self.spec
    }

    /// The tunable parameters of this player, as its spec sets them.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The limits it will use if the caller asks for these. Limits for a move in its spec replace those of the caller; the game
    /// clock always applies. If neither names any, the defaults of its kind are used.
    pub fn limits(&self, asked: Limits) -> Limits {
        match (self.own_limits.is_unlimited(), asked.is_unlimited()) {
            (true, true) => self.spec.kind().default_limits(),
            (true, false) => asked,
            // A spec cannot set a clock.
            (false, _) => Limits {
                clock: asked.clock,
                ..self.own_limits
            },
        }
    }

    /// Makes sure that a player answers, by asking it for the first move.
    pub fn audition(
        &mut self,
        game: &AnyGame,
        asked: Limits,
        stop: &Stop,
    ) -> Result<(), AgentError> {
        self.begin_game(0, stop);
        match self.choose(&game.start(), asked, stop) {
            Ok(_) => Ok(()),
            Err(failure) => Err(self.spec.error(failure)),
        }
    }

    /// What the player's program calls itself, once it has been asked something. `None` for a Python file, which is named after
    /// the file.
    pub fn own_name(&self) -> Option<AgentName> {
        let name = self.agent.own_name()?;
        match self.spec.kind() {
            AgentKind::Python => None,
            _ => AgentName::near(&name),
        }
    }

    /// The peak memory of the player's program, in bytes, if it can be measured.
    pub fn memory(&self) -> Option<u64> {
        self.agent.memory()
    }

    /// Thinks about a position and chooses a move, or says why it cannot. After a failure, make a new player.
    pub fn choose(
        &mut self,
        position: &AnyPosition,
        asked: Limits,
        stop: &Stop,
    ) -> Result<AnyReport, Failure> {
        self.think(position, asked, stop, false, &mut |_| {})
    }

    /// Thinks about a position and chooses a move. With `all_moves` it values every legal move, too. `progress` is called after
    /// every finished depth.
    pub fn think(
        &mut self,
        position: &AnyPosition,
        asked: Limits,
        stop: &Stop,
        all_moves: bool,
        progress: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, Failure> {
        let limits = self.limits(asked);
        game_is_under_way();
        self.agent.think(Task {
            position: *position,
            limits,
            stop,
            all_moves,
            progress,
        })
    }

    /// Begins a new game, whose random choices come from `rng_seed`. Waits until an external program is ready, or until `stop` is
    /// requested.
    pub fn begin_game(&mut self, rng_seed: u64, stop: &Stop) {
        self.agent.forget(rng_seed);
        self.agent.get_ready(stop);
    }

    /// Whether the same position always gets the same answer under these limits.
    pub fn is_deterministic(&self, asked: Limits) -> bool {
        let limits = self.limits(asked);
        self.agent.is_deterministic() && limits.move_time().is_none()
    }
}
