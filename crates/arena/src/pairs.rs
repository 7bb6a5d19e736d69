//! Single pairs of games, for whoever decides pair by pair who plays next, as a tuner does.
//!
//! A pair goes as it would in a match of the same agents, openings, seed and rules.

use crate::ArenaError;
use crate::openings::{Line, Maker, Openings};
use crate::record::GameRecord;
use crate::run::openings_or_others;
use crate::spec::{Adjudicate, MatchSpec, Rules};
use crate::worker::{Job, Worker};
use kalahari_agents::{AgentSpec, Player as Agent};
use kalahari_games::{GameSpec, Totals};
use kalahari_search::{SearchVisitor, Searchable, Stop};
use std::path::PathBuf;

/// Everything that decides how pairs go but who plays them.
#[derive(Clone, Debug)]
pub struct PairSpec {
    /// The game.
    pub game: GameSpec,
    /// Where games begin.
    pub openings: Openings,
    /// What all random choices are made from.
    pub seed: u64,
    /// When and how games end.
    pub rules: Rules,
}

/// How the openings of pairs are made; none of this changes how games go.
#[derive(Debug)]
pub struct PairRun<'a> {
    /// How many distinct openings are wanted. Later pairs begin again with the first.
    pub openings: usize,
    /// Threads that look for openings.
    pub threads: usize,
    /// Where balanced openings are kept.
    pub cache: Option<PathBuf>,
    /// The request to stop.
    pub stop: &'a Stop,
}

/// Openings that are made and a game that is set up: any number of threads may play pairs at it.
pub struct Pairs {
    hall: Box<dyn Hall>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl std::fmt::Debug for Pairs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pairs").field("notes", &self.notes).finish()
    }
}

/// A place at which one thread plays pairs. Opponents keep their seats, so a program that takes long to start
/// is started once.
pub trait Seat {
    /// Plays both seatings of a pair; `None` if it was stopped. Scores are the first agent's, by
    /// [`GameRecord::seat_of_a`].
    fn play(
        &mut self,
        agents: &[AgentSpec; 2],
        pair: u32,
        stop: &Stop,
    ) -> Result<Option<[GameRecord; 2]>, ArenaError>;
}

trait Hall: Send + Sync {
    fn seat(&self) -> Box<dyn Seat + '_>;
    fn check(&self, agent: &AgentSpec) -> Result<(), ArenaError>;
}

impl Pairs {
    /// Makes the openings.
    pub fn new(spec: PairSpec, run: PairRun<'_>) -> Result<Self, ArenaError> {
        struct Visit<'a>(PairSpec, PairRun<'a>);
        impl SearchVisitor for Visit<'_> {
            type Output = Result<Pairs, ArenaError>;

            fn visit<G: Searchable>(self, game: G) -> Self::Output {
                let Visit(mut spec, run) = self;
                if spec.rules.adjudicate == Adjudicate::Majority && !game.has_margins() {
                    let problem = format!("{} has no points, so no majority", spec.game);
                    return Err(ArenaError::Match(problem));
                }
                let maker = Maker {
                    game: &game,
                    seed: spec.seed,
                    threads: run.threads,
                    cache: run.cache,
                    stop: run.stop,
                };
                let mut notes = Vec::new();
                let lines = openings_or_others(
                    &maker,
                    &mut spec.openings,
                    run.openings.max(1),
                    &mut notes,
                )?;
                let hall = Box::new(Table { spec, game, lines });
                Ok(Pairs { hall, notes })
            }
        }
        let game = spec.game;
        kalahari_search::visit(game, Totals::Exact, Visit(spec, run))
    }

    /// A seat for one thread.
    pub fn seat(&self) -> Box<dyn Seat + '_> {
        self.hall.seat()
    }

    /// Makes sure that an agent can play.
    pub fn check(&self, agent: &AgentSpec) -> Result<(), ArenaError> {
        self.hall.check(agent)
    }
}

struct Table<G: Searchable> {
    spec: PairSpec,
    game: G,
    lines: Vec<Line<G>>,
}

impl<G: Searchable> Hall for Table<G> {
    fn seat(&self) -> Box<dyn Seat + '_> {
        Box::new(Chair {
            table: self,
            opponents: Vec::new(),
        })
    }

    fn check(&self, agent: &AgentSpec) -> Result<(), ArenaError> {
        Agent::new(agent, &self.game, 0)?;
        Ok(())
    }
}

/// Opponents that stay; beyond this many the oldest leaves.
const KEPT: usize = 8;

struct Chair<'a, G: Searchable> {
    table: &'a Table<G>,
    opponents: Vec<(AgentSpec, Agent<G>)>,
}

impl<G: Searchable> Seat for Chair<'_, G> {
    fn play(
        &mut self,
        agents: &[AgentSpec; 2],
        pair: u32,
        stop: &Stop,
    ) -> Result<Option<[GameRecord; 2]>, ArenaError> {
        let Table { spec, game, lines } = self.table;
        let [first, second] = agents;
        let kept = self.opponents.iter().position(|(name, _)| name == second);
        let opponent = match kept {
            Some(place) => self.opponents.remove(place).1,
            None => Agent::new(second, game, 0)?,
        };
        let spec = MatchSpec {
            agents: agents.clone(),
            game: spec.game,
            openings: spec.openings.clone(),
            seed: spec.seed,
            rules: spec.rules,
        };
        let id = spec.id();
        let job = Job {
            spec: &spec,
            id: &id,
            game,
            lines,
            stop,
        };
        let mut worker = Worker::with_agents(&job, [Agent::new(first, game, 0)?, opponent]);
        let mut records = Vec::with_capacity(2);
        for number in [2 * pair, 2 * pair + 1] {
            match worker.play(number)? {
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
