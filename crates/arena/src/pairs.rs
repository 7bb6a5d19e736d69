//! Single pairs of games, for whoever decides pair by pair who plays next, as a tuner does.
//!
//! A pair goes as it would in a match of the same agents, openings, seed and rules.

use crate::openings::Openings;
use crate::spec::Rules;
use crate::worker::{Table, Worker};
use crate::{ArenaError, Hands};
use kalahari_agents::{AgentSpec, NamedAgent, Player as Agent};
use kalahari_games::GameSpec;
use kalahari_record::GameRecord;
use kalahari_terms::Stop;

/// Everything that decides how pairs go but who plays them.
#[derive(Clone, Debug)]
pub struct PairSpec {
    /// The game.
    pub game: GameSpec,
    /// Where games begin.
    pub openings: Openings,
    /// The seed of all random choices.
    pub rng_seed: u64,
    /// When and how games end.
    pub rules: Rules,
}

/// Openings that are made and a game that is set up: any number of threads may play pairs at it.
#[derive(Debug)]
pub struct Pairs {
    table: Table,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Pairs {
    /// Makes that many distinct openings, if there are so many. Later pairs begin again with the first.
    pub fn new(mut spec: PairSpec, openings: usize, hands: &Hands<'_>) -> Result<Self, ArenaError> {
        let mut notes = Vec::new();
        let table = Table::new(
            spec.game,
            &mut spec.openings,
            openings.max(1),
            (spec.rng_seed, spec.rules),
            hands,
            &mut notes,
            &mut |_| {},
        )?;
        Ok(Pairs { table, notes })
    }

    /// A seat for one thread.
    pub fn seat(&self) -> Seat<'_> {
        Seat {
            table: &self.table,
            opponents: Vec::new(),
        }
    }

    /// Makes sure that an agent can play.
    pub fn check(&self, agent: &AgentSpec) -> Result<(), ArenaError> {
        Agent::new(agent, &self.table.game, 0)?;
        Ok(())
    }
}

/// Opponents that stay; beyond this many the oldest leaves.
const KEPT: usize = 8;

/// A place at which one thread plays pairs. Opponents keep their seats, so a program that takes long to start
/// is started once.
pub struct Seat<'a> {
    table: &'a Table,
    opponents: Vec<(AgentSpec, Agent)>,
}

impl Seat<'_> {
    /// Plays both seatings of a pair; `None` if it was stopped. Which player the first agent is says
    /// [`GameRecord::seat_of_a`]. The records name no match.
    pub fn play(
        &mut self,
        agents: &[AgentSpec; 2],
        pair: u32,
        stop: &Stop,
    ) -> Result<Option<[GameRecord; 2]>, ArenaError> {
        let game = &self.table.game;
        let [first, second] = agents;
        let kept = self.opponents.iter().position(|(name, _)| name == second);
        let opponent = match kept {
            Some(place) => self.opponents.remove(place).1,
            None => Agent::new(second, game, 0)?,
        };
        let seated = [Agent::new(first, game, 0)?, opponent];
        let players = agents
            .each_ref()
            .map(|agent| NamedAgent::from(agent.clone()));
        let mut worker = Worker::with_agents(self.table, &players, seated);
        let mut records = Vec::with_capacity(2);
        for number in [2 * pair, 2 * pair + 1] {
            match worker.play("", number, stop)? {
                Some((record, _)) => records.push(record),
                None => return Ok(None),
            }
        }
        let [_, opponent] = worker.into_agents();
        if self.opponents.len() == KEPT {
            self.opponents.remove(0);
        }
        self.opponents.push((second.clone(), opponent));
        Ok(records.try_into().ok())
    }
}
