//! `kalahari book`: builds, checks and describes opening books.

mod bounds;

use crate::arguments::{self, threads};
use crate::commands::tablebase::{eprintln_if, policy};
use crate::failure::damage_fails;
use crate::progress::{ProofDisplay, positions_bar};
use crate::{interrupt, output};
use anyhow::Context;
use clap::{Args, Subcommand};
use kalahari_arena::Hands;
use kalahari_exact::Watch;
use kalahari_exact::book::{self as exact, BookBuild, Walk, book_path, shipped_books};
use kalahari_exact::prover::{BookPlace, Prover, ProverOptions, TableMemory, opening_book};
use kalahari_games::kalah::{Kalah, KalahSpec, Packed};
use kalahari_games::{AnyGame, Game};
use kalahari_shards::{Frontier, Task};
use kalahari_storage::data_home;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Build, verify or describe opening books: the exact value of every Kalah position near the start, or bounds from long proofs
#[derive(Debug, Args)]
#[command(
    after_help = "Books of some games are part of the program; your own are kept in $KALAHARI_HOME, or in the user's data
directory, one file per game. `engine` and `perfect` use whichever has more plies.

Examples:
  kalahari book build kalah:4x4 --plies 6
  kalahari book verify kalah:6x4 --sample 20
  kalahari book bounds six.proof
  kalahari book info"
)]
pub(crate) struct Book {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(Build),
    Verify(Verify),
    Info(Info),
    Bounds(bounds::Bounds),
}

/// Solve every position up to a given number of moves from the start, and keep the values
#[derive(Debug, Args)]
#[command(
    after_help = "Every solved position is kept in FILE.progress at once. However a build ends, the same command
continues from there.

Examples:
  kalahari book build kalah:6x4 --plies 5
  kalahari book build kalah:6x4:empty-capture --max-size 100K --out empty.book --memory 1G"
)]
struct Build {
    /// The game, such as kalah:6x4:standard
    game: KalahSpec,

    /// Know every position within this many moves; an extra turn is a move
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=i64::from(exact::MOST_BOOK_PLIES)), required_unless_present = "max_size")]
    plies: Option<u32>,

    /// Use fewer plies if the file would be larger than this many bytes
    #[arg(long, value_name = "BYTES", value_parser = arguments::bytes)]
    max_size: Option<u64>,

    /// Write this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    means: Means,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Check a book: its checksums, and its values by solving positions again
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari book verify kalah:6x4 --sample 20
  kalahari book verify four.book")]
struct Verify {
    /// A file, or a game for the book that is in use
    book: String,

    /// Solve only this many positions, spread over the whole book
    #[arg(long, value_name = "K")]
    sample: Option<u64>,

    /// The seed of the choice of positions
    #[arg(long = "seed", value_name = "SEED", default_value_t = 1)]
    rng_seed: u64,

    #[command(flatten)]
    means: Means,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// List the opening books, what they know, and how large they are
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari book info
  kalahari book info kalah:6x4 --json
  kalahari book info four.book")]
struct Info {
    /// A file, or a game for the book that is in use; all books of the program if left out
    book: Option<String>,

    /// Print one JSON object per book
    #[arg(long)]
    json: bool,
}

/// What solving may use.
#[derive(Debug, Args)]
struct Means {
    /// Memory for the table of proven bounds, such as 512M or 8G; sized to the positions if left out
    #[arg(long, value_name = "SIZE", value_parser = arguments::bytes)]
    memory: Option<u64>,

    /// Positions to solve at once; one per core if left out
    #[arg(long, value_name = "N", value_parser = arguments::thread_count)]
    threads: Option<usize>,

