//! What an engine tells while it thinks.

use std::fmt;
use std::time::Duration;

/// A line `info ...`. Everything is optional; words that nobody knows are passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// `depth`: the depth that is finished, in plies.
    pub depth: Option<u32>,
    /// `score`: what the position is worth to the player to move.
    pub score: Option<WireScore>,
    /// `nodes`: how many nodes have been searched.
    pub nodes: Option<u64>,
    /// `time`: how long it took, in whole milliseconds.
    pub millis: Option<u64>,
    /// `pv`: the line of best play.
    pub line: Vec<String>,
    /// `string`: anything else, to the end of the line.
    pub text: Option<String>,
}

/// What a position is worth to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireScore {
    /// `cp`: hundredths of a seed or of a cell.
    Centi(i64),
    /// `permille`: the share of wins expected, in thousandths.
    PerMille(u16),
    /// `points`: a number on the engine's own scale.
    Points(i64),
}

impl Info {
    /// Words for a person to read.
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

    /// Reads the words behind `info`. What cannot be understood is left out.
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
    /// Writes every part with a blank before it. A line of moves and a text cannot both be written, as
    /// each goes to the end of the line: the text wins.
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
