//! Counting finished games, each once.

use crate::stats::Tally;
use kalahari_games::{AnyMove, Player, Verdict, View};
use kalahari_record::{Ending, GameRecord};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// Whether two agents play the same game again from the same opening. A game that says nothing new is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Both always answer alike, so equal games are one game.
    Certain,
    /// One is somebody else's program. Equal games are one game until the two have played an opening in two ways.
    Possible,
    /// Chance or a clock plays, so equal games are a coincidence.
    Chance,
}

impl Repetition {
    /// All of them.
    pub const ALL: [Repetition; 3] = [Self::Certain, Self::Possible, Self::Chance];

    /// Its name.
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
    /// Why it was over.
    pub ending: Ending,
    /// More about that.
    pub detail: String,
    /// The number of moves, the opening's included.
    pub plies: usize,
    /// How long both players thought, in seconds.
    pub seconds: f64,
    /// How many of its moves are the opening's.
    book: usize,
    /// Everything that tells a game between agents without chance from another; `None` if chance plays.
    identity: Option<Sequence>,
    /// Whether the agents are known to answer alike.
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
/// alike counts once. Agents that may or may not are believed to, until they have played an opening in two ways: then every game counts.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    tally: Tally,
    forfeits: [Forfeits; 2],
    /// The first reason of a forfeit of each agent.
    reasons: [Option<String>; 2],
    /// Games that equal an earlier one and are not counted.
    repeats: Vec<Brief>,
    margins: (i64, u64),
    plies: u64,
    seconds: f64,
    waiting: HashMap<u32, Verdict>,
    seen: HashSet<Sequence>,
    /// How the openings went on, of agents that may or may not answer alike.
    continued: HashMap<Sequence, Vec<AnyMove>>,
    /// Such agents have played an opening in two ways.
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

    /// Whether the same opening, from the same seat, went on otherwise before.
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
        self.repeats.len() as u64
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

/// Takes out the games of one match that repeat an earlier one move for move, and says how many they were. A match in which some opening
/// went on in two ways keeps all: its players vary, so equal games are a coincidence. This is how [`Counter`] counts, for whoever
/// has only the records and does not know the agents.
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
