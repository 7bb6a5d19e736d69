//! `kalahari book bounds`: what a long proof has shown so far, for the engine, `solve` and the page.

use crate::output;
use anyhow::Context;
use clap::Args;
use kalahari_exact::book::{ProvenBounds, bounds_path, shipped_books_of_bounds};
use kalahari_exact::prover::proven_bounds;
use kalahari_games::Game;
use kalahari_games::kalah::{Kalah, KalahSpec, Packed};
use kalahari_prove::{Journal, bounds};
use kalahari_storage::data_home;
use kalahari_terms::Bounds as Proven;
use serde_json::json;
use std::path::PathBuf;

/// Copy what a journal of `kalahari prove` has proven about positions near its root, so that `engine`, `solve` and the page know it
#[derive(Debug, Args)]
#[command(
    after_help = "The book of bounds is kept beside the other books, one file per game; bounds that it already has stay in it. Check a
journal from another person first: `kalahari prove --check FILE`.

Examples:
  kalahari book bounds six.proof
  kalahari book bounds six.proof --positions 500 --out six.bounds"
)]
pub(super) struct Bounds {
    /// The journal
    journal: PathBuf,

    /// Take this many positions: those that are the fewest moves from the root
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,

    /// Write this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Bounds {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let journal = Journal::open_existing(&self.journal)?;
        let mut book = bounds(&journal, self.positions as usize)?;
        let game = book.game();
        let path = match self.out {
            Some(path) => path,
            None => bounds_path(
                &data_home().context("no place for books: set KALAHARI_HOME or use --out")?,
                game,
            ),
        };
        output::not_over(&self.journal, &path)?;
        match ProvenBounds::open(&path, Some(game)) {
            Ok(before) => book.add_all(&before).with_context(|| {
                let (journal, path) = (self.journal.display(), path.display());
                format!("{path} contradicts {journal}; check both, or name another file with --out")
            })?,
            Err(error) if error.is_missing() => {}
            Err(error) => return Err(error.into()),
        }
        book.save(&path)?;
        tell(&book, &path.display().to_string(), self.json)
    }
}

/// Describes the books of bounds that are part of the program, with what the user has added to them.
pub(super) fn list(json: bool) -> anyhow::Result<()> {
    for game in shipped_books_of_bounds() {
        of_game(game, json)?;
    }
    Ok(())
}

/// Describes a game's bounds; false if there are none.
pub(super) fn of_game(game: KalahSpec, json: bool) -> anyhow::Result<bool> {
    let home = data_home();
    let Some(book) = proven_bounds(game, home.as_deref())? else {
        return Ok(false);
    };
    let own = home.map(|home| bounds_path(&home, game.with_majority(false)));
    let place = match own.filter(|own| own.exists()) {
        Some(own) => own.display().to_string(),
        None => "part of the program".to_owned(),
    };
    tell(&book, &place, json)?;
    Ok(true)
}

fn tell(book: &ProvenBounds, place: &str, json: bool) -> anyhow::Result<()> {
    let game = Kalah::<Packed>::new(book.game())?;
    let start = book.of(&game, &game.start());
    let (positions, values, bytes) = (book.positions(), book.values(), book.to_text().len());
    if json {
        return output::print_json(&json!({
            "game": book.game().to_string(), "positions": positions, "values": values, "bytes": bytes, "place": place,
            "lower": start.map(|start| start.lower), "upper": start.map(|start| start.upper),
        }));
    }
    let start = match start {
        Some(Proven { lower, upper }) if lower == upper => format!("value {lower:+}"),
        Some(Proven { lower, upper }) => format!("value between {lower:+} and {upper:+}"),
        None => "nothing is proven about the start".to_owned(),
    };
    output::print(&format!(
        "{}: bounds of {positions} positions, {values} of them values, {bytes} bytes ({place})\n{start}\n",
        book.game()
    ))
}
