//! The record of a game, and its text.
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
//!
//! 2
//! 5
//! 0 1.234ms eval:3
//! 4 0.041ms
//! ```
//!
//! The first line names the form; headers follow in any order (those nobody knows are passed over), then an
//! empty line, then a line for every move: the move, the time it took and what its player thought the
//! position worth (`eval`, `margin`, `result` or `winshare`, for that player). Moves of the opening, `Book` of
//! them, have neither. `Start` is the position before the first move where that is not the game's own start.
//! `Result` is `1-0`, `0-1`, `1/2-1/2` or, of a game that was not played to its end, `*`, the first player first;
//! `Margin` is the first player's, and is missing where a game was forfeited, resigned or not finished. `Number`
//! counts the games of a match from 1. `Ending` is `rules`, `majority`, `proven`, `time`, `illegal`, `crash`,
//! `resigned` or `unfinished`; `Detail` says more. A file may hold many records, one after the other.

use crate::ArenaError;
use crate::stats::Score;
use kalahari_games::{GameSpec, Player, Totals};
use kalahari_search::{SearchVisitor, Searchable, Unit};
use std::fmt;
use std::str::FromStr;

/// Why a game was over.
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
    /// The loser gave an illegal move, or none.
    Illegal,
    /// The loser failed.
    Crash,
    /// The loser gave up.
    Resigned,
    /// It was not over: there is no winner yet.
    Unfinished,
}

impl Ending {
    const ALL: [Ending; 8] = [
        Ending::Rules,
        Ending::Majority,
        Ending::Proven,
        Ending::Time,
        Ending::Illegal,
        Ending::Crash,
        Ending::Resigned,
        Ending::Unfinished,
    ];

    /// Its name in a record.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Rules => "rules",
            Ending::Majority => "majority",
            Ending::Proven => "proven",
            Ending::Time => "time",
            Ending::Illegal => "illegal",
            Ending::Crash => "crash",
            Ending::Resigned => "resigned",
            Ending::Unfinished => "unfinished",
        }
    }

    /// How a game ends when a player gives no move of its own and this reason.
    pub fn of_failure(reason: &str) -> Self {
        match reason {
            _ if reason.starts_with("timed out") => Ending::Time,
            _ if reason.starts_with("illegal") => Ending::Illegal,
            _ => Ending::Crash,
        }
    }

    /// Whether the loser is to blame.
    pub const fn is_forfeit(self) -> bool {
        matches!(self, Ending::Time | Ending::Illegal | Ending::Crash)
    }
}

impl FromStr for Ending {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ending::ALL
            .into_iter()
            .find(|ending| ending.name() == text)
            .ok_or_else(|| format!("no ending '{text}'"))
    }
}

/// A move of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedMove {
    /// The move's text.
    pub mv: String,
    /// The time it took in microseconds; `None` in an opening.
    pub micros: Option<u64>,
    /// What its player thought the position worth.
    pub value: Option<(f64, Unit)>,
}

impl RecordedMove {
    /// A move of an opening.
    pub fn book(mv: impl Into<String>) -> Self {
        RecordedMove {
            mv: mv.into(),
            micros: None,
            value: None,
        }
    }
}

/// A game, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The game.
    pub game: GameSpec,
    /// The agents, the one who played first (player 0) first.
    pub players: [String; 2],
    /// The position before the first move; `None` for the game's own start.
    pub start: Option<String>,
    /// How many moves of `moves` are the opening's.
    pub book: usize,
    /// All moves.
    pub moves: Vec<RecordedMove>,
    /// Who won; `None` for a draw and for an unfinished game.
    pub winner: Option<Player>,
    /// The first player's margin; `None` where the game was forfeited, resigned or not finished.
    pub margin: Option<i32>,
    /// Why it was over.
    pub ending: Ending,
    /// More about the ending, on one line.
    pub detail: String,
    /// The match's name; may be empty.
    pub match_id: String,
    /// The game's number in the match, from 0. Even numbers seat the match's first agent first.
    pub number: u32,
    /// The match's seed.
    pub seed: u64,
}

