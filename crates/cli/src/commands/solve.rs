//! `kalahari solve`: proven values.

use crate::arguments::{self, Place, threads};
use crate::commands::tablebase::policy;
use crate::csv::csv_line;
use crate::progress::ProofDisplay;
use crate::{interrupt, output, values};
use clap::Args;
use kalahari_exact::prover::{Proof, Prover, ProverOptions, TableMemory, Wanted};
use kalahari_games::kalah::KalahSetup;
use kalahari_games::{AnyGame, AnyMove, AnyPosition, Game, GameKind, GameSpec};
use kalahari_terms::Unit;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Prove the exact value of a position and of each of its moves
#[derive(Debug, Args)]
#[command(
    after_help = "Positions in an opening book are answered at once, and their best line ends where the book does. A tablebase on disk is used if
there is one (see `kalahari tablebase`); if it is too small for the positions, a larger one is built in memory.
Ctrl-C prints the bounds proven so far. A game with +majority is solved by its base rule: the winner is the same, the
final margin is not. With --json margins_of names the game whose margins are given.

Examples:
  kalahari solve kalah:6x4
  kalahari solve kalah:6x4 --value-only --no-book
  kalahari solve kalah:4x3:empty-capture --json
  kalahari solve kalah:6x4 --position \"0 2 2 4 0 5 8 0 0 1 0 0 3 23 0\"
  kalahari solve kalah:6x4 --positions - < positions.txt
  kalahari solve isolation:4x5 --json
  kalahari solve kalah:6x5 --save six-five.table --memory 8G"
)]
pub(crate) struct Solve {
    #[command(flatten)]
    place: Place,

    /// Solve every position of a file (- for standard input), one per line, with one table; prints JSON lines
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,

    /// Prove only the value, not that of every move
    #[arg(long)]
    value_only: bool,

    /// Prove it again even if an opening book knows it
    #[arg(long)]
    no_book: bool,

    /// Memory for the table of proven bounds, such as 512M or 8G; sized to the positions if left out
    #[arg(long, value_name = "SIZE", value_parser = arguments::bytes)]
    memory: Option<u64>,

    /// Threads to use; all cores if left out
    #[arg(long, value_name = "N", value_parser = arguments::thread_count)]
    threads: Option<usize>,

    /// Seeds of the tablebase to build in memory if there is none on disk; 0 for none
    #[arg(long, value_name = "N")]
    tablebase: Option<usize>,

    /// Keep the tablebase that is on disk at half its size in memory
    #[arg(long)]
    halved: bool,

    /// Keep the table of proven bounds in this file: every ten minutes, when stopped, and at the end; no book is used
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Continue with the table of an earlier run with the same positions and memory; no book is used
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Print CSV, a row for every move
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// What is printed for a solved position: the object of `analyze`, and what only a proof has.
#[derive(Clone, Debug, Serialize)]
struct Report {
    /// A best move; null if the game is over or it is not known.
    best: Value,
    /// The final margin for the side to move, stores included; null if it is not proven.
    value: Option<i32>,
    /// The margin of every move.
    moves: Value,
    /// A best line, to the end or as far as the book goes.
    pv: Vec<Value>,
    depth: usize,
    nodes: u64,
    seconds: f64,
    proven: bool,
    unit: &'static str,
    game: GameSpec,
    /// The game whose final margins these are: the game itself, or its base rule if the game can end by majority.
    margins_of: GameSpec,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    lower: i32,
    upper: i32,
    /// Where the value comes from: `book`, `tablebase`, `solver`, or `rules` if the game is over.
    source: &'static str,
    tablebase_seeds: usize,
}

impl Solve {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let spec = self.base_rule();
        let keeps = self.save.is_some() || self.resume.is_some();
        anyhow::ensure!(
            !keeps || spec.kind() == GameKind::Kalah,
            "--save and --resume are for Kalah only"
        );
        // Every position is read before any work is done.
        let (game, positions) = match &self.positions {
            Some(file) => read_positions(file, spec, self.place.any_total)?,
            None => {
                let text = self.place.position.as_deref();
                let (game, position) = arguments::place(spec, text, self.place.any_total)?;
                (game, vec![position])
            }
        };
        if let Some(file) = &self.save {
            output::check_place(file)?;
        }
        let mut begin = Instant::now();
        let wanted = match self.value_only {
            true => Wanted::MOVE,
            false => Wanted::ALL,
        };
        let mut prover = Prover::new(&game, self.options());
        let display = ProofDisplay::of(&mut prover, self.json);
        prover.prepare(&positions, &wanted, interrupt::stop())?;
        if let Some(file) = &self.resume {
            prover.resume(file)?;
        }
        if self.csv {
            output::print("position,move,value,best,unit,source\n")?;
        }
        for position in &positions {
            let proof = prover.prove(position, &wanted, interrupt::stop())?;
            display.clear();
            let mut report = self.report(&game, position, &proof, &prover, begin);
            match self.positions {
                _ if self.csv => output::print(&report.rows(&game.position_text(position)))?,
                Some(_) => {
                    report.position = Some(game.position_text(position));
                    output::print_json(&report)?;
                    begin = Instant::now();
                }
                None if self.json => output::print_json(&report)?,
                None => output::print(&report.text())?,
            }
        }
        match &self.save {
            Some(file) => Ok(prover.save(file)?),
            None => Ok(()),
        }
    }

