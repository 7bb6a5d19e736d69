//! The record of a game and its text form.
//!
//! ```text
//! kalahari-record 1
//! Game: kalah:6x4:standard
//! First: level:1
//! Second: random
//! Result: 1-0
//! Margin: 12
//! Ending: rules
//! Match: 1f3a6c0d9b2e4758
//! Number: 1
//! Seed: 1
//! Book: 2
//! Program: kalahari 0.2.0 (0123456789ab)
//!
//! 2
//! 5
//! 0 1.234ms seeds:3.5
//! 4 0.041ms
//! 1 0.210ms margin:-4!
//! ```
//!
//! The first line names the file format. Headers follow in any order, each only once; unknown ones are ignored. Then come an
//! empty line and a line for every move: the move, the time it took and its player's score of the
//! position: `margin`, `result`, `seeds`, `cells`, `points` or `winshare`, a colon, the amount for that player,
//! and `!` if it is proven. Older programs wrote `eval` for seeds, cells and points of every kind, which is read as points,
//! and never marked proven scores. Moves of the opening (`Book` is their number) have neither time nor score. `Start` is the
//! position before the first move, if that is not the game's own start.
//! `Result` is `1-0`, `0-1`, `1/2-1/2` or, for a game that was not played to its end, `*`, the first player first;
//! `FirstAgent` and `SecondAgent` are the players' specs if `First` and `Second` are names given to them.
//! `Margin` is the first player's. It is missing if a game was forfeited, resigned or not finished, or ended because both
//! players had proven the winner but the last one to move had not proven the margin. `Number`
//! counts the games of a match from 1. `Ending` is `rules`, `majority`, `proven`, `time`, `illegal`, `crash`,
//! `resigned` or `unfinished`; `Detail` says more. `Program` is the one that wrote this text; it is ignored on reading. A file may
//! hold many records, one after the other.

use crate::who::Who;
use crate::{UnknownName, named};
use kalahari_games::{
    AnyGame, AnyMove, AnyPosition, Game, GameSpec, IllegalMove, MoveTextError, Player,
    PositionError, SpecError, Verdict, View,
};
use kalahari_terms::{Failure, Program, Score, Unit};
use std::fmt::{self, Write};
use thiserror::Error;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By its rules.
    Rules,
    /// The winner could no longer change.
    Majority,
    /// Both agents had proven the result.
    Proven,
    /// The loser took too long.
    Time,
    /// The loser gave an illegal move, or no move.
    Illegal,
    /// The loser crashed or failed in another way.
    Crash,
    /// The loser resigned.
    Resigned,
    /// It was not played to its end: there is no winner.
    Unfinished,
}

named!(
    Ending,
    "endings are rules, majority, proven, time, illegal, crash, resigned and unfinished",
    Rules "rules",
    Majority "majority",
    Proven "proven",
    Time "time",
    Illegal "illegal",
    Crash "crash",
    Resigned "resigned",
    Unfinished "unfinished",
);

impl Ending {
    /// Whether the loser forfeited the game by exceeding the time, an illegal move or a crash.
    pub const fn is_forfeit(self) -> bool {
        matches!(self, Ending::Time | Ending::Illegal | Ending::Crash)
    }
}

impl From<&Failure> for Ending {
    fn from(failure: &Failure) -> Self {
        match failure {
            Failure::TimedOut(_) => Ending::Time,
            Failure::Illegal(_) => Ending::Illegal,
            Failure::Crashed(_) => Ending::Crash,
        }
    }
}

/// A move of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedMove {
    /// The move.
    pub mv: AnyMove,
    /// The time it took in microseconds; `None` in an opening.
    pub micros: Option<u64>,
    /// Its player's score of the position, from that player's point of view.
    pub score: Option<Score>,
}

impl RecordedMove {
    /// A move of an opening.
    pub const fn book(mv: AnyMove) -> Self {
        RecordedMove {
            mv,
            micros: None,
            score: None,
        }
    }
}

