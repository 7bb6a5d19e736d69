//! A worker plays games one after the other with its own agents.

use crate::openings::{Found, Line, Maker, Openings};
use crate::play::play_game;
use crate::spec::Rules;
use crate::who::who;
use crate::{ArenaError, Hands, rng_seeds};
use kalahari_agents::{NamedAgent, Player as Agent};
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_record::{GameRecord, RecordedMove, Who};
use kalahari_terms::Stop;
use std::time::Instant;

/// A game that is set up, with its openings: everything that decides how games go, except the players.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) game: AnyGame,
    pub(crate) lines: Vec<Line>,
    rng_seed: u64,
    rules: Rules,
}

impl Table {
    /// Sets a game up, with `count` openings if there are that many. If the game has none of the requested kind, others are used
    /// instead. Notes for the user are added to `notes`.
    pub(crate) fn new(
        game: GameSpec,
        openings: &mut Openings,
        count: usize,
        (rng_seed, rules): (u64, Rules),
        hands: &Hands<'_>,
        notes: &mut Vec<String>,
        found: Found<'_>,
    ) -> Result<Self, ArenaError> {
        let game = AnyGame::new(game);
        rules.check(&game)?;
        let maker = Maker {
            game: &game,
            rng_seed,
            hands,
        };
        let lines = maker.make_or_others(openings, count, notes, found)?;
        Ok(Table {
            game,
            lines,
            rng_seed,
            rules,
        })
    }
}

/// A worker and its agents, in the order of the match.
pub(crate) struct Worker<'a> {
    table: &'a Table,
    players: &'a [NamedAgent; 2],
    /// Their names and specs as text, which every record has.
    who: [Who; 2],
    agents: [Agent; 2],
}

impl<'a> Worker<'a> {
    pub(crate) fn new(table: &'a Table, players: &'a [NamedAgent; 2]) -> Result<Self, ArenaError> {
        let [a, b] = players;
        let agents = [
            Agent::new(&a.spec, &table.game, 0)?,
            Agent::new(&b.spec, &table.game, 0)?,
        ];
        Ok(Worker::with_agents(table, players, agents))
    }

    /// A worker with agents that the caller has created from these specs.
    pub(crate) fn with_agents(
        table: &'a Table,
        players: &'a [NamedAgent; 2],
        agents: [Agent; 2],
    ) -> Self {
        Worker {
            table,
            players,
            who: players.each_ref().map(who),
            agents,
        }
    }

    /// The agents, for use in other games.
    pub(crate) fn into_agents(self) -> [Agent; 2] {
        self.agents
    }

    /// Plays the game with this number and returns it with the time in seconds that its agents used; `None` if it was stopped. An
    /// agent that failed is created anew.
    pub(crate) fn play(
        &mut self,
        match_id: &str,
        number: u32,
        stop: &Stop,
    ) -> Result<Option<(GameRecord, f64)>, ArenaError> {
        let played = self.play_once(match_id, number, stop);
        if let Some((record, _)) = &played
            && record.ending.is_forfeit()
        {
            let loser = record
                .winner
                .map(|winner| usize::from(winner == record.seat_of_a()));
            for agent in 0..2 {
                if loser.is_none_or(|loser| loser == agent) {
                    self.agents[agent] =
                        Agent::new(&self.players[agent].spec, &self.table.game, 0)?;
                }
            }
        }
        Ok(played)
    }

    /// Like [`play`](Worker::play), but an agent that failed is not created anew.
    pub(crate) fn play_once(
        &mut self,
        match_id: &str,
        number: u32,
        stop: &Stop,
    ) -> Option<(GameRecord, f64)> {
        let Table {
            game,
            lines,
            rng_seed,
            rules,
        } = self.table;
        let (pair, seating) = (number / 2, number % 2);
        let line = &lines[pair as usize % lines.len()];
        let seat_of = |agent: usize| agent ^ seating as usize;
        let begin = Instant::now();
        for (number, agent) in self.agents.iter_mut().enumerate() {
            let (seat, spec) = (seat_of(number), &self.who[number].agent);
            let own = rng_seeds::of_player(*rng_seed, pair, seating, seat, spec);
            agent.begin_game(own, stop);
        }
        let preparing = begin.elapsed().as_secs_f64();
        let [a, b] = &mut self.agents;
        let seated = if seating == 0 { [a, b] } else { [b, a] };
        let played = play_game(game, seated, line, rules, stop)?;
        let book = line.moves.iter().map(|&mv| RecordedMove::book(mv));
        let record = GameRecord {
            game: game.spec(),
            players: [0, 1].map(|seat| self.who[seat_of(seat)].clone()),
            start: line.start.map(|start| game.view(&start)),
            book: line.moves.len(),
            moves: book.chain(played.moves).collect(),
            winner: played.winner,
            margin: played.margin,
            ending: played.ending,
            detail: played.detail,
            match_id: match_id.to_owned(),
            number,
            rng_seed: *rng_seed,
        };
        let used = preparing + record.seconds();
        Some((record, used))
    }
}