    /// Seeds of the tablebase to build in memory if there is none on disk; 0 for none
    #[arg(long, value_name = "N")]
    tablebase: Option<usize>,
}

impl Means {
    /// A prover that uses no book and takes this many threads for each proof.
    fn prover(&self, game: KalahSpec, threads: usize) -> Prover {
        let options = ProverOptions {
            threads,
            memory: self.memory.map_or(TableMemory::Suited, TableMemory::Bytes),
            book: false,
            tablebase: policy(self.tablebase),
            ..ProverOptions::default()
        };
        Prover::new(&AnyGame::new(game.into()), options)
    }
}

impl Book {
    /// The positions of a book as work for many machines.
    pub(crate) fn task(self, hands: &Hands<'_>) -> anyhow::Result<Task> {
        match self.action {
            Action::Build(build) => build.task(hands),
            Action::Verify(_) | Action::Info(_) | Action::Bounds(_) => {
                anyhow::bail!("only `book build` solves positions")
            }
        }
    }

    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Build(build) => build.run(),
            Action::Verify(verify) => verify.run(),
            Action::Info(info) => info.run(),
            Action::Bounds(bounds) => bounds.run(),
        }
    }
}

/// The bytes of a file without its values, rounded up.
const OVERHEAD: u64 = 100;

impl Build {
    fn task(&self, hands: &Hands<'_>) -> anyhow::Result<Task> {
        let Means {
            memory, tablebase, ..
        } = self.means;
        let frontier = Frontier::planned(&self.walk()?, memory, policy(tablebase), hands)?;
        Ok(Task::Frontier(frontier))
    }

    /// The positions that the book will have.
    fn walk(&self) -> anyhow::Result<Walk> {
        let game = self.game.with_majority(false);
        Ok(match (self.plies, self.max_size) {
            (Some(plies), None) => Walk::of(game, plies)?,
            (plies, size) => {
                let size = size.unwrap_or(u64::MAX).saturating_sub(OVERHEAD);
                let size = usize::try_from(size).unwrap_or(usize::MAX);
                Walk::within(game, plies.unwrap_or(u32::MAX), size)?
            }
        })
    }

    fn run(self) -> anyhow::Result<()> {
        let game = self.game.with_majority(false);
        let walk = self.walk()?;
        let path = match &self.out {
            Some(path) => path.clone(),
            None => book_path(
                &data_home().context("no place for books: set KALAHARI_HOME or use --out")?,
                game,
            ),
        };
        if let Ok(info) = exact::Book::file_info(&path)
            && (info.game, info.plies) == (game, walk.plies())
        {
            return match self.json {
                true => self.tell(&path, &exact::Book::open(&path, Some(game))?, 0, 0.0),
                false => output::print(&format!("{}: already there\n", path.display())),
            };
        }
        let mut build = BookBuild::begin(walk, &path)?;
        let (left, all) = (build.left(), build.walk().frontier().len());
        if build.damaged_records() > 0 {
            let count = build.damaged_records();
            eprintln!("kalahari: {count} damaged records of an earlier build are solved again");
        }
        eprintln_if(!self.json, || {
            let (plies, inner) = (build.walk().plies(), build.walk().inner().len());
            format!(
                "{game} to {plies} plies: {all} positions to solve, {left} of them left; {inner} follow from them"
            )
        });
        let begin = Instant::now();
        let workers = threads(self.means.threads);
        let finished = if left > 0 {
            let mut prover = self.means.prover(game, 1);
            let display = ProofDisplay::of_tablebase(&mut prover);
            let bar = positions_bar(left as u64);
            let watch = Watch {
                stop: interrupt::stop(),
                done: &|positions| bar.inc(positions),
            };
            let finished = build.run(&mut prover, workers, watch);
            bar.finish_and_clear();
            display.clear();
            finished?
        } else {
            true
        };
        let seconds = begin.elapsed().as_secs_f64();
        let still_left = build.left();
        if !finished {
            let text = format!(
                "stopped; {still_left} of {all} positions left; the same command continues\n"
            );
            return match self.json {
                true => output::print_json(&json!({"finished": false, "left": still_left})),
                false => output::print(&text),
            };
        }
        let book = build.finish()?;
        self.tell(&path, &book, left, seconds)
    }

