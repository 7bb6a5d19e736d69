//! Where games begin: at the start, at random positions, at balanced ones, or at those of a file.

use crate::error::{LineProblem, OpeningsError};
use crate::numbered::Hands;
use crate::spec::MatchSpec;
use crate::{ArenaError, balance, rng_seeds};
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, View, is_remark};
use kalahari_record::GameRecord;
use kalahari_search::Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;

/// Where the games of a match begin. In JSON this is the word, or the name and the lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub enum Openings {
    /// At the start of the game.
    Start,
    /// After this many random moves; all positions differ.
    Random(u32),
    /// Like `Random`, but only positions that the engine judges to be even.
    Balanced(u32),
    /// At the positions or after the lists of moves of a file.
    Lines {
        /// The name of the file.
        name: String,
        /// One position or list of moves per line.
        lines: Vec<String>,
    },
}

impl Openings {
    /// The most random moves of an opening.
    pub const LONGEST: u32 = 100;

    /// Reads `start`, `random:K` or `balanced:K`; any other text is the name of a file.
    pub fn parse(text: &str) -> Result<Openings, OpeningsError> {
        match text.parse() {
            Err(OpeningsError::Word(name)) => {
                let content = std::fs::read_to_string(text)
                    .map_err(|source| OpeningsError::File { name, source })?;
                let lines = content.lines().map(str::trim);
                let lines = lines.filter(|line| !is_remark(line));
                Ok(Openings::Lines {
                    name: text.to_owned(),
                    lines: lines.map(str::to_owned).collect(),
                })
            }
            known => known,
        }
    }

    /// A text that distinguishes openings. It covers the content of a file.
    pub(crate) fn key(&self) -> String {
        match self {
            Openings::Lines { lines, .. } => {
                format!("lines:{:016x}", rng_seeds::of_text(&lines.join("\n")))
            }
            other => other.to_string(),
        }
    }
}

impl FromStr for Openings {
    type Err = OpeningsError;

    /// Reads `start`, `random:K` or `balanced:K`.
    fn from_str(text: &str) -> Result<Self, OpeningsError> {
        let moves = |count: &str| match count.parse() {
            Ok(count @ 0..=Openings::LONGEST) => Ok(count),
            _ => Err(OpeningsError::Length(count.to_owned())),
        };
        match text.split_once(':') {
            None if text == "start" => Ok(Openings::Start),
            Some(("random", count)) => moves(count).map(Openings::Random),
            Some(("balanced", count)) => moves(count).map(Openings::Balanced),
            _ => Err(OpeningsError::Word(text.to_owned())),
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

/// Openings in JSON.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Word(String),
    File(File),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    lines: Vec<String>,
}

impl From<Openings> for Form {
    fn from(openings: Openings) -> Self {
        match openings {
            Openings::Lines { name, lines } => Form::File(File { name, lines }),
            other => Form::Word(other.to_string()),
        }
    }
}

impl TryFrom<Form> for Openings {
    type Error = OpeningsError;

    fn try_from(form: Form) -> Result<Self, OpeningsError> {
        match form {
            Form::Word(word) => word.parse(),
            Form::File(File { name, lines }) => Ok(Openings::Lines { name, lines }),
        }
    }
}

/// An opening: moves from a position.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The position before the moves, if it is not the game's start.
    pub(crate) start: Option<AnyPosition>,
    pub(crate) moves: Vec<AnyMove>,
    /// The position after them.
    pub(crate) position: AnyPosition,
}

/// A callback that gets the number of openings found so far, while the search for them takes time.
pub(crate) type Found<'a> = &'a mut dyn FnMut(usize);

/// Makes openings. The result depends only on the game, the seed and the kind of openings: a shorter list is a prefix of a
/// longer one.
pub(crate) struct Maker<'a> {
    pub(crate) game: &'a AnyGame,
    pub(crate) rng_seed: u64,
    pub(crate) hands: &'a Hands<'a>,
}

