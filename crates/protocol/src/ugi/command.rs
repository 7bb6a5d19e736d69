//! The commands of a runner to an engine.

use super::{Go, LineError, joined};
use std::fmt;
use std::str::FromStr;

/// A command of a runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`: asks the engine to introduce itself. The introduction ends with `ugiok`.
    Ugi,
    /// `isready`, answered by `readyok`, also during a search.
    IsReady,
    /// `uginewgame`: the next position belongs to a new game.
    NewGame,
    /// `setoption name N [value V]`.
    SetOption {
        /// The option's name; it may have blanks in it, but not the word `value`.
        name: String,
        /// The value, unless the option is a button.
        value: Option<String>,
    },
    /// `position startpos|fen F [moves ...]`.
    Position {
        /// Where the game begins.
        start: Start,
        /// The moves from there, in order.
        moves: Vec<String>,
    },
    /// `go ...`: start a search.
    Go(Go),
    /// `stop`: answer at once.
    Stop,
    /// `query ...`, answered by `response ...`.
    Query(Query),
    /// `quit`: exit.
    Quit,
}

/// The position before the moves of a `position` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The start of the game.
    Startpos,
    /// A position as the game writes it. It does not contain the word `moves`.
    Fen(String),
}

/// A question about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is it the first player's turn? `true` or `false`.
    P1Turn,
    /// Is the game over? `true` or `false`.
    GameOver,
    /// `p1win`, `p2win`, `draw` or `none`.
    Result,
}

impl FromStr for Command {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        let wrong = |problem: &str| LineError::new(line, problem);
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Err(wrong("the line is empty"));
        };
        match first {
            "ugi" => Ok(Command::Ugi),
            "isready" => Ok(Command::IsReady),
            "uginewgame" => Ok(Command::NewGame),
            "stop" => Ok(Command::Stop),
            "quit" => Ok(Command::Quit),
            "setoption" => {
                if words.next() != Some("name") {
                    return Err(wrong("setoption is followed by name"));
                }
                let name = joined(words.by_ref().take_while(|word| *word != "value"));
                if name.is_empty() {
                    return Err(wrong("the option's name is missing"));
                }
                let value = joined(words);
                let value = Some(value).filter(|value| !value.is_empty());
                Ok(Command::SetOption { name, value })
            }
            "position" => {
                let start = match words.next() {
                    Some("startpos") => {
                        if words.next().is_some_and(|word| word != "moves") {
                            return Err(wrong("startpos is followed by moves"));
                        }
                        Start::Startpos
                    }
                    Some("fen") => {
                        let fen = joined(words.by_ref().take_while(|word| *word != "moves"));
                        if fen.is_empty() {
                            return Err(wrong("the position is missing"));
                        }
                        Start::Fen(fen)
                    }
                    _ => return Err(wrong("position is followed by startpos or fen")),
                };
                let moves = words.map(str::to_owned).collect();
                Ok(Command::Position { start, moves })
            }
            "go" => Go::read(words)
                .map(Command::Go)
                .map_err(|problem| wrong(&problem)),
            "query" => match words.next() {
                Some("p1turn") => Ok(Command::Query(Query::P1Turn)),
                Some("gameover") => Ok(Command::Query(Query::GameOver)),
                Some("result") => Ok(Command::Query(Query::Result)),
                _ => Err(wrong("a query is p1turn, gameover or result")),
            },
            _ => Err(wrong("unknown command")),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Ugi => f.write_str("ugi"),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("uginewgame"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption {
                name,
                value: Some(value),
            } => write!(f, "setoption name {name} value {value}"),
            Command::Position { start, moves } => {
                match start {
                    Start::Startpos => f.write_str("position startpos")?,
                    Start::Fen(fen) => write!(f, "position fen {fen}")?,
                }
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Command::Go(go) => write!(f, "go{go}"),
            Command::Stop => f.write_str("stop"),
            Command::Query(Query::P1Turn) => f.write_str("query p1turn"),
            Command::Query(Query::GameOver) => f.write_str("query gameover"),
            Command::Query(Query::Result) => f.write_str("query result"),
            Command::Quit => f.write_str("quit"),
        }
    }
}
