//! `kalahari dataset`: labelled positions, for training and for study.

use crate::arguments::{self, threads};
use crate::failure::damage_fails;
use crate::progress::{ProofDisplay, positions_bar};
use crate::{interrupt, output};
use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use indicatif::ProgressBar;
use kalahari_agents::AgentSpec;
use kalahari_dataset::{
    self as dataset, Build as Building, Format, Labels, Manifest, News, Range, Recipe, Share,
    Source, StoredGames,
};
use kalahari_exact::tablebase::{MAX_TABLE_PITS, position_count};
use kalahari_games::GameSpec;
use kalahari_shards::{Rows, Task};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Make positions with labels: exact values or those of a search, as Parquet or CSV
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari dataset build kalah:6x6 --out exact --from random --seeds 10..30 --label exact --rows 1000000
  kalahari dataset build kalah:6x6 --out games --label engine:depth=11 --random 25% --rows 800000
  kalahari dataset info exact games
  kalahari dataset merge exact games --out all.parquet

docs/data.md describes the columns and opens them with pandas, polars and DuckDB.")]
pub(crate) struct Dataset {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(Build),
    Info(Info),
    Merge(Merge),
}

/// Make a dataset, or continue one
#[derive(Debug, Args)]
#[command(
    after_help = "A dataset is a folder of numbered shards, each written whole or not at all, and a manifest. However this command ends, the
same command continues with the first shard that is missing; with more --rows it adds shards. A shard depends on the arguments and
its number alone: the same program and command give the same bytes on every machine, whatever the number of threads. (Only searches that use
the endgame tables of this machine may differ; the manifest names those tables.)

Examples:
  kalahari dataset build kalah:6x6 --out exact --from random --seeds 10..30 --label exact --rows 1000000
  kalahari dataset build kalah:6x6 --out games --label engine:depth=11 --random 25% --rows 800000
  kalahari dataset build kalah:4x3:empty-capture --out small --from self-play --label exact --rows 10000 --format csv
  kalahari dataset build kalah:6x4 --out played --from games.db --label engine:nodes=100000 --moves
  kalahari dataset build isolation:6x6 --out cells --from random --cells 8..14 --label exact --rows 5000"
)]
struct Build {
    /// The game, such as kalah:6x6:empty-capture or isolation:queen (see `kalahari games`)
    game: GameSpec,

    /// The folder, made if needed
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Where positions come from: self-play, random (uniformly), or a store of games (a file that --db of `match` has made)
    #[arg(long, value_name = "SOURCE", default_value = "self-play")]
    from: From,

    /// What labels them: exact (tablebase and solver, every move), or the search of an agent such as engine:nodes=20000
    #[arg(long, value_name = "LABEL", default_value = "engine:nodes=20000")]
    label: By,

    /// How many rows in all; may be left out with a store, whose positions are then all taken
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rows: Option<u64>,

    /// Only Kalah positions with this many seeds in the pits, both numbers included; `random` makes equally many of each. 2..30 if left out with exact labels, otherwise all
    #[arg(long, value_name = "A..B")]
    seeds: Option<Range>,

    /// Only Isolation positions with this many free cells; as --seeds, 1..16 if left out with exact labels
    #[arg(long, value_name = "A..B", conflicts_with = "seeds")]
    cells: Option<Range>,

    /// Self-play: who plays; the labelling agent if left out, or engine:nodes=2000 where labels are exact
    #[arg(long, value_name = "AGENT")]
    play: Option<AgentSpec>,

    /// Self-play: the share of moves that are random
    #[arg(long, value_name = "SHARE", default_value = "25%")]
    random: Share,

    /// Self-play: play this many first moves at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    opening: u32,

    /// Ask a labelling search for the value of every move, too; exact labels have them anyway
    #[arg(long)]
    moves: bool,

    /// The kind of files
    #[arg(long, value_enum, default_value = "parquet")]
    format: FormatName,

    /// Rows per shard; at most this many are lost if the command is killed
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    rows_per_shard: u64,

    /// Exact labels: the seeds of the tablebase to build, 0 for none; chosen by the number of rows if left out. A larger one
    /// on disk is used instead, which changes no row
    #[arg(long, value_name = "SEEDS", value_parser = clap::value_parser!(u8).range(0..=30))]
    tablebase: Option<u8>,

    /// The seed of all random choices
    #[arg(long = "seed", value_name = "SEED", default_value_t = 1)]
    rng_seed: u64,

    /// Threads to use; all cores if left out
    #[arg(long, value_name = "N", value_parser = arguments::thread_count)]
    threads: Option<usize>,

    /// Continue a dataset even if the program or its tables have changed
    #[arg(long)]
    mix: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Check every row of datasets or of single shards, and say what is in them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari dataset info exact
  kalahari dataset info games/shard-00003.parquet --json")]
struct Info {
    /// Folders of datasets, or files of rows
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Put the rows of datasets or of single shards into one Parquet file, each position once
#[derive(Debug, Args)]
#[command(
    after_help = "Of several rows with the same key, the first exact one is kept, or else the first. All rows must be of one game.

Examples:
  kalahari dataset merge exact games --out all.parquet"
)]
struct Merge {
    /// Folders of datasets, or files of rows
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Where positions come from, as the user asks for it.
#[derive(Clone, Debug)]
enum From {
    SelfPlay,
    Random,
    Store(PathBuf),
}

impl FromStr for From {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "self-play" => From::SelfPlay,
            "random" => From::Random,
            file => From::Store(file.into()),
        })
    }
}

