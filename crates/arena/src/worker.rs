//! A worker: plays games one after the other with agents of its own.

use crate::openings::Line;
use crate::play::play_game;
use crate::record::{GameRecord, RecordedMove};
use crate::spec::MatchSpec;
use crate::{ArenaError, seeds};
use kalahari_agents::Player as Agent;
use kalahari_search::{Searchable, Stop};
use std::time::Instant;

/// The games of a match that all workers share.
pub(crate) struct Job<'a, G: Searchable> {
    pub(crate) spec: &'a MatchSpec,
    pub(crate) id: &'a str,
    pub(crate) game: &'a G,
    pub(crate) lines: &'a [Line<G>],
    pub(crate) stop: &'a Stop,
}

/// A worker and its agents, in the order of the match.
pub(crate) struct Worker<'a, G: Searchable> {
    job: &'a Job<'a, G>,
    agents: [Agent<G>; 2],
    names: [String; 2],
}

impl<'a, G: Searchable> Worker<'a, G> {
    pub(crate) fn new(job: &'a Job<'a, G>) -> Result<Self, ArenaError> {
        let [a, b] = &job.spec.agents;
        let agents = [Agent::new(a, job.game, 0)?, Agent::new(b, job.game, 0)?];
        Ok(Worker::with_agents(job, agents))
    }

    /// A worker with agents that somebody has made from the match's specs.
    pub(crate) fn with_agents(job: &'a Job<'a, G>, agents: [Agent<G>; 2]) -> Self {
        let [a, b] = &job.spec.agents;
        Worker {
            job,
            agents,
            names: [a.to_string(), b.to_string()],
        }
    }

    /// The agents, for other games.
    pub(crate) fn into_agents(self) -> [Agent<G>; 2] {
        self.agents
    }

    /// Plays the game of a number; `None` if it was stopped. Gives the time its agents used, too.
    pub(crate) fn play(&mut self, number: u32) -> Result<Option<(GameRecord, f64)>, ArenaError> {
        let Job {
            spec,
            game,
            lines,
            stop,
            ..
        } = *self.job;
        let (pair, seating) = (number / 2, number % 2);
        let line = &lines[pair as usize % lines.len()];
        let seat_of = |agent: usize| agent ^ seating as usize;
        let begin = Instant::now();
        for (number, agent) in self.agents.iter_mut().enumerate() {
            let name = &self.names[number];
            agent.begin_game(seeds::of_player(
                spec.seed,
                pair,
                seating,
                seat_of(number),
                name,
            ));
        }
        let preparing = begin.elapsed().as_secs_f64();
        let [a, b] = &mut self.agents;
        let seated = if seating == 0 { [a, b] } else { [b, a] };
        let Some(played) = play_game(game, seated, line, &spec.rules, stop) else {
            return Ok(None);
        };
        if played.ending.is_forfeit() {
            // Whoever failed is made anew.
            for agent in 0..2 {
                if played.winner.map(|winner| winner.index()) != Some(seat_of(agent)) {
                    self.agents[agent] = Agent::new(&spec.agents[agent], game, 0)?;
                }
            }
        }
        let book = line
            .moves
            .iter()
            .map(|mv| RecordedMove::book(mv.to_string()));
        let record = GameRecord {
            game: spec.game,
            players: [0, 1].map(|seat| self.names[seat_of(seat)].clone()),
            start: line.start.as_ref().map(|start| game.position_text(start)),
            book: line.moves.len(),
            moves: book.chain(played.moves).collect(),
            winner: played.winner,
            margin: played.margin,
            ending: played.ending,
            detail: played.detail,
            match_id: self.job.id.to_owned(),
            number,
            seed: spec.seed,
        };
        let used = preparing + record.seconds();
        Ok(Some((record, used)))
    }
}