impl Maker<'_> {
    /// At most `count` distinct openings; fewer if there are not that many.
    pub(crate) fn make(
        &self,
        openings: &Openings,
        count: usize,
        found: Found<'_>,
    ) -> Result<Vec<Line>, ArenaError> {
        match openings {
            Openings::Start => Ok(vec![self.line(None, Vec::new())]),
            Openings::Random(length) => {
                let mut candidates = Candidates::new(self, *length);
                Ok(std::iter::from_fn(|| candidates.next())
                    .map(|(_, line)| line)
                    .take(count)
                    .collect())
            }
            Openings::Balanced(length) => balance::make(self, *length, count, found),
            Openings::Lines { name, lines } => Ok(self.read(name, lines, count)?),
        }
    }

    /// The requested openings. If the game has none of these, others are made instead and a note says so.
    pub(crate) fn make_or_others(
        &self,
        openings: &mut Openings,
        count: usize,
        notes: &mut Vec<String>,
        found: Found<'_>,
    ) -> Result<Vec<Line>, ArenaError> {
        let lines = self.make(openings, count, found)?;
        if let Openings::Lines { name, lines: texts } = &*openings {
            let left_out = count.min(texts.len()).saturating_sub(lines.len());
            if left_out > 0 {
                notes.push(format!(
                    "{name}: {left_out} openings lead to the same positions as others and are left out"
                ));
            }
        }
        if !lines.is_empty() {
            return Ok(lines);
        }
        let length = match openings {
            Openings::Balanced(length) => *length,
            _ => 2,
        };
        for other in [Openings::Random(length), Openings::Random(2)] {
            let lines = self.make(&other, count, found)?;
            if !lines.is_empty() {
                notes.push(self.replaced(openings, other));
                return Ok(lines);
            }
        }
        notes.push(self.replaced(openings, Openings::Start));
        self.make(openings, count, found)
    }

    /// Replaces openings that do not exist, and returns a note about it.
    fn replaced(&self, openings: &mut Openings, other: Openings) -> String {
        let wanted = std::mem::replace(openings, other);
        let game = self.game.spec();
        format!("{game} has no openings {wanted}; {openings} is played instead")
    }

    /// The line of legal moves from a position.
    fn line(&self, start: Option<AnyPosition>, moves: Vec<AnyMove>) -> Line {
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

    fn read(&self, name: &str, lines: &[String], count: usize) -> Result<Vec<Line>, OpeningsError> {
        let mut seen = HashSet::new();
        let mut openings = Vec::new();
        for (number, text) in (1..).zip(lines) {
            let line = self
                .read_line(text)
                .map_err(|problem| OpeningsError::Line {
                    name: name.to_owned(),
                    number,
                    problem: Box::new(problem),
                })?;
            if seen.insert(line.position) && openings.len() < count {
                openings.push(line);
            }
        }
        match openings.is_empty() {
            true => Err(OpeningsError::Empty(name.to_owned())),
            false => Ok(openings),
        }
    }

    /// Reads a position or a list of moves.
    fn read_line(&self, text: &str) -> Result<Line, LineProblem> {
        let line = match self.game.parse_position(text) {
            Ok(position) => self.line(Some(position), Vec::new()),
            Err(position) => self.line(None, self.read_moves(text, position)?),
        };
        match self.game.is_over(&line.position) {
            true => Err(LineProblem::Over(text.to_owned())),
            false => Ok(line),
        }
    }

    /// Reads a text that is not a position as a list of moves from the game's start.
    fn read_moves(
        &self,
        text: &str,
        no_position: kalahari_games::PositionError,
    ) -> Result<Vec<AnyMove>, LineProblem> {
        let mut position = self.game.start();
        let mut moves = Vec::new();
        for word in text.split([' ', ',', '\t']).filter(|word| !word.is_empty()) {
            let mv = match self.game.parse_move(word) {
                Ok(mv) => mv,
                Err(mv) => {
                    let position = no_position;
                    return Err(LineProblem::Neither { position, mv });
                }
            };
            position = self.game.play(&position, mv)?;
            moves.push(mv);
        }
        Ok(moves)
    }
}

