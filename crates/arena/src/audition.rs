//! Before the games: every external program is asked for one move, and all agents get distinct names.

use crate::error::MatchProblem;
use crate::spec::Rules;
use crate::{ArenaError, Hands};
use kalahari_agents::{AgentError, AgentKind, AgentName, AgentSpec, NamedAgent, OptionKey, Player};
use kalahari_games::{AnyGame, Game, GameSpec};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The outcome of an audition: the name the program gives itself, if any, or why it cannot play.
pub(crate) type Heard = Result<Option<AgentName>, AgentError>;

/// Asks every external program among the agents for a first move, under the limits of the match. Built-in agents are only
/// created. An agent that cannot be created is an error.
pub(crate) fn audition(
    agents: &[NamedAgent],
    game: GameSpec,
    rules: &Rules,
    hands: &Hands<'_>,
) -> Result<Vec<Heard>, ArenaError> {
    let game = AnyGame::new(game);
    let heard: Mutex<Vec<(usize, Result<Heard, AgentError>)>> = Mutex::default();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..hands.threads.clamp(1, agents.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(agent) = agents.get(place) else {
                        break;
                    };
                    let found = ask(agent, &game, rules, hands);
                    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                    heard.push((place, found));
                }
            });
        }
    });
    if hands.stop.is_requested() {
        return Err(ArenaError::Interrupted);
    }
    let mut heard = heard.into_inner().unwrap_or_else(PoisonError::into_inner);
    heard.sort_by_key(|(place, _)| *place);
    let heard = heard.into_iter().map(|(_, found)| Ok(found?));
    heard.collect()
}

/// Auditions one agent. The outer error means that it could not be created.
fn ask(
    agent: &NamedAgent,
    game: &AnyGame,
    rules: &Rules,
    hands: &Hands<'_>,
) -> Result<Heard, AgentError> {
    if !agent.spec.kind().is_program() {
        make_once(&agent.spec, game)?;
        return Ok(Ok(None));
    }
    let mut player = Player::new(&agent.spec, game, 0)?;
    let remaining = rules.clock.map(|clock| clock.base);
    let asked = rules.asked_of(&player, remaining);
    let answered = player.audition(game, asked, hands.stop);
    Ok(answered.map(|()| player.own_name()))
}

/// Creates a built-in agent that takes an evaluation, so that a missing network is reported before endgame tables are built and
/// openings are searched for. An engine is created without its endgame table, which may be built only after this.
fn make_once(spec: &AgentSpec, game: &AnyGame) -> Result<(), AgentError> {
    let made = match (spec.kind(), game.spec()) {
        (AgentKind::Engine, GameSpec::Kalah(_)) => {
            Player::new(&spec.with(OptionKey::Tablebase, 0), game, 0)
        }
        (AgentKind::Engine | AgentKind::Minimax | AgentKind::AlphaBeta | AgentKind::Mcts, _) => {
            Player::new(spec, game, 0)
        }
        _ => return Ok(()),
    };
    made.map(drop).map_err(|error| spec.error(error.problem))
}

/// An agent that could not play.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// The agent.
    pub agent: NamedAgent,
    /// Why it could not play.
    pub reason: Arc<AgentError>,
}

/// Asks every external program among the agents for a first move. Returns the agents that can play, with distinct names, and
/// those that cannot.
pub fn rehearse(
    agents: &[NamedAgent],
    game: GameSpec,
    rules: &Rules,
    hands: &Hands<'_>,
) -> Result<(Vec<NamedAgent>, Vec<LeftOut>), ArenaError> {
    let heard = audition(agents, game, rules, hands)?;
    let (mut playing, mut own, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (agent, heard) in agents.iter().cloned().zip(heard) {
        match heard {
            Ok(name) => {
                playing.push(agent);
                own.push(name);
            }
            Err(error) => left_out.push(LeftOut {
                agent,
                reason: Arc::new(error),
            }),
        }
    }
    settle(&mut playing, &own)?;
    Ok((playing, left_out))
}

/// Settles the names of the agents. It is an error if two were given the same name.
pub(crate) fn settle(
    agents: &mut [NamedAgent],
    own: &[Option<AgentName>],
) -> Result<(), MatchProblem> {
    NamedAgent::settle(agents, own);
    for (place, agent) in agents.iter().enumerate() {
        if agents[..place].iter().any(|other| other.clashes(agent)) {
            return Err(MatchProblem::SameName(agent.label()));
        }
    }
    Ok(())
}
