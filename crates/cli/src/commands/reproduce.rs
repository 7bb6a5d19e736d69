//! `kalahari reproduce`: published results beside our own measurements.

mod chance;
mod nodes;
mod strength;
mod times;

use crate::{interrupt, output};
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;

/// Measure again what five course projects published about their players, and how ours do against them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari reproduce --quick
  kalahari reproduce --out docs/reproduction.md
  kalahari reproduce --only strength --games 200

Tables are printed in Markdown as they are finished. Times and timed matches need a quiet machine.")]
pub(crate) struct Reproduce {
    /// Smaller counts and shorter times, for tests
    #[arg(long)]
    quick: bool,

    /// Only these parts, separated by commas
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_enum)]
    only: Vec<Part>,

    /// Games of every match of the part `strength`
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u32,

    /// The seed of random choices
    #[arg(long = "seed", value_name = "S", default_value_t = 1)]
    rng_seed: u64,

    /// Write the tables to this file, too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Nodes with and without pruning
    Nodes,
    /// Seconds a move by depth
    Times,
    /// Random against levels 1 and 5
    Random,
    /// Monte Carlo tree search against alpha-beta
    Mcts,
    /// The bonus for moving again
    Again,
    /// Our engine against all other agents
    Strength,
}

const PARTS: [Part; 6] = [
    Part::Nodes,
    Part::Times,
    Part::Random,
    Part::Mcts,
    Part::Again,
    Part::Strength,
];

/// What differs, and what we know of the reasons.
const DIFFERENCES: &str = "
## What differs, and why

- Node counts agree to the last node, with the rule `pre-move-empty` and no other.
- Times: the same algorithms and depths, on a packed board, compiled, on another processor. Where two moves are
  equally good the programs may choose differently, so single moves are not comparable, only their order of size.
- Random against level 1 comes close to the published score on 6x4. Against level 5 our random player wins far
  fewer games than the published one. The rules are the same (see the node counts) and so is the depth; the published
  program keeps the value of its best root move in a global variable, which may make its level 5 play worse moves
  than a sound alpha-beta search. We have not run it, so this is a guess.
- `again` loses to `stores` at equal depth in our matches. The project compared them by looking at games, and
  saw longer turns with the bonus; longer turns are not more seeds.
- The published record of Monte Carlo tree search counts games of a tuning run with many settings, ours the shipped
  settings only.
";

/// The published figures.
fn published() -> anyhow::Result<Value> {
    Ok(serde_json::from_str(kalahari_selftest::PUBLISHED)?)
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = interrupt::stop();
        if let Some(path) = &self.out {
            output::check_place(path)?;
        }
        let (quick, rng_seed) = (self.quick, self.rng_seed);
        let published = published()?;
        let mut page = String::new();
        let mut show = |text: String| {
            page += &text;
            output::print(&text)
        };
        show(format!(
            "# Published results, measured again\n\nMade by `kalahari reproduce{}`, seed {}.\n",
            if quick { " --quick" } else { "" },
            rng_seed
        ))?;
        for part in PARTS {
            if !self.only.is_empty() && !self.only.contains(&part) {
                continue;
            }
            show(match part {
                Part::Nodes => nodes::table(&published, quick, stop)?,
                Part::Times => times::tables(&published, quick, stop)?,
                Part::Random => chance::table_text(&published, quick, rng_seed, stop)?,
                Part::Mcts => {
                    let amount = if quick { (20, "100ms") } else { (40, "2s") };
                    strength::mcts_table(&published, amount, rng_seed, stop)?
                }
                Part::Again => {
                    let games = if quick { 40 } else { 400 };
                    strength::again_table(games, rng_seed, stop)?
                }
                Part::Strength => {
                    let games = if quick { 4 } else { self.games };
                    strength::engine_table(games, 1, rng_seed, stop)?
                }
            })?;
        }
        if self.only.is_empty() {
            show(DIFFERENCES.to_owned())?;
        }
        match &self.out {
            Some(path) => output::write_whole(path, page.as_bytes()),
            None => Ok(()),
        }
    }
}

/// A Markdown table.
fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head.to_vec());
    text += &format!("|{}\n", "---|".repeat(head.len()));
    for row in rows {
        text += &line(row.iter().map(String::as_str).collect());
    }
    text
}

/// The numbers of a list; `None` where the list has none.
fn numbers(list: &Value) -> Vec<Option<f64>> {
    let entries = list.as_array().map_or(&[][..], Vec::as_slice);
    entries.iter().map(Value::as_f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_terms::Stop;

    /// The cells of the rows of a text's tables, without their heads.
    fn rows(text: &str) -> Vec<Vec<String>> {
        let lines: Vec<&str> = text.lines().collect();
        let row = |line: &str| -> Vec<String> {
            let cells = line.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().to_owned()).collect()
        };
        let is_table = |line: &&str| line.starts_with('|');
        let is_rule = |line: &str| line.starts_with("|---");
        let is_head = |place: usize| lines.get(place + 1).is_some_and(|next| is_rule(next));
        let places = (0..lines.len()).filter(|&place| is_table(&lines[place]));
        let places = places.filter(|&place| !is_head(place) && !is_rule(lines[place]));
        places.map(|place| row(lines[place])).collect()
    }

    /// Wins, draws and losses of a cell such as `+1 =0 -1`.
    fn results(cell: &str) -> u32 {
        let words = cell.split(' ');
        words
            .map(|word| word[1..].parse::<u32>().expect("a number"))
            .sum()
    }

    #[test]
    fn seconds_stand_beside_published_ones() {
        let published = published().expect("figures");
        let text = times::tables(&published, true, &Stop::new()).expect("tables");
        let rows = rows(&text);
        let depths: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(depths, ["4", "6", "8", "5", "7", "9", "11"]);
        // Both columns have two seconds or five, and all of them are numbers.
        for row in &rows {
            let count = |cell: &str| {
                let words = cell.split([' ', '/']).filter(|word| !word.is_empty());
                let seconds = words.map(|word| word.parse::<f64>().expect("a number"));
                seconds.filter(|seconds| *seconds >= 0.0).count()
            };
            let [theirs, ours] = [&row[1], &row[2]].map(|cell| count(cell));
            assert!(theirs == ours && [2, 5].contains(&ours), "{row:?}");
        }
        assert!(!text.contains("NaN"), "{text}");
    }

    #[test]
    fn matches_are_counted_from_the_first_agent() {
        let (published, stop) = (published().expect("figures"), Stop::new());
        let text = strength::mcts_table(&published, (1, "2ms"), 1, &stop).expect("a table");
        assert!(text.contains("mcts:eval=none,alpha=0.975,c=0.5,time=2ms"));
        let found = rows(&text);
        assert_eq!(found[0][1..], ["740 : 99", "88.2%"]);
        assert_eq!(results(&found[2][1]), 2, "{text}");

        let text = strength::again_table(2, 1, &stop).expect("a table");
        let found = rows(&text);
        assert_eq!(found.len(), 2, "{text}");
        for row in found {
            assert_eq!((row[1].as_str(), results(&row[2])), ("2", 2), "{text}");
        }

        let text = strength::engine_table(2, 20, 1, &stop).expect("a table");
        let found = rows(&text);
        assert_eq!(found.len(), 8, "{text}");
        assert_eq!(found[3][..2], ["`engine:time=1ms`", "`mcts:time=10ms`"]);
        for row in &found {
            assert_eq!((row[2].as_str(), results(&row[3])), ("2", 2), "{text}");
        }
        assert_eq!(found[5][..2], ["`mcts:time=5ms`", "`random`"]);
    }
}