/// A game, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The game.
    pub game: GameSpec,
    /// The players. The one that moved first (player 0) comes first.
    pub players: [Who; 2],
    /// The position before the first move; `None` for the game's own start.
    pub start: Option<View>,
    /// How many of `moves` belong to the opening.
    pub book: usize,
    /// All moves.
    pub moves: Vec<RecordedMove>,
    /// The winner; `None` for a draw and for an unfinished game.
    pub winner: Option<Player>,
    /// The first player's margin; `None` if it is not known.
    pub margin: Option<i32>,
    /// Why the game ended.
    pub ending: Ending,
    /// Details of the ending, on one line.
    pub detail: String,
    /// The match's id; may be empty.
    pub match_id: String,
    /// The game's number in the match, from 0. In even-numbered games the match's first agent moves first.
    pub number: u32,
    /// The match's seed.
    pub rng_seed: u64,
}

/// The first line of every record.
pub const FIRST_LINE: &str = "kalahari-record 1";

/// The headers of both players: their names, and their agents where those differ from the names.
const PLAYERS: [(&str, &str); 2] = [("First", "FirstAgent"), ("Second", "SecondAgent")];

/// The result of a game that was not played to its end.
const UNFINISHED: &str = "*";

impl GameRecord {
    /// The pair the game belongs to.
    pub fn pair(&self) -> u32 {
        self.number / 2
    }

    /// Which player the match's first agent was.
    pub fn seat_of_a(&self) -> Player {
        Player::BOTH[(self.number % 2) as usize]
    }

    /// The result for a player; `None` for an unfinished game, which is never counted.
    pub fn verdict(&self, player: Player) -> Option<Verdict> {
        match self.winner {
            _ if self.ending == Ending::Unfinished => None,
            None => Some(Verdict::Draw),
            Some(winner) if winner == player => Some(Verdict::Win),
            Some(_) => Some(Verdict::Loss),
        }
    }

    /// The result as it is written: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn result_text(&self) -> &'static str {
        match self.winner {
            None if self.ending == Ending::Unfinished => UNFINISHED,
            Some(Player::First) => "1-0",
            Some(Player::Second) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The time both players thought, in seconds.
    pub fn seconds(&self) -> f64 {
        self.moves.iter().filter_map(|mv| mv.micros).sum::<u64>() as f64 / 1e6
    }

    /// All moves in one line.
    pub fn moves_text(&self) -> String {
        words(&self.moves, |mv| Some(mv.mv))
    }

    /// The moves of the opening.
    pub fn opening(&self) -> &[RecordedMove] {
        &self.moves[..self.book.min(self.moves.len())]
    }

    /// Replays the moves. Returns the game and every position, including the one before the first move.
    pub fn replay(&self) -> Result<(AnyGame, Vec<AnyPosition>), ReplayError> {
        let (game, mut position) = match &self.start {
            Some(start) => AnyGame::at_view(self.game, start)?,
            None => {
                let game = AnyGame::new(self.game);
                let start = game.start();
                (game, start)
            }
        };
        let mut positions = vec![position];
        for (number, mv) in (1..).zip(&self.moves) {
            let next = game.play(&position, mv.mv);
            position = next.map_err(|problem| ReplayError::Move { number, problem })?;
            positions.push(position);
        }
        Ok((game, positions))
    }

    /// Reads the one or more records of a text. An illegal move is an error.
    pub fn read_all(text: &str) -> Result<Vec<GameRecord>, RecordError> {
        /// A line without blanks around it, and without the byte order mark that some editors put before a text.
        fn clean(line: &str) -> &str {
            line.strip_prefix('\u{feff}').unwrap_or(line).trim()
        }
        let lines: Vec<(usize, &str)> = (1..).zip(text.lines().map(clean)).collect();
        let mut records = Vec::new();
        let mut rest = &lines[..];
        while let Some(skip) = rest.iter().position(|(_, line)| !line.is_empty()) {
            rest = &rest[skip..];
            let end = rest[1..]
                .iter()
                .position(|(_, line)| *line == FIRST_LINE)
                .map_or(rest.len(), |place| place + 1);
            records.push(read(&rest[..end])?);
            rest = &rest[end..];
        }
        match records.is_empty() {
            true => Err(wrong(1, RecordProblem::FirstLine)),
            false => Ok(records),
        }
    }
}

/// One word for every move, separated by blanks; `-` where `word` gives none.
pub fn words<W: fmt::Display>(
    moves: &[RecordedMove],
    word: impl Fn(&RecordedMove) -> Option<W>,
) -> String {
    let mut text = String::with_capacity(8 * moves.len());
    for mv in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        match word(mv) {
            // Writing to a string does not fail.
            Some(word) => {
                let _ = write!(text, "{word}");
            }
            None => text.push('-'),
        }
    }
    text
}

