//! `kalahari tablebase`: builds, checks and describes Kalah tablebases.

use crate::arguments::{self, threads};
use crate::failure::damage_fails;
use crate::progress::positions_bar;
use crate::{interrupt, output};
use anyhow::Context;
use clap::{Args, Subcommand};
use kalahari_exact::Watch;
use kalahari_exact::prover::{TablebasePolicy, delete_table};
use kalahari_exact::tablebase::{
    self as exact, TableSpec, building_memory, position_count, table_path,
};
use kalahari_storage::{FileError, data_home};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Build, verify or describe tablebases: the exact value of every Kalah position with few seeds
#[derive(Debug, Args)]
#[command(
    after_help = "Tablebases are kept in $KALAHARI_HOME, or in the user's data directory, one file for each family.

Examples:
  kalahari tablebase build kalah:6:standard --seeds 20
  kalahari tablebase verify kalah:6 --sample 1000000
  kalahari tablebase info"
)]
pub(crate) struct Tablebase {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(Build),
    Verify(Verify),
    Info(Info),
    Delete(Delete),
}

/// Build a tablebase, starting from one with fewer seeds if there is one
#[derive(Debug, Args)]
#[command(
    after_help = "Ctrl-C keeps the levels that are finished; the same command continues from there.

Examples:
  kalahari tablebase build kalah:6:standard --seeds 20
  kalahari tablebase build kalah:4:empty-capture --seeds 24 --file four.tablebase"
)]
struct Build {
    /// The family of positions, kalah:P or kalah:P:RULE, P from 1 to 6
    table: TableSpec,

    /// Cover every position with at most this many seeds in the pits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=exact::MAX_TABLE_SEEDS as i64))]
    seeds: u8,

    /// Write this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Threads to use; all cores if left out
    #[arg(long, value_name = "N", value_parser = arguments::thread_count)]
    threads: Option<usize>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Check a tablebase: its checksums, and each position against its successors
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari tablebase verify kalah:6:standard
  kalahari tablebase verify kalah:6:standard --sample 1000000 --seed 7")]
struct Verify {
    /// The family of positions, kalah:P or kalah:P:RULE
    table: TableSpec,

    /// Recompute only this many positions, chosen at random
    #[arg(long, value_name = "K")]
    sample: Option<u64>,

    /// The seed of the random choice
    #[arg(long = "seed", value_name = "SEED", default_value_t = 1)]
    rng_seed: u64,

    /// Read this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// List the tablebases, their sizes, and how their values are distributed
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari tablebase info
  kalahari tablebase info kalah:6:standard --json")]
struct Info {
    /// The family of positions, kalah:P or kalah:P:RULE; all tablebases if left out
    table: Option<TableSpec>,

    /// Read this file instead of the usual one
    #[arg(long, value_name = "FILE", requires = "table")]
    file: Option<PathBuf>,

    /// Print one JSON object per tablebase
    #[arg(long)]
    json: bool,
}

/// Delete tablebases, including those that were built automatically
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari tablebase delete kalah:6:standard
  kalahari tablebase delete --all")]
struct Delete {
    /// The family of positions, kalah:P or kalah:P:RULE
    #[arg(required_unless_present = "all")]
    table: Option<TableSpec>,

    /// Delete every tablebase in the data directory
    #[arg(long, conflicts_with = "table")]
    all: bool,
}

impl Delete {
    fn run(self) -> anyhow::Result<()> {
        let mut deleted = 0;
        let tables = match self.table {
            Some(table) => vec![table],
            None => families().collect(),
        };
        for table in tables {
            let home = home()?;
            let path = table_path(&home, table);
            let there_was = delete_table(&home, table)
                .with_context(|| format!("cannot delete {}", path.display()))?;
            if there_was {
                output::print(&format!("deleted {}\n", path.display()))?;
                deleted += 1;
            }
        }
        match deleted {
            0 => output::print("there is no such tablebase\n"),
            _ => Ok(()),
        }
    }
}

impl Tablebase {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Build(build) => build.run(),
            Action::Verify(verify) => verify.run(),
            Action::Info(info) => info.run(),
            Action::Delete(delete) => delete.run(),
        }
    }
}

