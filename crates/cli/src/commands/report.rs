//! `kalahari report`: the games of a store as pictures and a page.

use crate::output;
use clap::Args;
use kalahari_agents::{AgentSpec, OptionKey};
use kalahari_arena::pictures::write_pictures;
use kalahari_arena::{Store, StoredMatch};
use kalahari_shards::{Machine, unfair};
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
        if let Some(warning) = unfair_clocks(&store)? {
            eprintln!("kalahari: warning: {warning}");
        }
        output::print(&(lines.join("\n") + "\n"))
    }
}

/// A warning if machines of different speeds have played matches with time limits.
fn unfair_clocks(store: &Store) -> anyhow::Result<Option<String>> {
    let matches = store.matches()?;
    let timed: Vec<&str> = matches
        .iter()
        .filter(|found| has_clock(found))
        .map(|found| found.id.as_str())
        .collect();
    let runs = store.runs()?;
    let runs = runs
        .iter()
        .filter(|run| run.matches.iter().any(|id| timed.contains(&id.as_str())));
    // Runs written by other programs name a machine that we cannot read, so they are left out.
    let machines: Vec<Machine> = runs
        .filter_map(|run| run.origin.machine.parse().ok())
        .collect();
    Ok(unfair(&machines))
}

/// Whether a match depends on the speed of the machine: its agents have times of their own, or it has limits other than nodes and depth.
fn has_clock(found: &StoredMatch) -> bool {
    let own = found.agents.iter().any(|agent| {
        let agent: Option<AgentSpec> = agent.parse().ok();
        agent.is_some_and(|agent| agent.option(OptionKey::Time).is_some())
    });
    let limits = ["depth ", "each agent's own"];
    let is_plain =
        |part: &str| part.ends_with(" nodes") || limits.iter().any(|plain| part.starts_with(plain));
    own || !found.limits.split(", ").all(is_plain)
}
