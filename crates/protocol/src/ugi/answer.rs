//! The answers of an engine to a runner.

use super::{Info, LineError, joined};
use std::fmt;
use std::str::FromStr;

/// An answer of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `id name ...`.
    Name(String),
    /// `id author ...`.
    Author(String),
    /// `option name ...`: something that `setoption` can set.
    Option(Declaration),
    /// `ugiok`: the introduction is over.
    UgiOk,
    /// `readyok`, the answer to `isready`.
    ReadyOk,
    /// `info ...`: what the engine has found so far.
    Info(Info),
    /// `bestmove M`: the answer to `go`. Anything after the move is ignored.
    BestMove(String),
    /// `response R`: the answer to `query`.
    Response(String),
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name, which does not contain the word `type`.
    pub name: String,
    /// Its type with default and range, such as `spin default 32 min 1 max 4096`.
    pub kind: String,
}

impl FromStr for Answer {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        let wrong = |problem: &str| LineError::new(line, problem);
        let mut words = line.split_whitespace();
        let some = |text: String, problem: &str| match text.is_empty() {
            true => Err(wrong(problem)),
            false => Ok(text),
        };
        match words.next() {
            Some("ugiok") => Ok(Answer::UgiOk),
            Some("readyok") => Ok(Answer::ReadyOk),
            Some("id") => match words.next() {
                Some("name") => some(joined(words), "the name is missing").map(Answer::Name),
                Some("author") => some(joined(words), "the author is missing").map(Answer::Author),
                _ => Err(wrong("id is followed by name or author")),
            },
            Some("option") => {
                if words.next() != Some("name") {
                    return Err(wrong("option is followed by name"));
                }
                let name = joined(words.by_ref().take_while(|word| *word != "type"));
                let name = some(name, "the option's name is missing")?;
                let kind = some(joined(words), "the option's type is missing")?;
                Ok(Answer::Option(Declaration { name, kind }))
            }
            Some("info") => Ok(Answer::Info(Info::read(words))),
            Some("bestmove") => some(
                words.next().unwrap_or_default().to_owned(),
                "the move is missing",
            )
            .map(Answer::BestMove),
            Some("response") => some(
                words.next().unwrap_or_default().to_owned(),
                "the response is missing",
            )
            .map(Answer::Response),
            _ => Err(wrong("not an answer of the interface")),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Name(name) => write!(f, "id name {name}"),
            Answer::Author(author) => write!(f, "id author {author}"),
            Answer::Option(Declaration { name, kind }) => {
                write!(f, "option name {name} type {kind}")
            }
            Answer::UgiOk => f.write_str("ugiok"),
            Answer::ReadyOk => f.write_str("readyok"),
            Answer::Info(info) => write!(f, "info{info}"),
            Answer::BestMove(mv) => write!(f, "bestmove {mv}"),
            Answer::Response(response) => write!(f, "response {response}"),
        }
    }
}
