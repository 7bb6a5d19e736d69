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
                Part::Mcts => strength::mcts_table(&published, quick, rng_seed, stop)?,
                Part::Again => strength::again_table(quick, rng_seed, stop)?,
                Part::Strength => strength::engine_table(quick, self.games, rng_seed, stop)?,
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
