//! The thinkers that answer the questions of a host: one for each simultaneous game.

use super::share_positions;
use kalahari_agents::{
    AgentKind, AgentSpec, AnyReport, MakeMind, Mind, NoAnswer, Player, Question, Thinker,
};
use kalahari_games::AnyGame;
use kalahari_terms::{Limits, Stop};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The most thinkers at the same time. Further games get any legal move.
const MOST: usize = 32;

/// The depth of the search for a quick first move.
const QUICK_DEPTH: u32 = 4;

/// Idle thinkers, which keep their tables, and the number of thinkers in use.
pub(super) struct Minds {
    agent: AgentSpec,
    resting: Vec<(AnyGame, Thinker)>,
    away: usize,
}

impl Minds {
    pub(super) fn new(agent: AgentSpec) -> Self {
        Minds {
            agent,
            resting: Vec::new(),
            away: 0,
        }
    }

    /// A thinker for a game, or `None` if too many are in use.
    pub(super) fn lend(&mut self, game: &AnyGame) -> Option<Thinker> {
        if self.away >= MOST {
            return None;
        }
        let mut resting = self.resting.iter();
        let place = resting.position(|(other, _)| share_positions(game, other));
        let thinker = match place {
            Some(place) => self.resting.remove(place).1,
            None => Thinker::new(make(self.agent.clone(), game.clone())).ok()?,
        };
        self.away += 1;
        Some(thinker)
    }

    /// Takes back a thinker that was lent for a game, and asks it to end its search.
    pub(super) fn give_back(&mut self, game: AnyGame, thinker: Thinker) {
        thinker.stop();
        self.away = self.away.saturating_sub(1);
        self.resting.push((game, thinker));
        // Drop the oldest, whose game may not be played again.
        if self.resting.len() > MOST {
            self.resting.remove(0);
        }
    }
}

fn make(agent: AgentSpec, game: AnyGame) -> MakeMind {
    Box::new(move || -> Result<Box<dyn Mind>, NoAnswer> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let rng_seed = since.map_or(1, |time| time.as_nanos() as u64);
        // `game` accepts the position's number of seeds, even if it is not that of its spec.
        let deep = Player::new(&agent, &game, rng_seed)?;
        let quick = match agent.kind() {
            AgentKind::Random | AgentKind::Level | AgentKind::Minimax | AgentKind::AlphaBeta => {
                None
            }
            _ => Some(Player::new(
                &AgentSpec::plain(AgentKind::AlphaBeta),
                &game,
                rng_seed,
            )?),
        };
        Ok(Box::new(QuickFirst { quick, deep }))
    })
}

/// Finds a quick move first, then better ones.
struct QuickFirst {
    quick: Option<Player>,
    deep: Player,
}

impl Mind for QuickFirst {
    fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        tell: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport, NoAnswer> {
        if let Some(quick) = &mut self.quick {
            let report = quick.choose(&question.position, Limits::depth(QUICK_DEPTH), stop)?;
            tell(&report);
        }
        self.deep.answer(question, stop, tell)
    }
}

/// Asks for the best move. Without limits, the search runs until it is stopped, or for ten minutes. An agent's own limits take
/// precedence.
pub(super) fn question(position: kalahari_games::AnyPosition, limits: Limits) -> Question {
    const LONG: Duration = Duration::from_secs(600);
    let limits = match limits.is_unlimited() {
        true => Limits::time(LONG),
        false => limits,
    };
    Question::best(position, limits)
}
