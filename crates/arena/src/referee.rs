//! Checks whether a record could have come from a match, whatever program wrote it.
//!
//! A match decides the seats, how each game begins, and when it is over. The agents' decisions cannot be checked: a record cannot
//! show that the agent would have made a move, that an agent has failed, or that a proof is right. It can be checked that the
//! recorded scores contain a claimed proof, and that the position allows a claimed margin.

use crate::openings::{Beginnings, Openings};
use crate::play::{early_end, proven_end};
use crate::spec::{MatchSpec, Rules};
use crate::who::who;
use crate::{ArenaError, Hands};
use kalahari_agents::{AgentKind, AgentSpec, OptionKey};
use kalahari_games::{AnyGame, AnyPosition, Game, GameSpec, Player};
use kalahari_record::{Ending, GameRecord, Who};
use thiserror::Error;

/// What is wrong with a record, as text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unruly(String);

impl Unruly {
    fn new(what: impl Into<String>) -> Self {
        Unruly(what.into())
    }
}

/// Checks records against what a match decides about its games.
#[derive(Debug)]
pub struct Referee {
    game: GameSpec,
    who: [Who; 2],
    rng_seed: u64,
    rules: Rules,
    /// Whether each agent could be too late.
    may_be_late: [bool; 2],
    /// How many moves every opening has, if all have the same number.
    book: Option<usize>,
}

impl Referee {
    /// The referee of a match.
    pub fn new(spec: &MatchSpec) -> Self {
        Referee {
            game: spec.game,
            who: spec.agents.each_ref().map(who),
            rng_seed: spec.rng_seed,
            rules: spec.rules,
            may_be_late: spec
                .specs()
                .each_ref()
                .map(|agent| may_be_late(agent, &spec.rules)),
            book: match &spec.openings {
                Openings::Start => Some(0),
                Openings::Random(length) | Openings::Balanced(length) => Some(*length as usize),
                Openings::Lines { .. } => None,
            },
        }
    }

    /// Replays a record and compares it with the match: its game, seed and seats, the length of its opening, how it ended, and
    /// its result.
    pub fn check(&self, record: &GameRecord) -> Result<(), Unruly> {
        if record.game != self.game {
            return Err(Unruly::new(format!("it is a game of {}", record.game)));
        }
        if record.rng_seed != self.rng_seed {
            return Err(Unruly::new(format!("its seed is {}", record.rng_seed)));
        }
        let first = record.seat_of_a().index();
        for (seat, agent) in [(0, first), (1, 1 - first)] {
            let (there, wanted) = (&record.players[seat], &self.who[agent]);
            if there != wanted {
                let (there, wanted) = (&there.agent, &wanted.agent);
                return Err(Unruly::new(format!(
                    "'{there}' has the seat of '{wanted}', or has a different name"
                )));
            }
        }
        if self.book.is_some_and(|book| book != record.book) {
            return Err(Unruly::new("its opening has a different length"));
        }
        let (game, positions) = record
            .replay()
            .map_err(|error| Unruly::new(error.to_string()))?;
        self.check_result(record, &game, &positions)
    }

    fn check_result(
        &self,
        record: &GameRecord,
        game: &AnyGame,
        positions: &[AnyPosition],
    ) -> Result<(), Unruly> {
        let (Some(played), Some(last)) = (positions.get(record.book..), positions.last()) else {
            return Err(Unruly::new("its opening is longer than the game"));
        };
        let mut proofs = [None; 2];
        for (ply, position) in played.iter().enumerate() {
            let mut end = early_end(game, position, &self.rules);
            if let Some(before) = ply.checked_sub(1) {
                let mover = game.to_move(&played[before]);
                let score = record.moves[record.book + before].score;
                proofs[mover.index()] = score.map(|score| score.seen_by(mover));
                end = end.or_else(|| proven_end(game, mover, proofs, &self.rules));
            }
            let Some(end) = end else { continue };
            if ply + 1 != played.len() {
                return Err(Unruly::new("it continues after its end"));
            }
            if end.ending != record.ending {
                let (there, wanted) = (record.ending.name(), end.ending.name());
                return Err(Unruly::new(format!(
                    "it ends by '{wanted}', not by '{there}'"
                )));
            }
            if (end.winner, end.margin) != (record.winner, record.margin) {
                return Err(Unruly::new(format!(
                    "the result {} does not follow from its moves",
                    record.result_text()
                )));
            }
            return match end.ending {
                Ending::Proven => possible(game, last, record.margin),
                _ => Ok(()),
            };
        }
        let mover = game.to_move(last);
        let loser = usize::from(mover != record.seat_of_a());
        match record.ending {
            Ending::Time if !self.may_be_late[loser] => Err(Unruly::new(
                "no agent could be late: there is no time limit",
            )),
            // The player to move has lost.
            Ending::Time | Ending::Illegal | Ending::Crash => {
                match (record.winner, record.margin) == (Some(!mover), None) {
                    true => Ok(()),
                    false => Err(Unruly::new("the player that failed did not lose")),
                }
            }
            Ending::Rules | Ending::Unfinished => Err(Unruly::new("it is not over")),
            ending @ (Ending::Majority | Ending::Proven | Ending::Resigned) => {
                let name = ending.name();
                Err(Unruly::new(format!("it cannot end by '{name}' here")))
            }
        }
    }
}

/// Whether the first player can still reach a margin.
fn possible(game: &AnyGame, last: &AnyPosition, margin: Option<i32>) -> Result<(), Unruly> {
    let Some(margin) = margin.filter(|_| game.has_margins()) else {
        return Ok(());
    };
    let (least, most) = game.reachable(last);
    let own = match game.to_move(last) {
        Player::First => margin,
        Player::Second => -margin,
    };
    match (least..=most).contains(&own) {
        true => Ok(()),
        false => Err(Unruly::new(format!(
            "a margin of {margin:+} cannot be reached from its last position"
        ))),
    }
}

/// Whether an agent could take too long. Agents that choose their own effort always could.
fn may_be_late(agent: &AgentSpec, rules: &Rules) -> bool {
    let limits = &rules.limits;
    let searches = matches!(
        agent.kind(),
        AgentKind::Minimax | AgentKind::AlphaBeta | AgentKind::Mcts | AgentKind::Engine
    );
    if !searches || rules.clock.is_some() || limits.clock.is_some() || limits.time.is_some() {
        return true;
    }
    match agent.has_own_limits() {
        true => agent.option(OptionKey::Time).is_some(),
        false => limits.is_unlimited() && agent.kind().unattended_limits().time.is_some(),
    }
}

/// How the games of a match begin. Random openings are made only when needed.
#[derive(Debug)]
pub struct OpeningList(Beginnings);

impl OpeningList {
    /// The openings of a match. For balanced openings the folder `hands.cache` has to hold the verdicts; without them any
    /// opening is accepted.
    pub fn new(spec: &MatchSpec, pairs: u32, hands: &Hands<'_>) -> Result<Self, ArenaError> {
        Beginnings::new(spec, pairs as usize, hands).map(OpeningList)
    }

    /// Checks that a game begins with the opening for its number. Its moves must have been replayed already.
    pub fn check(&mut self, record: &GameRecord) -> Result<(), Unruly> {
        match self.0.is_opening(record) {
            true => Ok(()),
            false => Err(Unruly::new(
                "it does not begin with the opening for its number",
            )),
        }
    }
}