/// Why a record's moves cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// Its start is not a valid position.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A move is illegal.
    #[error("move {number}: {problem}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// Why it is illegal.
        problem: IllegalMove,
    },
}

/// Why a text is not a record of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad record, line {line}: {problem}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: RecordProblem,
}

/// What is wrong with a line of a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordProblem {
    /// The first line of a record is not there.
    #[error("a record begins with the line '{FIRST_LINE}'")]
    FirstLine,
    /// The line is not a header.
    #[error("a header looks like 'Key: value'")]
    Header,
    /// A required header is missing.
    #[error("the header '{0}' is missing")]
    Missing(&'static str),
    /// A header stands twice.
    #[error("the header '{key}' stands twice; the first one is in line {first}")]
    Twice {
        /// The header.
        key: &'static str,
        /// Where it stands first.
        first: usize,
    },
    /// A header's value is not a valid number.
    #[error("{0} is not a whole number, or too large")]
    Number(&'static str),
    /// It does not name a game.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// It does not name an ending.
    #[error(transparent)]
    Ending(#[from] UnknownName),
    /// It is not a result.
    #[error("a result is 1-0, 0-1, 1/2-1/2 or *")]
    Result,
    /// Result and ending contradict each other.
    #[error("the result is * exactly when the ending is 'unfinished'")]
    Star,
    /// It is not a position.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// It is not a move.
    #[error(transparent)]
    Move(#[from] MoveTextError),
    /// The move is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// A word after a move is neither a time nor a score.
    #[error("'{0}' is neither a time like 1.250ms nor a value like seeds:3")]
    Word(String),
    /// There are fewer moves than the opening should have.
    #[error("the opening is longer than the game")]
    Book,
}

fn wrong(line: usize, problem: impl Into<RecordProblem>) -> RecordError {
    let problem = problem.into();
    RecordError { line, problem }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}")?;
        writeln!(f, "Game: {}", self.game)?;
        for ((name, agent), player) in PLAYERS.iter().zip(&self.players) {
            writeln!(f, "{name}: {}", player.name)?;
            if player.agent != player.name {
                writeln!(f, "{agent}: {}", player.agent)?;
            }
        }
        writeln!(f, "Result: {}", self.result_text())?;
        if let Some(margin) = self.margin {
            writeln!(f, "Margin: {margin}")?;
        }
        writeln!(f, "Ending: {}", self.ending)?;
        if !self.detail.is_empty() {
            writeln!(f, "Detail: {}", self.detail)?;
        }
        if !self.match_id.is_empty() {
            writeln!(f, "Match: {}", self.match_id)?;
        }
        writeln!(f, "Number: {}", u64::from(self.number) + 1)?;
        writeln!(f, "Seed: {}", self.rng_seed)?;
        writeln!(f, "Book: {}", self.book)?;
        writeln!(f, "Program: {}", Program::maker())?;
        if let Some(start) = &self.start {
            writeln!(f, "Start: {start}")?;
        }
        writeln!(f)?;
        for RecordedMove { mv, micros, score } in &self.moves {
            write!(f, "{mv}")?;
            if let Some(micros) = micros {
                write!(f, " {}.{:03}ms", micros / 1_000, micros % 1_000)?;
            }
            if let Some(score) = score {
                write!(f, " {}", ScoreText(*score))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The unit's name in older records, for evaluations of every kind.
const OLD_POINTS: &str = "eval";

/// A score as a record writes it: `seeds:3.5`, or `margin:-4!` if it is proven.
pub struct ScoreText(pub Score);

impl fmt::Display for ScoreText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let proven = if self.0.is_proven() { "!" } else { "" };
        let worth = self.0.worth();
        write!(f, "{}:{}{proven}", worth.unit().name(), worth.amount())
    }
}

/// Reads a score of `player` that [`ScoreText`] wrote.
fn read_score(text: &str, player: Player) -> Option<Score> {
    let (unit, amount) = text.split_once(':')?;
    let unit = match unit {
        OLD_POINTS => Unit::Points,
        _ => Unit::ALL.into_iter().find(|known| known.name() == unit)?,
    };
    let proven = amount.strip_suffix('!');
    let worth = unit.worth(proven.unwrap_or(amount).parse().ok()?)?;
    Some(match proven {
        Some(_) => Score::proven(player, worth),
        None => Score::estimate(player, worth),
    })
}

/// Reads `12.345ms` into microseconds.
fn read_micros(text: &str) -> Option<u64> {
    let (whole, part) = text.strip_suffix("ms")?.split_once('.')?;
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if part.len() != 3 || !digits(whole) || !digits(part) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    whole.checked_mul(1_000)?.checked_add(part.parse().ok()?)
}

/// Reads moves one after the other and plays each.
#[derive(Debug)]
pub struct MoveReader {
    game: AnyGame,
    position: AnyPosition,
}

impl MoveReader {
    /// A reader at the start of a record. Also returns the start position, if one is given.
    pub fn new(game: GameSpec, start: Option<&str>) -> Result<(Self, Option<View>), PositionError> {
        let (game, position) = AnyGame::at_or_start(game, start)?;
        let view = start.map(|_| game.view(&position));
        Ok((MoveReader { game, position }, view))
    }

    /// Reads a move and its player's score.
    pub fn read(
        &mut self,
        mv: &str,
        micros: Option<u64>,
        score: Option<&str>,
    ) -> Result<RecordedMove, RecordProblem> {
        let mv = self.game.parse_move(mv)?;
        let player = self.game.to_move(&self.position);
        self.position = self.game.play(&self.position, mv)?;
        let unknown = |text: &str| RecordProblem::Word(text.chars().take(40).collect());
        let score = score.map(|text| read_score(text, player).ok_or_else(|| unknown(text)));
        Ok(RecordedMove {
            mv,
            micros,
            score: score.transpose()?,
        })
    }

    /// Reads a line of a record.
    fn read_line(&mut self, line: &str) -> Result<RecordedMove, RecordProblem> {
        let mut words = line.split_whitespace();
        let mv = words.next().unwrap_or_default();
        let (mut micros, mut score) = (None, None);
        for word in words {
            let time = read_micros(word).filter(|_| micros.is_none());
            if time.is_some() {
                micros = time;
            } else if let Some(first) = score.replace(word) {
                return Err(RecordProblem::Word(first.chars().take(40).collect()));
            }
        }
        self.read(mv, micros, score)
    }
}

/// Reads a result and returns the winner, if there is one.
pub fn read_result(text: &str, ending: Ending) -> Result<Option<Player>, RecordProblem> {
    if (text == UNFINISHED) != (ending == Ending::Unfinished) {
        return Err(RecordProblem::Star);
    }
    match text {
        "1-0" => Ok(Some(Player::First)),
        "0-1" => Ok(Some(Player::Second)),
        "1/2-1/2" | UNFINISHED => Ok(None),
        _ => Err(RecordProblem::Result),
    }
}

/// The headers that we write.
const KEYS: [&str; 15] = [
    "Game",
    PLAYERS[0].0,
    PLAYERS[0].1,
    PLAYERS[1].0,
    PLAYERS[1].1,
    "Result",
    "Margin",
    "Ending",
    "Detail",
    "Match",
    "Number",
    "Seed",
    "Book",
    "Program",
    "Start",
];

/// The headers of a record: lines, keys and values.
struct Headers<'a> {
    first: usize,
    all: Vec<(usize, &'a str, &'a str)>,
}

impl<'a> Headers<'a> {
    /// Adds a header. The second value of a header that we know would be ignored, so it is refused.
    fn add(&mut self, line: usize, key: &'a str, value: &'a str) -> Result<(), RecordError> {
        let known = KEYS.into_iter().find(|known| *known == key);
        if let Some((key, (first, _))) = known.zip(self.find(key)) {
            return Err(wrong(line, RecordProblem::Twice { key, first }));
        }
        self.all.push((line, key, value));
        Ok(())
    }

    fn find(&self, key: &str) -> Option<(usize, &'a str)> {
        let found = self.all.iter().find(|header| header.1 == key);
        found.map(|&(line, _, value)| (line, value))
    }

    fn need(&self, key: &'static str) -> Result<(usize, &'a str), RecordError> {
        self.find(key)
            .ok_or_else(|| wrong(self.first, RecordProblem::Missing(key)))
    }

    /// The number in a header, if the header is there.
    fn number<T: std::str::FromStr>(&self, key: &'static str) -> Result<Option<T>, RecordError> {
        let read = |(line, value): (usize, &str)| {
            let number = value.parse();
            number.map_err(|_| wrong(line, RecordProblem::Number(key)))
        };
        self.find(key).map(read).transpose()
    }

    fn player(&self, seat: usize) -> Result<Who, RecordError> {
        let (name, agent) = PLAYERS[seat];
        let (_, name) = self.need(name)?;
        let agent = self.find(agent).map_or(name, |(_, agent)| agent);
        Ok(Who {
            name: name.to_owned(),
            agent: agent.to_owned(),
        })
    }

    fn text(&self, key: &str) -> String {
        self.find(key).map_or("", |header| header.1).to_owned()
    }
}

/// Reads one record.
fn read(lines: &[(usize, &str)]) -> Result<GameRecord, RecordError> {
    let (first, text) = lines[0];
    if text != FIRST_LINE {
        return Err(wrong(first, RecordProblem::FirstLine));
    }
    let mut headers = Headers {
        first,
        all: Vec::new(),
    };
    let mut body = lines[1..].iter();
    for &(number, line) in body.by_ref() {
        if line.is_empty() {
            break;
        }
        let (key, value) = line
            .split_once(':')
            .ok_or_else(|| wrong(number, RecordProblem::Header))?;
        headers.add(number, key.trim(), value.trim())?;
    }
    let (line, game) = headers.need("Game")?;
    let game: GameSpec = game
        .parse()
        .map_err(|error: SpecError| wrong(line, error))?;
    let (line, ending) = headers.need("Ending")?;
    let ending: Ending = ending
        .parse()
        .map_err(|error: UnknownName| wrong(line, error))?;
    let (line, result) = headers.need("Result")?;
    let winner = read_result(result, ending).map_err(|problem| wrong(line, problem))?;
    let start = headers.find("Start");
    let (mut reader, start) = MoveReader::new(game, start.map(|(_, text)| text))
        .map_err(|error| wrong(start.map_or(first, |(line, _)| line), error))?;
    let mut moves = Vec::new();
    for &(number, line) in body.filter(|(_, line)| !line.is_empty()) {
        let mv = reader.read_line(line);
        moves.push(mv.map_err(|problem| wrong(number, problem))?);
    }
    let book: usize = headers.number("Book")?.unwrap_or(0);
    if book > moves.len() {
        return Err(wrong(first, RecordProblem::Book));
    }
    let number: u64 = headers.number("Number")?.unwrap_or(0);
    Ok(GameRecord {
        game,
        players: [headers.player(0)?, headers.player(1)?],
        start,
        book,
        moves,
        winner,
        margin: headers.number("Margin")?,
        ending,
        detail: headers.text("Detail"),
        match_id: headers.text("Match"),
        number: u32::try_from(number.saturating_sub(1))
            .map_err(|_| wrong(first, RecordProblem::Number("Number")))?,
        rng_seed: headers.number("Seed")?.unwrap_or(0),
    })
}
