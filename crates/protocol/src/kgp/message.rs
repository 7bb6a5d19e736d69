//! A line of the protocol with any command.

use super::{Argument, LineError};
use std::fmt;
use std::str::FromStr;

/// A line: `[id][@ref] name arguments`.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its own number, if it has one: even from a server, odd from a client.
    pub id: Option<u64>,
    /// The number of the line it answers.
    pub reference: Option<u64>,
    /// The command's name: letters and digits, a letter first.
    pub name: String,
    /// The arguments of the command.
    pub arguments: Vec<Argument>,
}

impl FromStr for Message {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        let wrong = |problem: String| LineError::new(line, problem);
        let text = line.trim();
        let (mut word, mut rest) = first_word(text);
        let (mut id, mut reference) = (None, None);
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '@') {
            let (own, other) = match word.split_once('@') {
                Some((own, other)) => (own, Some(other)),
                None => (word, None),
            };
            id = match own.is_empty() {
                true => None,
                false => Some(number(own).map_err(wrong)?),
            };
            reference = other.map(number).transpose().map_err(wrong)?;
            (word, rest) = first_word(rest);
        }
        let alphanumeric = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !alphanumeric || !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(wrong("the command's name is missing".to_owned()));
        }
        Ok(Message {
            id,
            reference,
            name: word.to_owned(),
            arguments: Argument::read_all(rest).map_err(wrong)?,
        })
    }
}

/// The first word of a text, and the rest.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

fn number(digits: &str) -> Result<u64, String> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(
            "a line begins with a number, @ and a number, or the command's name".to_owned(),
        );
    }
    digits
        .parse()
        .map_err(|_| "a line's number is too large".to_owned())
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        if let Some(reference) = self.reference {
            write!(f, "@{reference}")?;
        }
        if self.id.is_some() || self.reference.is_some() {
            f.write_str(" ")?;
        }
        f.write_str(&self.name)?;
        let mut arguments = self.arguments.iter();
        arguments.try_for_each(|argument| write!(f, " {argument}"))
    }
}