/// Distinct random openings, in an order that depends only on the seed. Each has its own number and
/// random generator, so that verdicts on them can be cached by number.
#[derive(Debug)]
pub(crate) struct Candidates {
    game: AnyGame,
    rng_seed: u64,
    length: u32,
    number: u64,
    seen: HashSet<AnyPosition>,
}

impl Candidates {
    pub(crate) fn new(maker: &Maker<'_>, length: u32) -> Self {
        Candidates {
            game: maker.game.clone(),
            rng_seed: maker.rng_seed,
            length,
            number: 0,
            seen: HashSet::new(),
        }
    }

    /// The next opening and its number, or `None` if there seem to be no more.
    pub(crate) fn next(&mut self) -> Option<(u64, Line)> {
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

    /// The opening with this number; `None` if the game is over too soon.
    fn draw(&self, number: u64) -> Option<Line> {
        let mut rng = Rng::new(rng_seeds::mix([
            self.rng_seed,
            u64::from(self.length),
            number,
        ]));
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

/// How the games of a match begin, to compare records with. Random openings are made only when a record needs them; only a
/// fingerprint of each is kept, since there may be millions.
#[derive(Debug)]
pub(crate) struct Beginnings {
    known: Vec<u64>,
    /// The source of more openings.
    more: Option<Candidates>,
    /// The right openings are not known, so any are accepted.
    any: bool,
}

impl Beginnings {
    pub(crate) fn new(
        spec: &MatchSpec,
        pairs: usize,
        hands: &Hands<'_>,
    ) -> Result<Self, ArenaError> {
        let game = AnyGame::new(spec.game);
        let maker = Maker {
            game: &game,
            rng_seed: spec.rng_seed,
            hands,
        };
        let (mut known, mut more) = (Vec::new(), None);
        match spec.openings {
            Openings::Random(length) => {
                let mut candidates = Candidates::new(&maker, length);
                known.extend(candidates.next().map(|(_, line)| fingerprint(&game, &line)));
                more = Some(candidates).filter(|_| !known.is_empty());
            }
            Openings::Balanced(length) => {
                let lines = balance::recall(&maker, length, pairs)?.unwrap_or_default();
                known.extend(lines.iter().map(|line| fingerprint(&game, line)));
            }
            Openings::Start | Openings::Lines { .. } => {
                let lines = maker.make(&spec.openings, pairs, &mut |_| ())?;
                known.extend(lines.iter().map(|line| fingerprint(&game, line)));
            }
        }
        Ok(Beginnings {
            any: known.is_empty(),
            known,
            more,
        })
    }

    /// Whether a game begins with the opening of its number.
    pub(crate) fn is_opening(&mut self, record: &GameRecord) -> bool {
        if self.any {
            return true;
        }
        let pair = (record.number / 2) as usize;
        while self.known.len() <= pair
            && let Some(candidates) = &mut self.more
        {
            match candidates.next() {
                Some((_, line)) => self.known.push(fingerprint(&candidates.game, &line)),
                None => self.more = None,
            }
        }
        let moves = record.moves.iter().take(record.book).map(|mv| mv.mv);
        self.known[pair % self.known.len()] == fingerprint_of(record.start.as_ref(), moves)
    }
}

/// A number that distinguishes openings within this process.
fn fingerprint(game: &AnyGame, line: &Line) -> u64 {
    let start = line.start.map(|start| game.view(&start));
    fingerprint_of(start.as_ref(), line.moves.iter().copied())
}

fn fingerprint_of(start: Option<&View>, moves: impl Iterator<Item = AnyMove>) -> u64 {
    let mut hasher = DefaultHasher::new();
    start.hash(&mut hasher);
    moves.for_each(|mv| mv.hash(&mut hasher));
    hasher.finish()
}
