//! `kalahari solve`: proven values.

mod isolation;
mod kalah;

use crate::arguments::{self, Place};
use crate::output;
use clap::Args;
use kalahari_games::GameSpec;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Prove the exact value of a position and of each of its moves
#[derive(Debug, Args)]
#[command(
    after_help = "A tablebase on disk is used if there is one (see `kalahari tablebase`); otherwise one is built in memory.
Ctrl-C prints the bounds proven so far. A game with +majority is solved as its base rule.

Examples:
  kalahari solve kalah:6x4 --value-only
  kalahari solve kalah:4x3:empty-capture --json
  kalahari solve kalah:6x4 --position \"0 2 2 4 0 5 8 0 0 1 0 0 3 23 0\"
  kalahari solve kalah:6x4 --positions - --json < positions.txt
  kalahari solve isolation:4x5 --json
  kalahari solve kalah:6x5 --save six-five.table --memory 8G"
)]
pub(crate) struct Solve {
    #[command(flatten)]
    place: Place,

    /// Solve every position of a file (- for standard input), one a line, with one table; prints JSON lines
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,

    /// Prove only the value, not that of every move
    #[arg(long)]
    value_only: bool,

    /// Memory for the table of proven bounds, such as 512M or 8G; sized to the position if left out
    #[arg(long, value_name = "SIZE", value_parser = arguments::bytes)]
    memory: Option<u64>,

    /// Threads to use; all cores if left out
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Seeds of the tablebase to build in memory if there is none on disk; 0 for none
    #[arg(long, value_name = "N")]
    tablebase: Option<usize>,

    /// Keep the table of proven bounds in this file: every ten minutes, when stopped, and at the end
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Go on with the table of an earlier run with the same game and memory
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is printed of a solved position: the object of `analyze`, and what only a proof has.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    /// A best move; null if the game is over or it is not known.
    best: serde_json::Value,
    /// The final margin for the side to move, stores included; null if it is not proven.
    value: Option<i32>,
    /// The margin of every move.
    moves: serde_json::Value,
    /// A best line to the end.
    pv: Vec<serde_json::Value>,
    depth: usize,
    nodes: u64,
    seconds: f64,
    proven: bool,
    unit: &'static str,
    game: GameSpec,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    lower: i32,
    upper: i32,
    tablebase_seeds: usize,
}

impl Solve {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.place.game {
            GameSpec::Kalah(spec) => kalah::run(&self, spec),
            GameSpec::Isolation(spec) => isolation::run(&self, spec),
        }
    }

    /// Hands each line of the positions file to `solve` and prints the report it gives.
    fn each_line(
        &self,
        path: &Path,
        mut solve: impl FnMut(&str) -> anyhow::Result<Report>,
    ) -> anyhow::Result<()> {
        arguments::each_line(path, |line| output::print_json(&solve(line)?))
    }
}

impl Report {
    /// The report for people.
    fn text(&self) -> String {
        let Report {
            game, lower, upper, ..
        } = self;
        let mut text = format!("{game}\n");
        match self.value {
            Some(value) => text += &format!("value {value:+} for the player to move, proven\n"),
            None => text += &format!("stopped: the value lies between {lower:+} and {upper:+}\n"),
        }
        let list: Vec<(String, &serde_json::Value)> = match &self.moves {
            serde_json::Value::Array(moves) => {
                (0..).map(|pit: usize| pit.to_string()).zip(moves).collect()
            }
            serde_json::Value::Object(moves) => moves
                .iter()
                .map(|(name, value)| (name.clone(), value))
                .collect(),
            _ => Vec::new(),
        };
        for (name, value) in list {
            if let Some(value) = value.as_i64() {
                text += &format!("  move {name:<5} {value:+}\n");
            }
        }
        let plain = |value: &serde_json::Value| match value {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if !self.best.is_null() {
            text += &format!("best move {}\n", plain(&self.best));
        }
        if !self.pv.is_empty() {
            let line: Vec<String> = self.pv.iter().map(plain).collect();
            text += &format!("best line {}\n", line.join(" "));
        }
        text += &format!("{} nodes, {:.2} s", self.nodes, self.seconds);
        if self.tablebase_seeds > 0 {
            text += &format!(", tablebase of {} seeds", self.tablebase_seeds);
        }
        text + "\n"
    }

    fn print(&self, json: bool) -> anyhow::Result<()> {
        match json {
            true => output::print_json(self),
            false => output::print(&self.text()),
        }
    }
}