const FIRST_LINE: &str = "kalahari-record 1";

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

    /// A player's result.
    pub fn score(&self, player: Player) -> Score {
        match self.winner {
            None => Score::Draw,
            Some(winner) if winner == player => Score::Win,
            Some(_) => Score::Loss,
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
        let moves: Vec<&str> = self.moves.iter().map(|mv| mv.mv.as_str()).collect();
        moves.join(" ")
    }

    /// Plays the moves and gives the text of every position, the one before the first move included.
    pub fn replay(&self) -> Result<Vec<String>, ArenaError> {
        struct Replay<'a>(&'a GameRecord);
        impl SearchVisitor for Replay<'_> {
            type Output = Result<Vec<String>, ArenaError>;

            fn visit<G: Searchable>(self, game: G) -> Self::Output {
                let wrong = |problem: String| ArenaError::Replay(problem);
                let mut position = match &self.0.start {
                    None => game.start(),
                    Some(text) => game
                        .parse_position(text)
                        .map_err(|e| wrong(e.to_string()))?,
                };
                let mut positions = vec![game.position_text(&position)];
                for (number, mv) in (1..).zip(&self.0.moves) {
                    let at = |problem: String| wrong(format!("move {number}: {problem}"));
                    let mv: G::Move = mv.mv.parse().map_err(|e| at(format!("{e}")))?;
                    position = game.play(&position, mv).map_err(|e| at(e.to_string()))?;
                    positions.push(game.position_text(&position));
                }
                Ok(positions)
            }
        }
        let totals = match &self.start {
            None => Totals::Exact,
            Some(text) => Totals::any_for(text),
        };
        kalahari_search::visit(self.game, totals, Replay(self))
    }

    /// Reads the one or more records of a text.
    pub fn read_all(text: &str) -> Result<Vec<GameRecord>, ArenaError> {
        let lines: Vec<(usize, &str)> = (1..).zip(text.lines().map(str::trim)).collect();
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
            true => Err(ArenaError::Record {
                line: 1,
                problem: format!("a record begins with the line '{FIRST_LINE}'"),
            }),
            false => Ok(records),
        }
    }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}")?;
        writeln!(f, "Game: {}", self.game)?;
        writeln!(f, "First: {}", self.players[0])?;
        writeln!(f, "Second: {}", self.players[1])?;
        writeln!(f, "Result: {}", self.result_text())?;
        if let Some(margin) = self.margin {
            writeln!(f, "Margin: {margin}")?;
        }
        writeln!(f, "Ending: {}", self.ending.name())?;
        if !self.detail.is_empty() {
            writeln!(f, "Detail: {}", self.detail)?;
        }
        if !self.match_id.is_empty() {
            writeln!(f, "Match: {}", self.match_id)?;
        }
        writeln!(f, "Number: {}", u64::from(self.number) + 1)?;
        writeln!(f, "Seed: {}", self.seed)?;
        writeln!(f, "Book: {}", self.book)?;
        if let Some(start) = &self.start {
            writeln!(f, "Start: {start}")?;
        }
        writeln!(f)?;
        for RecordedMove { mv, micros, value } in &self.moves {
            f.write_str(mv)?;
            if let Some(micros) = micros {
                write!(f, " {}.{:03}ms", micros / 1_000, micros % 1_000)?;
            }
            if let Some(value) = value {
                write!(f, " {}", value_text(value))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A value as a record writes it: `eval:12`.
pub(crate) fn value_text((value, unit): &(f64, Unit)) -> String {
    format!("{}:{value}", unit.name())
}

/// Reads what [`value_text`] wrote.
pub(crate) fn read_value(text: &str) -> Option<(f64, Unit)> {
    let (unit, value) = text.split_once(':')?;
    let unit = [Unit::Margin, Unit::Result, Unit::Eval, Unit::WinShare]
        .into_iter()
        .find(|known| known.name() == unit)?;
    let value: f64 = value.parse().ok()?;
    value.is_finite().then_some((value, unit))
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

/// Reads one record.
fn read(lines: &[(usize, &str)]) -> Result<GameRecord, ArenaError> {
    let wrong = |line: usize, problem: String| ArenaError::Record { line, problem };
    let (first, text) = lines[0];
    if text != FIRST_LINE {
        return Err(wrong(
            first,
            format!("a record begins with the line '{FIRST_LINE}'"),
        ));
    }
    let mut headers: Vec<(usize, &str, &str)> = Vec::new();
    let mut body = lines[1..].iter();
    for &(number, line) in body.by_ref() {
        if line.is_empty() {
            break;
        }
        let (key, value) = line
            .split_once(':')
            .ok_or_else(|| wrong(number, "a header looks like 'Key: value'".to_owned()))?;
        headers.push((number, key.trim(), value.trim()));
    }
    let find = |key: &str| headers.iter().find(|header| header.1 == key);
    let need = |key: &str| {
        find(key)
            .map(|&(number, _, value)| (number, value))
            .ok_or_else(|| wrong(first, format!("the header '{key}' is missing")))
    };
    let number_of = |key: &str| -> Result<u64, ArenaError> {
        find(key).map_or(Ok(0), |&(number, _, value)| {
            value
                .parse()
                .map_err(|_| wrong(number, format!("{key} is not a whole number")))
        })
    };

    let (line, game) = need("Game")?;
    let game: GameSpec = game.parse().map_err(|e| wrong(line, format!("{e}")))?;
    let (line, ending) = need("Ending")?;
    let ending: Ending = ending.parse().map_err(|e| wrong(line, e))?;
    let (line, result) = need("Result")?;
    if (result == UNFINISHED) != (ending == Ending::Unfinished) {
        let problem = "the result is * exactly when the ending is 'unfinished'".to_owned();
        return Err(wrong(line, problem));
    }
    let winner = match result {
        "1-0" => Some(Player::First),
        "0-1" => Some(Player::Second),
        "1/2-1/2" | UNFINISHED => None,
        _ => return Err(wrong(line, "a result is 1-0, 0-1, 1/2-1/2 or *".to_owned())),
    };
    let margin = match find("Margin") {
        None => None,
        Some(&(line, _, text)) => Some(
            text.parse::<i32>()
                .map_err(|_| wrong(line, "the margin is not a whole number".to_owned()))?,
        ),
    };

    let mut moves = Vec::new();
    for &(number, line) in body.filter(|(_, line)| !line.is_empty()) {
        let mut words = line.split_whitespace();
        let mut mv = RecordedMove::book(words.next().unwrap_or_default());
        for word in words {
            if let Some(micros) = read_micros(word).filter(|_| mv.micros.is_none()) {
                mv.micros = Some(micros);
            } else if let Some(value) = read_value(word).filter(|_| mv.value.is_none()) {
                mv.value = Some(value);
            } else {
                let problem =
                    format!("'{word}' is neither a time like 1.250ms nor a value like eval:3");
                return Err(wrong(number, problem));
            }
        }
        moves.push(mv);
    }
    let book = number_of("Book")?;
    if book > moves.len() as u64 {
        return Err(wrong(
            first,
            "the opening is longer than the game".to_owned(),
        ));
    }
    let text = |key: &str| find(key).map_or("", |header| header.2).to_owned();
    Ok(GameRecord {
        game,
        players: [need("First")?.1.to_owned(), need("Second")?.1.to_owned()],
        start: find("Start").map(|header| header.2.to_owned()),
        book: book as usize,
        moves,
        winner,
        margin,
        ending,
        detail: text("Detail"),
        match_id: text("Match"),
        number: u32::try_from(number_of("Number")?.saturating_sub(1))
            .map_err(|_| wrong(first, "the number is too large".to_owned()))?,
        seed: number_of("Seed")?,
    })
}