/// The file of a family, unless another one is named.
fn path_of(table: TableSpec, file: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    match file {
        Some(file) => Ok(file),
        None => Ok(table_path(&home()?, table)),
    }
}

fn home() -> anyhow::Result<PathBuf> {
    data_home().context("no place for tablebases: set KALAHARI_HOME")
}

/// The tablebase on disk, or `None` if there is no file.
fn open_if_there(path: &Path, table: TableSpec) -> Result<Option<exact::Tablebase>, FileError> {
    match exact::Tablebase::open(path, Some(table)) {
        Ok(table) => Ok(Some(table)),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(error),
    }
}

/// The tablebase for proofs: of `seeds` seeds, none for 0, or the one that pays off.
pub(crate) fn policy(seeds: Option<usize>) -> TablebasePolicy {
    match seeds {
        Some(0) => TablebasePolicy::None,
        Some(seeds) => TablebasePolicy::Seeds(seeds),
        None => TablebasePolicy::SUITED,
    }
}

fn pool(threads: usize) -> anyhow::Result<rayon::ThreadPool> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.build().context("no threads")
}

/// What `build --json` prints.
#[derive(Serialize)]
struct Built {
    table: String,
    seeds: usize,
    positions: u64,
    seconds: f64,
    positions_per_second: f64,
    file: String,
    finished: bool,
}

/// A level that took longer than this is saved before the next one.
const SAVE_AFTER: Duration = Duration::from_secs(30);

impl Build {
    fn run(self) -> anyhow::Result<()> {
        let seeds = usize::from(self.seeds);
        let path = path_of(self.table, self.file)?;
        let known = open_if_there(&path, self.table)?;
        let start = known.as_ref().map(exact::Tablebase::seeds);
        if let (Some(known), false) = (start, self.json)
            && known >= seeds
        {
            return output::print(&format!(
                "{}: already there with {known} seeds\n",
                path.display()
            ));
        }
        output::check_place(&path)?;
        let pool = pool(threads(self.threads))?;
        let before = start
            .and_then(|seeds| position_count(self.table.pits(), seeds))
            .unwrap_or(0);
        let all = position_count(self.table.pits(), seeds).context("far too many positions")?;
        let memory = building_memory(self.table, seeds).context("far too many positions")?;
        eprintln_if(!self.json, || {
            format!(
                "{} with {seeds} seeds: {all} positions, {} MiB of memory",
                self.table,
                memory >> 20
            )
        });
        let bar = positions_bar(all.saturating_sub(before));
        let watch = Watch {
            stop: interrupt::stop(),
            done: &|positions| bar.inc(positions),
        };
        let begin = Instant::now();
        let mut saved = Instant::now();
        let mut saving = Duration::ZERO;
        let mut keep = |table: &exact::Tablebase| {
            if saved.elapsed() > SAVE_AFTER && table.seeds() < seeds {
                let begin = Instant::now();
                table.save(&path)?;
                saved = Instant::now();
                saving += begin.elapsed();
            }
            anyhow::Ok(())
        };
        let table = pool.install(|| {
            exact::Tablebase::extend(known.as_ref(), self.table, seeds, watch, &mut keep)
        })?;
        bar.finish_and_clear();
        let seconds = (begin.elapsed() - saving).as_secs_f64();
        let finished = table.seeds() >= seeds;
        // The result is reported even if the file cannot be written.
        let saved = match start.is_none_or(|start| table.seeds() > start) {
            true => table.save(&path),
            false => Ok(()),
        };
        let positions = table.positions();
        let built = Built {
            table: self.table.to_string(),
            seeds: table.seeds(),
            positions,
            seconds,
            positions_per_second: positions.saturating_sub(before) as f64 / seconds.max(1e-9),
            file: path.display().to_string(),
            finished,
        };
        let state = if finished { "" } else { "stopped; " };
        match self.json {
            true => output::print_json(&built)?,
            false => output::print(&format!(
                "{state}{} seeds, {positions} positions in {seconds:.2} s, {:.1} million a second\n{}\n",
                built.seeds,
                built.positions_per_second / 1e6,
                built.file
            ))?,
        }
        Ok(saved?)
    }
}