    /// The game that is solved: the same without its end by majority.
    fn base_rule(&self) -> GameSpec {
        match self.place.game {
            GameSpec::Kalah(spec) if spec.majority() => {
                output::say_base_rule(spec);
                GameSpec::Kalah(spec.with_majority(false))
            }
            spec => spec,
        }
    }

    fn options(&self) -> ProverOptions {
        ProverOptions {
            threads: threads(self.threads),
            memory: self.memory.map_or(TableMemory::Suited, TableMemory::Bytes),
            book: !self.no_book && self.save.is_none() && self.resume.is_none(),
            tablebase: policy(self.tablebase),
            halved: self.halved,
            save: self.save.clone(),
            ..ProverOptions::default()
        }
    }

    fn report(
        &self,
        game: &AnyGame,
        position: &AnyPosition,
        proof: &Proof,
        prover: &Prover,
        begin: Instant,
    ) -> Report {
        let value = proof.bounds.exact();
        let moves: Vec<(AnyMove, Option<i32>)> = match proof.moves.is_empty() {
            true => game.moves(position).map(|mv| (mv, None)).collect(),
            false => {
                let known = proof.moves.iter();
                known.map(|(mv, bounds)| (*mv, bounds.exact())).collect()
            }
        };
        let all_known = self.value_only || moves.iter().all(|(_, value)| value.is_some());
        let line = match self.value_only {
            true => &[],
            false => proof.line.as_slice(),
        };
        let unit = match game.has_margins() {
            true => Unit::Margin,
            false => Unit::Result,
        };
        Report {
            best: proof.best().map_or(Value::Null, values::mv),
            value,
            moves: values::moves(game.spec(), &moves, |value| json!(value)),
            pv: line.iter().map(|&mv| values::mv(mv)).collect(),
            depth: line.len(),
            nodes: proof.nodes,
            seconds: begin.elapsed().as_secs_f64(),
            proven: value.is_some() && all_known,
            unit: unit.name(),
            game: self.place.game,
            margins_of: game.spec(),
            position: None,
            lower: proof.bounds.lower,
            upper: proof.bounds.upper,
            source: proof.source.name(),
            tablebase_seeds: prover.tablebase_seeds(),
        }
    }
}

/// The game and the positions of a file, one a line; an error names the line.
fn read_positions(
    file: &Path,
    spec: GameSpec,
    any_total: bool,
) -> anyhow::Result<(AnyGame, Vec<AnyPosition>)> {
    let mut lines = Vec::new();
    let mut most_seeds = 0;
    arguments::each_line(file, |line| {
        arguments::place(spec, Some(line), any_total)?;
        let setup: Result<KalahSetup, _> = line.parse();
        most_seeds = most_seeds.max(setup.map_or(0, |setup| setup.total()));
        lines.push(line.to_owned());
        Ok(())
    })?;
    let game = match any_total {
        true => AnyGame::with_any_total(spec, most_seeds),
        false => AnyGame::new(spec),
    };
    let positions = lines.iter().map(|line| game.parse_position(line));
    let positions = positions.collect::<Result<_, _>>()?;
    Ok((game, positions))
}

/// A move of JSON as text.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl Report {
    /// The moves whose value is known.
    fn valued_moves(&self) -> Vec<(String, i64)> {
        let list: Vec<(String, &Value)> = match &self.moves {
            Value::Array(moves) => (0..).map(|pit: usize| pit.to_string()).zip(moves).collect(),
            Value::Object(moves) => {
                let moves = moves.iter();
                moves.map(|(name, value)| (name.clone(), value)).collect()
            }
            _ => Vec::new(),
        };
        let known = list.into_iter();
        known
            .filter_map(|(name, value)| Some((name, value.as_i64()?)))
            .collect()
    }

    /// A row of CSV for every move; where none is known, one for the position.
    fn rows(&self, position: &str) -> String {
        let best = plain(&self.best);
        let mut moves: Vec<(String, Option<i64>)> = self
            .valued_moves()
            .into_iter()
            .map(|(mv, value)| (mv, Some(value)))
            .collect();
        if moves.is_empty() {
            moves.push((String::new(), self.value.map(i64::from)));
        }
        let row = |(mv, value): &(String, Option<i64>)| {
            let value = value.map_or(String::new(), |value| value.to_string());
            let is_best = u8::from(*mv == best);
            csv_line::<&dyn Display>(&[&position, mv, &value, &is_best, &self.unit, &self.source])
        };
        moves.iter().map(row).collect()
    }

    /// The report for people.
    fn text(&self) -> String {
        let Report {
            game, lower, upper, ..
        } = self;
        let mut text = match self.margins_of == *game {
            true => format!("{game}\n"),
            false => format!("{game}, with the margins of {}\n", self.margins_of),
        };
        let by_book = self.source == "book";
        match self.value {
            Some(value) => {
                let source = if by_book { ", in the opening book" } else { "" };
                text += &format!("value {value:+} for the player to move, proven{source}\n");
            }
            None => text += &format!("stopped: the value lies between {lower:+} and {upper:+}\n"),
        }
        for (name, value) in self.valued_moves() {
            text += &format!("  move {name:<5} {value:+}\n");
        }
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
        if by_book {
            text += " (--no-book proves it again)";
        }
        text + "\n"
    }
}
