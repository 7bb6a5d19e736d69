//! Single pairs of games, for callers that choose the players of each pair anew, such as a tuner.
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

/// Everything that decides how pairs go, except the agents.
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

/// A game with its openings made. Any number of threads may play pairs of it.
#[derive(Debug)]
pub struct Pairs {
    table: Table,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl Pairs {
    /// Makes this many distinct openings, or as many as there are. Later pairs start over with the first opening.
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

/// How many opponents a seat keeps. Beyond that, the least recently used one is dropped.
const KEPT: usize = 8;

/// A place at which one thread plays pairs. Opponents are kept between pairs, so a program that is slow to start
/// is started once.
pub struct Seat<'a> {
    table: &'a Table,
    opponents: Vec<(AgentSpec, Agent)>,
}

impl Seat<'_> {
    /// Plays both seatings of a pair; `None` if it was stopped. [`GameRecord::seat_of_a`] says which player the first
    /// agent is. The records have an empty match id.
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
