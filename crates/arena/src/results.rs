//! Counting finished games, each once.

use crate::stats::Tally;
use kalahari_games::{AnyMove, Player, Verdict, View};
use kalahari_record::{Ending, GameRecord};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// What is kept of a finished game for counting.
#[derive(Clone, Debug, PartialEq)]
pub struct Brief {
    /// The game's number.
    pub number: u32,
    /// The first agent's result.
    pub verdict: Verdict,
    /// The first agent's margin, where it is known.
    pub margin: Option<i32>,
    /// Why it was over.
    pub ending: Ending,
    /// More about that.
    pub detail: String,
    /// The number of moves, the opening's included.
    pub plies: usize,
    /// How long both players thought, in seconds.
    pub seconds: f64,
    /// Everything that tells a game between agents without chance from another; `None` if chance plays.
    identity: Option<Sequence>,
}

/// A seat, a start and all moves from it.
type Sequence = (Player, Option<View>, Vec<AnyMove>);

impl Brief {
    /// The brief of a record; `None` if the game is not finished. `repeatable` says that both agents always answer alike.
    pub fn new(record: &GameRecord, repeatable: bool) -> Option<Self> {
        let seat = record.seat_of_a();
        Some(Brief {
            number: record.number,
            verdict: record.verdict(seat)?,
            margin: record.margin.map(|margin| margin * seat.sign()),
            ending: record.ending,
            detail: record.detail.clone(),
            plies: record.moves.len(),
            seconds: record.seconds(),
            identity: repeatable.then(|| {
                let moves = record.moves.iter().map(|mv| mv.mv);
                (seat, record.start.clone(), moves.collect())
            }),
        })
    }
}

/// Games that an agent forfeited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forfeits {
    /// By taking too long.
    pub time: u64,
    /// By an illegal move, or none.
    pub illegal: u64,
    /// By failing.
    pub crash: u64,
}

impl Forfeits {
    /// All of them.
    pub const fn total(&self) -> u64 {
        self.time + self.illegal + self.crash
    }
}

/// The running count of a match. Games may come in any order; a game that both agents would always play
/// alike counts once.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    tally: Tally,
    forfeits: [Forfeits; 2],
    /// The first reason of a forfeit of each agent.
    reasons: [Option<String>; 2],
    repeats: u64,
    margins: (i64, u64),
    plies: u64,
    seconds: f64,
    waiting: HashMap<u32, Verdict>,
    seen: HashSet<Sequence>,
}

impl Counter {
    /// Counts a game.
    pub fn add(&mut self, brief: &Brief) {
        if let Some(identity) = &brief.identity
            && !self.seen.insert(identity.clone())
        {
            self.repeats += 1;
            return;
        }
        self.tally.add(brief.verdict);
        self.plies += brief.plies as u64;
        self.seconds += brief.seconds;
        if let Some(margin) = brief.margin {
            self.margins.0 += i64::from(margin);
            self.margins.1 += 1;
        }
        if brief.ending.is_forfeit() {
            let loser = usize::from(brief.verdict == Verdict::Win);
            let forfeits = &mut self.forfeits[loser];
            match brief.ending {
                Ending::Time => forfeits.time += 1,
                Ending::Illegal => forfeits.illegal += 1,
                _ => forfeits.crash += 1,
            }
            self.reasons[loser].get_or_insert_with(|| {
                format!(
                    "game {}: {}: {}",
                    brief.number + 1,
                    brief.ending.name(),
                    brief.detail
                )
            });
        }
        let pair = brief.number / 2;
        match self.waiting.remove(&pair) {
            None => {
                self.waiting.insert(pair, brief.verdict);
            }
            Some(other) => self.tally.add_pair([brief.verdict, other]),
        }
    }

    /// Wins, draws, losses and pairs from the first agent's side.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What each agent forfeited.
    pub fn forfeits(&self) -> &[Forfeits; 2] {
        &self.forfeits
    }

    /// Why each agent first forfeited a game.
    pub fn first_reason(&self, agent: usize) -> Option<&str> {
        self.reasons.get(agent)?.as_deref()
    }

    /// Games that had been played before, move for move, and were not counted again.
    pub fn repeats(&self) -> u64 {
        self.repeats
    }

    /// The first agent's average margin over games whose margin is known.
    pub fn average_margin(&self) -> Option<f64> {
        let (sum, games) = self.margins;
        (games > 0).then(|| sum as f64 / games as f64)
    }

    /// All moves of all games counted.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// How long all players thought, in seconds.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }
}
