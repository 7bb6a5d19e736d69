//! The arguments of a command.

use super::Board;
use std::fmt;

/// An argument, with the type that its text shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// `32`, `+0`, `-100`.
    Integer(i64),
    /// `0.0`, `+3.141`, `-.123`; always finite.
    Real(f64),
    /// `freeplay`, `info:name`: anything without blanks, quotes and angle brackets that is not a number.
    Word(String),
    /// `"with \"quotes\""`: any text.
    Text(String),
    /// `<3,10,2,1,2,3,4,2,0>`.
    Board(Board),
}

impl Argument {
    /// A text in quotes.
    pub fn text(text: impl Into<String>) -> Self {
        Argument::Text(text.into())
    }

    /// The content of a word or a text, and the written form of numbers and boards. It is the same with and without quotes,
    /// because clients differ in where they use them.
    pub fn plain(&self) -> String {
        match self {
            Argument::Word(text) | Argument::Text(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// Reads all arguments of a line.
    pub(super) fn read_all(text: &str) -> Result<Vec<Argument>, String> {
        let mut arguments = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let (argument, more) = match first {
                '"' => read_text(&rest[1..])?,
                '<' => {
                    let (inside, more) =
                        rest[1..].split_once('>').ok_or("a board is not closed")?;
                    (Argument::Board(Board::read(inside)?), more)
                }
                _ => {
                    let end =
                        rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>'));
                    let (word, more) = rest.split_at(end.unwrap_or(rest.len()));
                    (read_word(word)?, more)
                }
            };
            arguments.push(argument);
            rest = more.trim_start();
        }
        Ok(arguments)
    }
}

/// Reads a text after its opening quote. Returns it and the rest of the line.
fn read_text(text: &str) -> Result<(Argument, &str), String> {
    let mut content = String::new();
    let mut chars = text.char_indices();
    while let Some((place, c)) = chars.next() {
        match c {
            '"' => return Ok((Argument::Text(content), &text[place + 1..])),
            '\\' => match chars.next() {
                Some((_, 'n')) => content.push('\n'),
                Some((_, 'r')) => content.push('\r'),
                Some((_, 't')) => content.push('\t'),
                Some((_, c)) => content.push(c),
                None => break,
            },
            c => content.push(c),
        }
    }
    Err("a quote is not closed".to_owned())
}

/// Reads a number or a word.
fn read_word(word: &str) -> Result<Argument, String> {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if word.is_empty() {
        return Err("a '>' without its '<'".to_owned());
    }
    if !unsigned.is_empty() && digits(unsigned) {
        let number = word.parse().map(Argument::Integer);
        return number.map_err(|_| "a number is too large".to_owned());
    }
    if let Some((whole, part)) = unsigned.split_once('.')
        && digits(whole)
        && !part.is_empty()
        && digits(part)
    {
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        let number = number.ok_or("a number is too large")?;
        return Ok(Argument::Real(number));
    }
    Ok(Argument::Word(word.to_owned()))
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Integer(number) => number.fmt(f),
            Argument::Real(number) => {
                let text = number.to_string();
                let point = if text.contains('.') { "" } else { ".0" };
                write!(f, "{text}{point}")
            }
            Argument::Word(word) => f.write_str(word),
            Argument::Text(text) => {
                f.write_str("\"")?;
                for c in text.chars() {
                    match c {
                        '"' | '\\' => write!(f, "\\{c}")?,
                        '\n' => f.write_str("\\n")?,
                        '\r' => f.write_str("\\r")?,
                        '\t' => f.write_str("\\t")?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("\"")
            }
            Argument::Board(board) => board.fmt(f),
        }
    }
}
