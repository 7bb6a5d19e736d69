//! What an engine reports while it thinks.

use std::fmt;
use std::time::Duration;

/// A line `info ...`. Everything is optional; unknown words are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// `depth`: the depth that is finished, in plies.
    pub depth: Option<u32>,
    /// `score`: the value of the position for the player to move.
    pub score: Option<WireScore>,
    /// `nodes`: how many nodes have been searched.
    pub nodes: Option<u64>,
    /// `time`: the time used so far, in whole milliseconds.
    pub millis: Option<u64>,
    /// `pv`: the principal variation.
    pub line: Vec<String>,
    /// `string`: anything else, to the end of the line.
    pub text: Option<String>,
}

/// The value of a position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireScore {
    /// `cp`: hundredths of a seed or of a cell.
    Centi(i64),
    /// `permille`: the expected share of wins, in thousandths.
    PerMille(u16),
    /// `points`: a number on the engine's own scale.
    Points(i64),
}

impl Info {
    /// A message for people.
    pub fn message(text: impl Into<String>) -> Self {
        Info {
            text: Some(text.into()),
            ..Info::default()
        }
    }

    /// The time as a duration.
    pub fn elapsed(&self) -> Option<Duration> {
        self.millis.map(Duration::from_millis)
    }

    /// Reads the words after `info`. Words that cannot be understood are ignored.
    pub(super) fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Self {
        let mut info = Info::default();
        let mut next = words.next();
        while let Some(key) = next {
            next = words.next();
            match key {
                "string" => {
                    let rest = next.into_iter().chain(words.by_ref());
                    info.text = Some(super::joined(rest));
                    break;
                }
                "pv" => {
                    info.line = next
                        .into_iter()
                        .chain(words.by_ref())
                        .map(str::to_owned)
                        .collect();
                    break;
                }
                "depth" => info.depth = next.and_then(|word| word.parse().ok()).or(info.depth),
                "nodes" => info.nodes = next.and_then(|word| word.parse().ok()).or(info.nodes),
                "time" => info.millis = next.and_then(|word| word.parse().ok()).or(info.millis),
                "score" => {
                    let kind = next;
                    next = words.next();
                    let score = match kind {
                        Some("cp") => next
                            .and_then(|word| word.parse().ok())
                            .map(WireScore::Centi),
                        Some("permille") => next
                            .and_then(|word| word.parse().ok())
                            .filter(|share| *share <= 1000)
                            .map(WireScore::PerMille),
                        Some("points") => next
                            .and_then(|word| word.parse().ok())
                            .map(WireScore::Points),
                        _ => None,
                    };
                    info.score = score.or(info.score);
                }
                _ => {}
            }
        }
        info
    }
}

impl fmt::Display for Info {
    /// Writes every part with a blank before it. A principal variation and a text cannot both be written, because
    /// each extends to the end of the line; if both are set, only the text is written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        match self.score {
            Some(WireScore::Centi(score)) => write!(f, " score cp {score}")?,
            Some(WireScore::PerMille(share)) => write!(f, " score permille {share}")?,
            Some(WireScore::Points(score)) => write!(f, " score points {score}")?,
            None => {}
        }
        if let Some(millis) = self.millis {
            write!(f, " time {millis}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        match &self.text {
            Some(text) => write!(f, " string {text}"),
            None if self.line.is_empty() => Ok(()),
            None => write!(f, " pv {}", self.line.join(" ")),
        }
    }
}
