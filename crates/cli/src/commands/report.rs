//! `kalahari report`: the games of a store as pictures and a page.

use crate::output;
use clap::Args;
use kalahari_arena::Store;
use kalahari_arena::pictures::write_pictures;
use std::path::PathBuf;

/// Draw the games of a store: ratings, strength against time, margins, lengths and openings
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari match engine:time=10ms level:5 --game kalah:6x4 --games 40 --db games.db
  kalahari report --db games.db --out report

Every picture is written as SVG and PNG; index.html has all of them in it and needs no other file.")]
pub(crate) struct Report {
    /// The store
    #[arg(long, value_name = "FILE")]
    db: PathBuf,

    /// The directory for the pictures and the page; it is made if needed
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Report {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let store = Store::open_existing(&self.db)?;
        let files = write_pictures(&store, &self.out)?;
        anyhow::ensure!(
            !files.is_empty(),
            "{}: no game in it is finished",
            self.db.display()
        );
        let lines: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        output::print(&(lines.join("\n") + "\n"))
    }
}
