//! Whether a record is one that a match can have given, whoever has written it.
//!
//! A match decides who sits where, how each game begins, and when it is over. What agents have thought is theirs: a record cannot show
//! that a move is one that the agent would have made, that an agent has failed, or that a proof is right. A proof can still be one that the
//! scores of the record speak of, and a margin one that the position allows.

use crate::openings::{Beginnings, Openings};
use crate::play::{early_end, proven_end};
use crate::spec::{MatchSpec, Rules};
use crate::who::who;
use crate::{ArenaError, Hands};
use kalahari_agents::{AgentKind, AgentSpec, OptionKey};
use kalahari_games::{AnyGame, AnyPosition, Game, GameSpec, Player};
use kalahari_record::{Ending, GameRecord, Who};
use thiserror::Error;

/// What is wrong with a record, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unruly(String);

impl Unruly {
    fn new(what: impl Into<String>) -> Self {
        Unruly(what.into())
    }
}

/// Knows what a match decides about its games.
#[derive(Debug)]
pub struct Referee {
    game: GameSpec,
    who: [Who; 2],
    rng_seed: u64,
    rules: Rules,
    /// Whether each agent could be too late.
    may_be_late: [bool; 2],
    /// How many moves every opening has, if all have as many.
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

    /// Plays the moves of a record, and compares with the match: its game, seed and seats, the length of its opening, how it ended
    /// and with which result.
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
                    "'{there}' has the seat of '{wanted}', or goes by another name"
                )));
            }
        }
        if self.book.is_some_and(|book| book != record.book) {
            return Err(Unruly::new("its opening has another length"));
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
                return Err(Unruly::new("it goes on after its end"));
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
                "nobody could be late: there is no limit of time",
            )),
            // Whoever was to move has lost.
            Ending::Time | Ending::Illegal | Ending::Crash => {
                match (record.winner, record.margin) == (Some(!mover), None) {
                    true => Ok(()),
                    false => Err(Unruly::new("whoever failed has not lost")),
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
            "nobody can reach a margin of {margin:+} from there"
        ))),
    }
}

/// Whether an agent could take too long. Of those that choose for themselves how much they do, nobody knows.
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

/// How the games of a match begin, made as far as anybody has asked.
#[derive(Debug)]
pub struct OpeningList(Beginnings);

impl OpeningList {
    /// The openings of a match. Whether balanced ones are even has to be known already, in the folder `hands.cache`: where it is not, any
    /// opening will do.
    pub fn new(spec: &MatchSpec, pairs: u32, hands: &Hands<'_>) -> Result<Self, ArenaError> {
        Beginnings::new(spec, pairs as usize, hands).map(OpeningList)
    }

    /// Makes sure that a game begins as its number says. Its moves have been played through.
    pub fn check(&mut self, record: &GameRecord) -> Result<(), Unruly> {
        match self.0.is_opening(record) {
            true => Ok(()),
            false => Err(Unruly::new(
                "it does not begin with the opening of its number",
            )),
        }
    }
}