/// What labels positions, as the user asks for it.
#[derive(Clone, Debug)]
enum By {
    Exact,
    Search(AgentSpec),
}

impl FromStr for By {
    type Err = kalahari_agents::AgentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "exact" => Ok(By::Exact),
            agent => agent.parse().map(By::Search),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    Parquet,
    Csv,
}

impl Dataset {
    /// The rows as work for many machines.
    pub(crate) fn task(self) -> anyhow::Result<Task> {
        match self.action {
            Action::Build(build) => build.task(),
            Action::Info(_) | Action::Merge(_) => anyhow::bail!("only `dataset build` makes rows"),
        }
    }

    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Build(build) => build.run(),
            Action::Info(info) => info.run(),
            Action::Merge(merge) => merge.run(),
        }
    }
}

/// The most seeds and cells of positions whose exact labels are found quickly.
const EASY_SEEDS: u32 = 30;
const EASY_CELLS: u32 = 16;

/// The positions of the largest tablebase that is built for exact labels unasked: the more rows, the larger a table pays off.
fn tablebase_positions(rows: Option<u64>) -> u64 {
    let rows = rows.unwrap_or(u64::MAX);
    rows.saturating_mul(300).clamp(10_000_000, 300_000_000)
}

/// What `build --json` prints.
#[derive(Serialize)]
struct Built<'a> {
    folder: String,
    rows: u64,
    shards: usize,
    made: u32,
    kept: u32,
    seconds: f64,
    finished: bool,
    labels: &'a BTreeMap<String, u64>,
}

impl Build {
    fn task(self) -> anyhow::Result<Task> {
        anyhow::ensure!(
            !matches!(self.from, From::Store(_)),
            "rows from a store of games cannot be made in shards, because not every machine has the store; rows from self-play and random can"
        );
        let rows = self.rows;
        let rows = rows.context("how many rows? add a key such as rows = 100000")?;
        let recipe = self.recipe(None)?;
        let identity = dataset::identity(&recipe)?;
        Ok(Task::Rows(Rows {
            recipe,
            identity,
            rows,
        }))
    }

    fn run(self) -> anyhow::Result<()> {
        let store = match &self.from {
            From::Store(file) => Some(StoredGames::read(file, self.game)?),
            From::SelfPlay | From::Random => None,
        };
        anyhow::ensure!(
            store.is_some() || self.rows.is_some(),
            "how many rows? say so with --rows, such as --rows 100000"
        );
        let building = Building {
            recipe: self.recipe(store.as_ref())?,
            folder: &self.out,
            rows: self.rows,
            store: store.as_ref(),
            threads: threads(self.threads),
            mix: self.mix,
        };
        let begin = Instant::now();
        let screen = Arc::new(Screen::new(self.rows));
        let shown = Arc::clone(&screen);
        let made = dataset::build(
            &building,
            interrupt::stop(),
            Arc::new(move |news| shown.show(news)),
        );
        screen.clear();
        let manifest = made?;
        self.report(&manifest, &screen, begin.elapsed().as_secs_f64())
    }

    fn report(&self, manifest: &Manifest, screen: &Screen, seconds: f64) -> anyhow::Result<()> {
        let finished = !interrupt::was_requested();
        let state = screen.state();
        let built = Built {
            folder: self.out.display().to_string(),
            rows: manifest.rows,
            shards: manifest.shards.len(),
            made: state.made,
            kept: state.kept,
            seconds,
            finished,
            labels: &manifest.labels,
        };
        let state_text = match finished {
            true => "",
            false => "stopped; the same command continues from there\n",
        };
        let text = format!(
            "{state_text}{}: {} rows ({})\nshards: {}, {} of them made now in {seconds:.1} s\n",
            self.out.display(),
            manifest.rows,
            list(&manifest.labels),
            manifest.shards.len(),
            state.made,
        );
        output::show(self.json, &text, &built)
    }

    fn recipe(&self, store: Option<&StoredGames>) -> anyhow::Result<Recipe> {
        let left = self.left()?;
        let labels = match &self.label {
            By::Exact => Labels::Exact {
                tablebase: self.tablebase(left),
            },
            By::Search(agent) => Labels::Search {
                agent: agent.clone(),
                moves: self.moves,
            },
        };
        let source = match (&self.from, store) {
            (From::Store(_), Some(store)) => store.source().clone(),
            (From::Random, _) => Source::Random,
            _ => Source::SelfPlay {
                player: match (&self.play, &self.label) {
                    (Some(player), _) => player.clone(),
                    (None, By::Search(agent)) => agent.clone(),
                    (None, By::Exact) => "engine:nodes=2000,hash=4".parse()?,
                },
                random: self.random,
                opening: self.opening,
            },
        };
        Ok(Recipe {
            game: self.game,
            source,
            labels,
            left,
            rows_per_shard: self.rows_per_shard,
            rng_seed: self.rng_seed,
            format: match self.format {
                FormatName::Parquet => Format::Parquet,
                FormatName::Csv => Format::Csv,
            },
        })
    }

