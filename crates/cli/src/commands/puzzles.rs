//! `kalahari puzzles`: makes and checks the puzzles that come with the program.

use crate::{interrupt, output};
use anyhow::Context;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use kalahari_study::puzzle;
use std::path::PathBuf;

/// Make or check puzzles: positions where exactly one move keeps the win
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari puzzles check
  kalahari puzzles build --seed 1 --out crates/study/data/puzzles.txt")]
pub(crate) struct Puzzles {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make puzzles; the same seed makes the same ones
    Build {
        /// The seed of random choices
        #[arg(long = "seed", value_name = "S", default_value_t = 1)]
        rng_seed: u64,

        /// Where to write them
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Prove every puzzle again
    Check {
        /// A file instead of the puzzles that come with the program
        file: Option<PathBuf>,
    },
}

impl Puzzles {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = interrupt::stop();
        match self.action {
            Action::Build { rng_seed, out } => {
                output::check_place(&out)?;
                let bar = bar(0);
                let made = puzzle::build(rng_seed, stop, &mut |progress| {
                    bar.set_length(progress.wanted as u64);
                    bar.set_position(progress.made as u64);
                });
                bar.finish_and_clear();
                let made = made.context("interrupted: nothing was written")?;
                output::write_or_print(&out, &puzzle::puzzles_text(&made))?;
                output::print(&format!("{} puzzles in {}\n", made.len(), out.display()))
            }
            Action::Check { file } => {
                let read = match &file {
                    None => None,
                    Some(file) => {
                        let text = std::fs::read_to_string(file)
                            .with_context(|| format!("cannot read {}", file.display()))?;
                        Some(puzzle::read_puzzles(&text)?)
                    }
                };
                let all = read.as_deref().unwrap_or(puzzle::puzzles());
                let bar = bar(all.len() as u64);
                for puzzle in all {
                    anyhow::ensure!(!stop.is_requested(), "interrupted");
                    puzzle.prove()?;
                    bar.inc(1);
                }
                bar.finish_and_clear();
                output::print(&format!("{} puzzles are proven\n", all.len()))
            }
        }
    }
}

/// A bar on standard error; nothing if that is not a terminal.
fn bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} puzzles") {
        bar.set_style(style);
    }
    bar
}