pub(crate) fn eprintln_if(wanted: bool, text: impl FnOnce() -> String) {
    use std::io::IsTerminal;
    if wanted && std::io::stderr().is_terminal() {
        eprintln!("{}", text());
    }
}

impl Verify {
    fn run(self) -> anyhow::Result<()> {
        let path = path_of(self.table, self.file)?;
        let table = exact::Tablebase::open(&path, Some(self.table))
            .map_err(|error| damage_fails(error.into()))?;
        let begin = Instant::now();
        let bar = positions_bar(table.positions().min(self.sample.unwrap_or(u64::MAX)));
        let watch = Watch {
            stop: interrupt::stop(),
            done: &|positions| bar.inc(positions),
        };
        let checked = match self.sample {
            Some(count) => table.verify_sample(count, self.rng_seed, watch),
            None => table.verify(watch),
        };
        bar.finish_and_clear();
        let checked = checked.with_context(|| format!("{} is wrong", path.display()))?;
        let seconds = begin.elapsed().as_secs_f64();
        let whole = checked.positions == table.positions();
        if self.json {
            return output::print_json(&serde_json::json!({
                "table": self.table.to_string(), "seeds": table.seeds(), "checked": checked.positions,
                "every_position": whole, "seconds": seconds, "good": true,
            }));
        }
        let kind = if whole { "all" } else { "only some" };
        output::print(&format!(
            "{}: checksums and {} positions ({kind}) are right, {seconds:.1} s\n",
            path.display(),
            checked.positions
        ))
    }
}

/// What `info --json` prints.
#[derive(Serialize)]
struct Described {
    table: String,
    seeds: usize,
    positions: u64,
    bytes: u64,
    checksum: String,
    file: String,
    /// How many positions have each margin.
    values: Vec<(i32, u64)>,
}

impl Info {
    fn run(self) -> anyhow::Result<()> {
        let files = match self.table {
            Some(table) => vec![(table, path_of(table, self.file)?)],
            None => families()
                .map(|table| anyhow::Ok((table, path_of(table, None)?)))
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .filter(|(_, path)| path.exists())
                .collect(),
        };
        if files.is_empty() && !self.json {
            output::print("no tablebases; see `kalahari tablebase build --help`\n")?;
        }
        for (spec, path) in files {
            let table = exact::Tablebase::open(&path, Some(spec))?;
            let info = exact::Tablebase::file_info(&path)?;
            let described = Described {
                table: spec.to_string(),
                seeds: info.seeds,
                positions: info.positions,
                bytes: info.size,
                checksum: format!("{:08x}", info.checksum),
                file: path.display().to_string(),
                values: table.distribution(),
            };
            match self.json {
                true => output::print_json(&described)?,
                false => output::print(&description(&described))?,
            }
        }
        Ok(())
    }
}

/// Every family there can be.
pub(super) fn families() -> impl Iterator<Item = TableSpec> {
    (1..=exact::MAX_TABLE_PITS).flat_map(|pits| {
        kalahari_games::kalah::CaptureRule::ALL
            .into_iter()
            .filter_map(move |rule| TableSpec::new(pits, rule))
    })
}

fn description(table: &Described) -> String {
    let Described {
        file,
        table: name,
        seeds,
        positions,
        bytes,
        checksum,
        values,
    } = table;
    let mut text = format!(
        "{file}\n{name}, up to {seeds} seeds: {positions} positions, {bytes} bytes, checksum {checksum}\nmargin       positions\n"
    );
    for (margin, count) in values {
        text += &format!("{margin:>6} {count:>15}\n");
    }
    text
}