    /// What may be left in positions.
    fn left(&self) -> anyhow::Result<Range> {
        let all = Range::of_game(self.game);
        let is_exact = matches!(self.label, By::Exact);
        let (asked, easy, other) = match self.game {
            GameSpec::Kalah(_) => (self.seeds, EASY_SEEDS, self.cells),
            GameSpec::Isolation(_) => (self.cells, EASY_CELLS, self.seeds),
        };
        anyhow::ensure!(
            other.is_none(),
            "--seeds is for Kalah and --cells for Isolation; {} has {}",
            self.game,
            dataset::things(self.game)
        );
        Ok(asked.unwrap_or(match is_exact {
            true => Range {
                most: all.most.min(easy),
                ..all
            },
            false => all,
        }))
    }

    /// The seeds of the tablebase for exact labels.
    fn tablebase(&self, left: Range) -> usize {
        let GameSpec::Kalah(kalah) = self.game else {
            return 0;
        };
        if let Some(seeds) = self.tablebase {
            return usize::from(seeds).min(left.most as usize);
        }
        // A dataset that grows keeps the tablebase it began with.
        if let Ok(begun) = Manifest::read(&self.out)
            && let Labels::Exact { tablebase } = begun.recipe.labels
            && (begun.recipe.game, begun.recipe.left) == (self.game, left)
        {
            return tablebase;
        }
        let pits = kalah.pits();
        let most = tablebase_positions(self.rows);
        let is_small = |n: &usize| position_count(pits, *n).is_some_and(|count| count <= most);
        match pits <= MAX_TABLE_PITS {
            true => (0..=left.most.min(30) as usize)
                .rev()
                .find(is_small)
                .unwrap_or(0),
            false => 0,
        }
    }
}

/// What is shown while a dataset is made.
struct Screen {
    bar: ProgressBar,
    tables: ProofDisplay,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// The rows of finished shards.
    rows: u64,
    made: u32,
    kept: u32,
}

impl Screen {
    fn new(rows: Option<u64>) -> Self {
        Screen {
            bar: positions_bar(rows.unwrap_or(0)),
            tables: ProofDisplay::of_tablebases(),
            state: Mutex::default(),
        }
    }

    fn state(&self) -> State {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, news: &News<'_>) {
        // There are many of these, so the state is not locked for them.
        if let News::Prover(news) = news {
            return self.tables.show(news);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match news {
            News::Kept(entry) => {
                state.kept += 1;
                state.rows += entry.rows;
            }
            News::Made(entry) => {
                state.made += 1;
                state.rows += entry.rows;
                self.bar.set_message(entry.file.clone());
            }
            News::Damaged(error) => {
                self.bar
                    .suspend(|| eprintln!("kalahari: {error} (it is made again now)"));
            }
            News::Labelled { rows } => self.bar.set_position(state.rows + *rows as u64),
            News::Found { positions } => {
                self.bar.set_message(format!("{positions} positions found"));
            }
            _ => {}
        }
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
        self.tables.clear();
    }
}

impl Info {
    fn run(self) -> anyhow::Result<()> {
        let found = dataset::survey(&self.paths).map_err(|error| damage_fails(error.into()))?;
        if self.json {
            return output::print_json(&found);
        }
        let things = match found.game {
            GameSpec::Kalah(_) => "seeds",
            GameSpec::Isolation(_) => "cells",
        };
        let mut text = format!(
            "{}: {} rows, shards: {}; every shard is whole, every row legal\n",
            found.game, found.rows, found.shards
        );
        text += &format!(
            "labels: {} ({} rows are proven)\nvalues: {}, mean {:+.3}\n",
            list(&found.labels),
            found.proven,
            list(&found.units),
            found.mean
        );
        text += &format!(
            "games: {}; {} rows have the key of an earlier one\n{things:>9} rows\n",
            found.games, found.duplicates
        );
        for (left, rows) in &found.left {
            text += &format!("{left:>9} {rows}\n");
        }
        output::print(&text)
    }
}

/// Counts in words.
fn list(counts: &BTreeMap<String, u64>) -> String {
    let words = counts.iter().map(|(name, count)| format!("{count} {name}"));
    words.collect::<Vec<_>>().join(", ")
}

impl Merge {
    fn run(self) -> anyhow::Result<()> {
        let merged = dataset::merge(&self.paths, &self.out)?;
        if self.json {
            return output::print_json(&serde_json::json!({
                "file": self.out.display().to_string(), "rows": merged.rows, "duplicates": merged.duplicates,
            }));
        }
        output::print(&format!(
            "{}: {} rows; {} with the key of another were left out\n",
            self.out.display(),
            merged.rows,
            merged.duplicates
        ))
    }
}
