//! Games in progress, for spectators.
//!
//! Code that runs games registers both players with a [`Live`], which records every move as it is played. Code that shows games
//! takes a copy of them.

use kalahari_agents::{AnyReport, Player as Agent};
use kalahari_games::{AnyGame, AnyMove, GameSpec};
use kalahari_record::GameRecord;
use kalahari_search::{Agent as Thinker, Task};
use kalahari_terms::{Failure, Stop};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The games that are being played, and the last ones that ended. Clones share the same games.
#[derive(Clone, Debug, Default)]
pub struct Live(Arc<Mutex<Games>>);

#[derive(Debug, Default)]
struct Games {
    last: u64,
    under_way: Vec<LiveGame>,
    ended: VecDeque<LiveGame>,
}

/// A game as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveGame {
    /// Its number; later games have larger ones.
    pub number: u64,
    /// The game.
    pub game: GameSpec,
    /// The players. The one that moves first (player 0) comes first.
    pub players: [String; 2],
    /// All moves from the game's own start.
    pub moves: Vec<AnyMove>,
    /// How it has ended: `1-0`, `0-1` or `1/2-1/2`; `None` while it is in progress.
    pub result: Option<&'static str>,
}

/// How many finished games are remembered.
const REMEMBERED: usize = 50;

impl Live {
    fn games(&self) -> MutexGuard<'_, Games> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All games: those in progress, then those that ended, the most recent first.
    pub fn all(&self) -> Vec<LiveGame> {
        let games = self.games();
        games
            .under_way
            .iter()
            .chain(&games.ended)
            .cloned()
            .collect()
    }

    /// The game with this number, if it is in progress or remembered.
    pub fn game(&self, number: u64) -> Option<LiveGame> {
        let games = self.games();
        let mut all = games.under_way.iter().chain(&games.ended);
        all.find(|game| game.number == number).cloned()
    }

    /// Begins a game between two agents, from the game's own start; `first` is the index of the agent that moves first. The
    /// returned agents play as before, and their moves are recorded.
    pub fn sit_down(
        &self,
        game: GameSpec,
        agents: [Agent; 2],
        first: usize,
    ) -> ([Agent; 2], Seated) {
        let mut players = agents.each_ref().map(|agent| agent.spec().to_string());
        players.rotate_left(first % 2);
        let mut games = self.games();
        games.last += 1;
        let number = games.last;
        games.under_way.push(LiveGame {
            number,
            game,
            players,
            moves: Vec::new(),
            result: None,
        });
        drop(games);
        let agents = agents.map(|agent| {
            let spec = agent.spec().clone();
            let heard = Heard {
                agent,
                number,
                live: self.clone(),
                rng_seed: 0,
            };
            Agent::with_agent(spec, Box::new(heard))
        });
        let live = self.clone();
        (agents, Seated { number, live })
    }

    fn played(&self, number: u64, mv: AnyMove) {
        let mut games = self.games();
        if let Some(game) = games
            .under_way
            .iter_mut()
            .find(|game| game.number == number)
        {
            game.moves.push(mv);
        }
    }
}

/// A game that is recorded. Dropping this before the game has ended removes the game from the list.
#[derive(Debug)]
pub struct Seated {
    number: u64,
    live: Live,
}

impl Seated {
    /// Notes that the game has ended.
    pub fn end(self, record: &GameRecord) {
        let mut games = self.live.games();
        let place = games
            .under_way
            .iter()
            .position(|game| game.number == self.number);
        if let Some(place) = place {
            let mut game = games.under_way.remove(place);
            game.result = Some(record.result_text());
            games.ended.push_front(game);
            games.ended.truncate(REMEMBERED);
        }
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        let mut games = self.live.games();
        games.under_way.retain(|game| game.number != self.number);
    }
}

/// A player whose moves are recorded.
struct Heard {
    agent: Agent,
    number: u64,
    live: Live,
    rng_seed: u64,
}

impl Thinker<AnyGame> for Heard {
    fn think(&mut self, task: Task<'_, AnyGame>) -> Result<AnyReport, Failure> {
        let Task {
            position,
            limits,
            stop,
            all_moves,
            progress,
        } = task;
        let report = self
            .agent
            .think(&position, limits, stop, all_moves, progress)?;
        if let Some(mv) = report.best
            && !stop.is_requested()
        {
            self.live.played(self.number, mv);
        }
        Ok(report)
    }

    fn forget(&mut self, rng_seed: u64) {
        self.rng_seed = rng_seed;
    }

    fn get_ready(&mut self, stop: &Stop) {
        self.agent.begin_game(self.rng_seed, stop);
    }

    fn is_deterministic(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MatchSpec, Openings, Rules, play_game_with};

    #[test]
    fn moves_are_seen_as_they_are_played() {
        let spec = MatchSpec {
            agents: ["random", "level:1"].map(|agent| agent.parse().expect("an agent")),
            game: "kalah:4x3".parse().expect("a game"),
            openings: Openings::Start,
            rng_seed: 7,
            rules: Rules::default(),
        };
        let game = AnyGame::new(spec.game);
        let live = Live::default();
        let agents = spec
            .agents
            .each_ref()
            .map(|agent| Agent::new(&agent.spec, &game, 1).expect("built"));
        let (agents, seated) = live.sit_down(spec.game, agents, 0);
        assert_eq!(live.all().len(), 1);
        let record = play_game_with(&spec, ("", 0), agents, &Stop::new());
        let record = record.expect("played").expect("not stopped");
        assert_eq!(live.game(1).expect("there").result, None);
        seated.end(&record);
        let seen = live.game(1).expect("remembered");
        assert_eq!(seen.result, Some(record.result_text()));
        let players = record.players.each_ref().map(ToString::to_string);
        assert_eq!(seen.players, players);
        let moves: Vec<AnyMove> = record.moves.iter().map(|mv| mv.mv).collect();
        assert_eq!(seen.moves, moves);
        let agents = ["random", "random"]
            .map(|agent| Agent::new(&agent.parse().expect("an agent"), &game, 1).expect("built"));
        let (_, seated) = live.sit_down(spec.game, agents, 0);
        drop(seated);
        assert_eq!(live.all().len(), 1);
    }
}
