//! The limits of a search, as the interface writes them.

use std::fmt;

/// The arguments of `go`. Times are in milliseconds. If there are several limits, all of them apply; if there are none,
/// the engine decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `p1time`, `p2time`: the time left to each player for the rest of the game.
    pub time: [Option<u64>; 2],
    /// `p1inc`, `p2inc`: the time each player gets after every move.
    pub increment: [Option<u64>; 2],
    /// `movetime`: the time for this move.
    pub movetime: Option<u64>,
    /// `depth`: the deepest search, in plies.
    pub depth: Option<u32>,
    /// `nodes`: the maximum number of nodes.
    pub nodes: Option<u64>,
    /// `infinite`: search until `stop`.
    pub infinite: bool,
}

impl Go {
    /// Reads the words after `go`. Unknown words are ignored.
    pub(super) fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let mut go = Go::default();
        while let Some(key) = words.next() {
            let slot = match key {
                "p1time" => &mut go.time[0],
                "p2time" => &mut go.time[1],
                "p1inc" => &mut go.increment[0],
                "p2inc" => &mut go.increment[1],
                "movetime" => &mut go.movetime,
                "nodes" => &mut go.nodes,
                "depth" => {
                    let depth = number(key, words.next())?;
                    go.depth = Some(u32::try_from(depth).unwrap_or(u32::MAX));
                    continue;
                }
                "infinite" => {
                    go.infinite = true;
                    continue;
                }
                _ => continue,
            };
            *slot = Some(number(key, words.next())?);
        }
        Ok(go)
    }
}

/// Reads a whole number. A negative number becomes 0 (a clock that has run out), one that is too large becomes the largest `u64`.
fn number(key: &str, word: Option<&str>) -> Result<u64, String> {
    let missing = || format!("{key} is followed by a whole number");
    let word = word.ok_or_else(missing)?;
    let digits = word.strip_prefix('-').unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(missing());
    }
    match digits.len() < word.len() {
        true => Ok(0),
        false => Ok(digits.parse().unwrap_or(u64::MAX)),
    }
}

impl fmt::Display for Go {
    /// Writes every limit with a blank before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [
            ("p1time", self.time[0]),
            ("p2time", self.time[1]),
            ("p1inc", self.increment[0]),
            ("p2inc", self.increment[1]),
            ("movetime", self.movetime),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
        ];
        for (key, limit) in limits {
            if let Some(limit) = limit {
                write!(f, " {key} {limit}")?;
            }
        }
        match self.infinite {
            true => f.write_str(" infinite"),
            false => Ok(()),
        }
    }
}
