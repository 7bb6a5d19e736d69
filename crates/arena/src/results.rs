//! Counting finished games, each once.

use crate::stats::Tally;
use kalahari_games::{AnyMove, Player, Verdict, View};
use kalahari_record::{Ending, GameRecord};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// Whether two agents repeat the same game from the same opening. A game that gives no new information is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Both are deterministic, so equal games count as one.
    Certain,
    /// One is an external program. Equal games count as one until the two have played an opening in two different ways.
    Possible,
    /// The moves depend on chance or a clock, so equal games are a coincidence.
    Chance,
}

impl Repetition {
    /// All values.
    pub const ALL: [Repetition; 3] = [Self::Certain, Self::Possible, Self::Chance];

    /// The name of the value.
    pub const fn name(self) -> &'static str {
        match self {
            Repetition::Certain => "certain",
            Repetition::Possible => "possible",
            Repetition::Chance => "chance",
        }
    }
}

/// What is kept of a finished game for counting.
#[derive(Clone, Debug, PartialEq)]
pub struct Brief {
    /// The game's number.
    pub number: u32,
    /// The first agent's result.
    pub verdict: Verdict,
    /// The first agent's margin, where it is known.
    pub margin: Option<i32>,
    /// Why the game ended.
    pub ending: Ending,
    /// Details of the ending.
    pub detail: String,
    /// The number of moves, including the opening's.
    pub plies: usize,
    /// How long both players thought, in seconds.
    pub seconds: f64,
    /// How many of its moves belong to the opening.
    book: usize,
    /// Everything that distinguishes a game of these agents from another; `None` if the moves depend on chance or a clock.
    identity: Option<Sequence>,
    /// Whether the agents are known to be deterministic.
    is_certain: bool,
}

/// A seat, a start and all moves from it.
type Sequence = (Player, Option<View>, Vec<AnyMove>);

impl Brief {
    /// The brief of a record; `None` if the game is not finished.
    pub fn new(record: &GameRecord, repetition: Repetition) -> Option<Self> {
        let seat = record.seat_of_a();
        Some(Brief {
            number: record.number,
            verdict: record.verdict(seat)?,
            margin: record.margin.map(|margin| margin * seat.sign()),
            ending: record.ending,
            detail: record.detail.clone(),
            plies: record.moves.len(),
            seconds: record.seconds(),
            book: record.book,
            identity: (repetition != Repetition::Chance).then(|| {
                let moves = record.moves.iter().map(|mv| mv.mv);
                (seat, record.start.clone(), moves.collect())
            }),
            is_certain: repetition == Repetition::Certain,
        })
    }
}

/// Games that an agent forfeited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forfeits {
    /// By taking too long.
    pub time: u64,
    /// By an illegal move, or by giving no move.
    pub illegal: u64,
    /// By crashing or failing in another way.
    pub crash: u64,
}

impl Forfeits {
    /// The number of all forfeits.
    pub const fn total(&self) -> u64 {
        self.time + self.illegal + self.crash
    }
}

/// The running count of a match. Games may come in any order. Equal games of deterministic agents count once. Agents that may or
/// may not be deterministic are assumed to be, until they have played an opening in two different ways: then every game counts.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    tally: Tally,
    forfeits: [Forfeits; 2],
    /// The reason for each agent's first forfeit.
    reasons: [Option<String>; 2],
    /// Games that equal an earlier one and are not counted.
    repeats: Vec<Brief>,
    margins: (i64, u64),
    plies: u64,
    seconds: f64,
    waiting: HashMap<u32, Verdict>,
    seen: HashSet<Sequence>,
    /// How the openings were continued, for agents that may or may not be deterministic.
    continued: HashMap<Sequence, Vec<AnyMove>>,
    /// Whether such agents have played an opening in two different ways.
    varies: bool,
}

impl Counter {
    /// Counts a game.
    pub fn add(&mut self, brief: &Brief) {
        if let Some(sequence) = &brief.identity
            && !self.varies
        {
            if !brief.is_certain && self.is_another_way(sequence, brief.book) {
                self.varies = true;
                for repeated in std::mem::take(&mut self.repeats) {
                    self.count(&repeated);
                }
            } else if !self.seen.insert(sequence.clone()) {
                self.repeats.push(brief.clone());
                return;
            }
        }
        self.count(brief);
    }

    /// Whether the same opening, from the same seat, was continued differently before.
    fn is_another_way(&mut self, (seat, start, moves): &Sequence, book: usize) -> bool {
        let (opening, rest) = moves.split_at(book.min(moves.len()));
        let opening = (*seat, start.clone(), opening.to_vec());
        let before = self.continued.entry(opening);
        before.or_insert_with(|| rest.to_vec()) != rest
    }

    fn count(&mut self, brief: &Brief) {
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

    /// Wins, draws, losses and pairs from the first agent's point of view.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The games each agent forfeited.
    pub fn forfeits(&self) -> &[Forfeits; 2] {
        &self.forfeits
    }

    /// The reason for an agent's first forfeit; agents are numbered 0 and 1.
    pub fn first_reason(&self, agent: usize) -> Option<&str> {
        self.reasons.get(agent)?.as_deref()
    }

    /// The number of games that repeated an earlier one move for move and were not counted again.
    pub fn repeats(&self) -> u64 {
        self.repeats.len() as u64
    }

    /// The first agent's average margin over games whose margin is known.
    pub fn average_margin(&self) -> Option<f64> {
        let (sum, games) = self.margins;
        (games > 0).then(|| sum as f64 / games as f64)
    }

    /// The total number of moves of all games counted.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// The total time that both players thought, in seconds.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }
}

/// Removes the games of one match that repeat an earlier one move for move, and returns how many were removed. A match in which some
/// opening was continued in two different ways keeps all games: its players vary, so equal games are a coincidence. This is how
/// [`Counter`] counts, for callers that have only the records and do not know the agents.
pub(crate) fn without_repeats(mut games: Vec<GameRecord>) -> (Vec<GameRecord>, u64) {
    let mut counter = Counter::default();
    let mut repeats = HashSet::new();
    for game in &games {
        let Some(brief) = Brief::new(game, Repetition::Possible) else {
            continue;
        };
        let before = counter.repeats();
        counter.add(&brief);
        if counter.repeats() > before {
            repeats.insert(game.number);
        }
    }
    if counter.varies {
        return (games, 0);
    }
    games.retain(|game| !repeats.contains(&game.number));
    (games, repeats.len() as u64)
}