    fn tell(
        &self,
        path: &Path,
        book: &exact::Book,
        solved: usize,
        seconds: f64,
    ) -> anyhow::Result<()> {
        let info = exact::Book::file_info(path)?;
        let value = json!({
            "finished": true, "game": book.game().to_string(), "plies": book.plies(), "positions": book.positions(),
            "solved": solved, "seconds": seconds, "bytes": info.size, "file": path.display().to_string(),
        });
        let text = format!(
            "{} to {} plies: {} positions, {solved} solved in {seconds:.1} s, {} bytes\n{}\n",
            book.game(),
            book.plies(),
            book.positions(),
            info.size,
            path.display()
        );
        output::show(self.json, &text, &value)
    }
}

/// A book that a user names by a file or by a game, and where it is.
fn find(name: &str) -> anyhow::Result<(Arc<exact::Book>, String)> {
    let Ok(game) = name.parse::<KalahSpec>() else {
        let book = exact::Book::open(Path::new(name), None)?;
        return Ok((Arc::new(book), name.to_owned()));
    };
    let (book, place) = opening_book(game, data_home().as_deref())?
        .with_context(|| format!("no book of {game}; see `kalahari book build --help`"))?;
    let place = match place {
        BookPlace::File(path) => path.display().to_string(),
        BookPlace::Shipped => "part of the program".to_owned(),
    };
    Ok((book, place))
}

impl Verify {
    fn run(self) -> anyhow::Result<()> {
        let (book, place) = find(&self.book).map_err(damage_fails)?;
        let workers = threads(self.means.threads);
        let mut prover = self.means.prover(book.game(), workers);
        let display = ProofDisplay::of_tablebase(&mut prover);
        let begin = Instant::now();
        let all = book.positions() as u64;
        let bar = positions_bar(self.sample.unwrap_or(all).min(all));
        let watch = Watch {
            stop: interrupt::stop(),
            done: &|positions| bar.inc(positions),
        };
        let checked = exact::verify(&book, &mut prover, self.sample, self.rng_seed, watch);
        bar.finish_and_clear();
        display.clear();
        let checked = checked.with_context(|| format!("{place}: the book is wrong"))?;
        let seconds = begin.elapsed().as_secs_f64();
        if self.json {
            return output::print_json(&json!({
                "game": book.game().to_string(), "plies": book.plies(), "checked": checked,
                "every_position": checked == all, "seconds": seconds, "good": true,
            }));
        }
        output::print(&format!(
            "{} ({place}): checksums and {checked} of {all} positions are right, {seconds:.1} s\n",
            book.game()
        ))
    }
}

impl Info {
    fn run(self) -> anyhow::Result<()> {
        let names = match self.book {
            Some(name) => {
                // A game may have bounds, a book, or both.
                if let Ok(game) = name.parse::<KalahSpec>()
                    && bounds::of_game(game, self.json)?
                    && opening_book(game, data_home().as_deref())?.is_none()
                {
                    return Ok(());
                }
                vec![name]
            }
            None => {
                bounds::list(self.json)?;
                shipped_books().map(|game| game.to_string()).collect()
            }
        };
        for name in names {
            let (book, place) = find(&name)?;
            let game = Kalah::<Packed>::new(book.game())?;
            let start = game.start();
            let value = book.final_margin(&game, &start);
            let moves = book.moves(&game, &start).unwrap_or_default();
            let bytes = book.to_bytes().len();
            if self.json {
                output::print_json(&json!({
                    "game": book.game().to_string(), "plies": book.plies(), "positions": book.positions(), "bytes": bytes,
                    "place": place, "value": value, "moves": moves.iter().map(|(_, value)| value).collect::<Vec<_>>(),
                }))?;
                continue;
            }
            let moves: Vec<String> = moves
                .iter()
                .map(|(pit, value)| format!("{pit}: {value:+}"))
                .collect();
            output::print(&format!(
                "{} to {} plies: {} positions, {bytes} bytes ({place})\nvalue {:+}; moves {}\n",
                book.game(),
                book.plies(),
                book.positions(),
                value.unwrap_or(0),
                moves.join(", ")
            ))?;
        }
        Ok(())
    }
}
