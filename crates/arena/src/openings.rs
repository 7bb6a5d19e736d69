//! Where games begin: the start, random positions, balanced ones, or those of a file.

use crate::{ArenaError, balance, seeds};
use kalahari_games::Game;
use kalahari_search::{Rng, Searchable, Stop};
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

/// Where the games of a match begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// At the start of the game.
    Start,
    /// After this many random moves; all positions differ.
    Random(u32),
    /// As `Random`, but only positions that look even.
    Balanced(u32),
    /// At positions or after lists of moves that somebody wrote down.
    Lines {
        /// What to call them.
        name: String,
        /// One position or list of moves a line.
        lines: Vec<String>,
    },
}

/// The most random moves of an opening.
const LONGEST: u32 = 100;

impl Openings {
    /// Reads `start`, `random:K`, `balanced:K`, or else the file of that name.
    pub fn parse(text: &str) -> Result<Openings, ArenaError> {
        let moves = |count: &str| match count.parse::<u32>() {
            Ok(count @ 0..=LONGEST) => Ok(count),
            _ => Err(ArenaError::Openings(format!(
                "'{count}' is not a number of moves from 0 to {LONGEST}"
            ))),
        };
        match text.split_once(':') {
            None if text == "start" => Ok(Openings::Start),
            Some(("random", count)) => moves(count).map(Openings::Random),
            Some(("balanced", count)) => moves(count).map(Openings::Balanced),
            _ => {
                let content = std::fs::read_to_string(text).map_err(|error| {
                    let known = "start, random:K, balanced:K or a file";
                    ArenaError::Openings(format!("'{text}' is none of {known}: {error}"))
                })?;
                let lines = content.lines().map(str::trim);
                let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
                Ok(Openings::Lines {
                    name: text.to_owned(),
                    lines: lines.map(str::to_owned).collect(),
                })
            }
        }
    }

    /// A text that tells openings apart, the content of a file included.
    pub(crate) fn key(&self) -> String {
        match self {
            Openings::Lines { lines, .. } => {
                format!("lines:{:016x}", seeds::of_text(&lines.join("\n")))
            }
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.write_str("start"),
            Openings::Random(count) => write!(f, "random:{count}"),
            Openings::Balanced(count) => write!(f, "balanced:{count}"),
            Openings::Lines { name, .. } => f.write_str(name),
        }
    }
}

/// An opening: moves from a position.
#[derive(Clone, Debug)]
pub(crate) struct Line<G: Game> {
    /// The position before the moves, if it is not the game's start.
    pub(crate) start: Option<G::Position>,
    pub(crate) moves: Vec<G::Move>,
    /// The position after them.
    pub(crate) position: G::Position,
}

/// How openings are made.
pub(crate) struct Maker<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Where balanced openings are kept.
    pub(crate) cache: Option<PathBuf>,
    pub(crate) stop: &'a Stop,
}

impl<G: Searchable> Maker<'_, G> {
    /// At most `count` openings, all different; fewer if there are no more.
    pub(crate) fn make(
        &self,
        openings: &Openings,
        count: usize,
    ) -> Result<Vec<Line<G>>, ArenaError> {
        match openings {
            Openings::Start => Ok(vec![self.line(None, Vec::new())]),
            Openings::Random(length) => {
                let mut candidates = Candidates::new(self, *length);
                Ok(std::iter::from_fn(|| candidates.next())
                    .map(|(_, line)| line)
                    .take(count)
                    .collect())
            }
            Openings::Balanced(length) => balance::make(self, *length, count),
            Openings::Lines { name, lines } => self.read(name, lines, count),
        }
    }

    /// The line of legal moves from a position.
    fn line(&self, start: Option<G::Position>, moves: Vec<G::Move>) -> Line<G> {
        let position = moves.iter().fold(
            start.unwrap_or_else(|| self.game.start()),
            |position, &mv| self.game.play_unchecked(&position, mv),
        );
        Line {
            start,
            moves,
            position,
        }
    }

    fn read(&self, name: &str, lines: &[String], count: usize) -> Result<Vec<Line<G>>, ArenaError> {
        let mut seen = HashSet::new();
        let mut openings = Vec::new();
        for (number, text) in (1..).zip(lines) {
            let line = self.read_line(text).map_err(|problem| {
                ArenaError::Openings(format!("{name}, opening {number}: {problem}"))
            })?;
            if seen.insert(line.position) && openings.len() < count {
                openings.push(line);
            }
        }
        match openings.is_empty() {
            true => Err(ArenaError::Openings(format!("{name} has no openings"))),
            false => Ok(openings),
        }
    }

    /// Reads a position or a list of moves.
    pub(crate) fn read_line(&self, text: &str) -> Result<Line<G>, String> {
        let line = match self.game.parse_position(text) {
            Ok(position) => self.line(Some(position), Vec::new()),
            Err(not_a_position) => {
                let words = text.split([' ', ',', '\t']).filter(|word| !word.is_empty());
                let mut position = self.game.start();
                let mut moves = Vec::new();
                for word in words {
                    let mv: G::Move = word
                        .parse()
                        .map_err(|not_a_move| format!("{not_a_position}; {not_a_move}"))?;
                    position = self.game.play(&position, mv).map_err(|e| e.to_string())?;
                    moves.push(mv);
                }
                self.line(None, moves)
            }
        };
        match self.game.is_over(&line.position) {
            true => Err(format!("the game is over: '{text}'")),
            false => Ok(line),
        }
    }
}

/// Random openings, all different, in an order that only the seed decides. Each has its own number and
/// generator, so that the order can be taken up again anywhere.
pub(crate) struct Candidates<'a, G: Game> {
    game: &'a G,
    seed: u64,
    length: u32,
    number: u64,
    seen: HashSet<G::Position>,
}

impl<'a, G: Searchable> Candidates<'a, G> {
    pub(crate) fn new(maker: &Maker<'a, G>, length: u32) -> Self {
        Candidates {
            game: maker.game,
            seed: maker.seed,
            length,
            number: 0,
            seen: HashSet::new(),
        }
    }

    /// The next one and its number, or `None` if there seem to be no more.
    pub(crate) fn next(&mut self) -> Option<(u64, Line<G>)> {
        let patience = 2_000 + 20 * self.seen.len();
        for _ in 0..patience {
            let number = self.number;
            self.number += 1;
            let line = self.draw(number);
            if let Some(line) = line
                && self.seen.insert(line.position)
            {
                return Some((number, line));
            }
        }
        None
    }

    /// The opening of a number; `None` if the game is over too soon.
    fn draw(&self, number: u64) -> Option<Line<G>> {
        let mut rng = Rng::new(seeds::mix([self.seed, u64::from(self.length), number]));
        let mut position = self.game.start();
        let mut moves = Vec::with_capacity(self.length as usize);
        for _ in 0..self.length {
            let count = self.game.moves(&position).count();
            let mv = self.game.moves(&position).nth(rng.below(count))?;
            moves.push(mv);
            position = self.game.play_unchecked(&position, mv);
        }
        (!self.game.is_over(&position)).then_some(Line {
            start: None,
            moves,
            position,
        })
    }
}
