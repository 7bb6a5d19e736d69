//! Parameter lines as OpenBench reads and writes them: `name, int|float, start, min, max, c_end, r_end`.

use crate::error::{LineProblem, SpaceError};
use kalahari_arena::text_in_json;
use std::fmt;
use std::str::FromStr;

/// A parameter of SPSA.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name in the agent's spec.
    pub name: String,
    /// Whether only whole numbers are played.
    pub integer: bool,
    /// The value it starts from.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// How far the last iteration perturbs it.
    pub c_end: f64,
    /// `a_k / c_k^2` of the last iteration: how strongly it follows results.
    pub r_end: f64,
}

impl FromStr for Line {
    type Err = SpaceError;

    fn from_str(text: &str) -> Result<Self, SpaceError> {
        read(text).map_err(|problem| SpaceError::Line {
            line: text.to_owned(),
            problem,
        })
    }
}

fn read(text: &str) -> Result<Line, LineProblem> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let [name, kind, start, min, max, c_end, r_end] = words[..] else {
        return Err(LineProblem::Form);
    };
    let number = |what, word: &str| match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(LineProblem::Number {
            what,
            word: word.to_owned(),
        }),
    };
    let line = Line {
        name: name.to_owned(),
        integer: match kind {
            "int" => true,
            "float" => false,
            _ => return Err(LineProblem::Kind(kind.to_owned())),
        },
        start: number("start", start)?,
        min: number("min", min)?,
        max: number("max", max)?,
        c_end: number("c_end", c_end)?,
        r_end: number("r_end", r_end)?,
    };
    let ordered = line.min < line.max && (line.min..=line.max).contains(&line.start);
    if name.is_empty() {
        Err(LineProblem::NoName)
    } else if !ordered {
        Err(LineProblem::Order)
    } else if line.c_end <= 0.0 || line.r_end <= 0.0 {
        Err(LineProblem::Gains)
    } else {
        Ok(line)
    }
}

text_in_json!(Line);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line {
            name,
            integer,
            start,
            min,
            max,
            c_end,
            r_end,
        } = self;
        let kind = if *integer { "int" } else { "float" };
        write!(f, "{name}, {kind}, {start}, {min}, {max}, {c_end}, {r_end}")
    }
}

/// Reads the lines of a file's text. Empty lines and those that begin with `#` are ignored.
pub fn read_lines(text: &str) -> Result<Vec<Line>, SpaceError> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::parse)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_written_and_refused() {
        let text = "c, float, 0.5, 0, 2, 0.1, 0.002";
        let line: Line = text.parse().expect("a line");
        assert_eq!(line.to_string(), text);
        assert_eq!(
            read_lines(&format!("# x\n\n {text} \n")).expect("lines"),
            [line]
        );
        for bad in [
            "",
            "c",
            "c, real, 0.5, 0, 2, 0.1, 0.002",
            "c, float, x, 0, 2, 0.1, 0.002",
            "c, float, 3, 0, 2, 0.1, 0.002",
            "c, float, 1, 2, 0, 0.1, 0.002",
            "c, float, 1, 0, 2, 0, 0.002",
            "c, float, nan, 0, 2, 0.1, 0.002",
            ", float, 1, 0, 2, 0.1, 0.002",
        ] {
            assert!(bad.parse::<Line>().is_err(), "{bad}");
        }
    }
}
