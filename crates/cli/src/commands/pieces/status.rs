//! `kalahari shards`: the plan of an experiment in pieces, and which pieces are there.

use super::counted;
use super::merge::{Told, tell_survey};
use super::plan::{Opened, Planning, absolute};
use crate::arguments::{self, threads};
use crate::{interrupt, output};
use clap::{Args, Subcommand};
use kalahari_arena::Hands;
use kalahari_shards::{PlanFile, Task, inspect};
use kalahari_storage::cache_home;
use serde_json::json;
use std::path::PathBuf;

/// Plan the shards of an experiment, or say which are done and missing
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari shards plan experiment.toml --out shards
  kalahari shards status shards")]
pub(crate) struct Shards {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Plan(PlanCommand),
    Status(Status),
}

/// Make the plan of an experiment in advance: ask its bots for a move, and find openings
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari shards plan experiment.toml --out shards
  kalahari shards plan experiment.toml --json > plan.json

The first shard makes the plan if there is none, so this is optional. It saves time where a thousand shards start at once, and
finds mistakes before they wait in a queue.")]
struct PlanCommand {
    /// The experiment
    file: PathBuf,

    /// The folder of its shards
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Give slower machines more time, and faster ones less: this machine gets the time set in the experiment
    #[arg(long)]
    scale_time: bool,

    /// Threads to use; all cores if left out
    #[arg(long, value_name = "N", value_parser = arguments::thread_count)]
    threads: Option<usize>,

    /// Print the plan as JSON
    #[arg(long)]
    json: bool,
}

/// Say which shards of an experiment are done, refused and missing
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari shards status shards
  kalahari shards status shards more/shards --json

Exit status 1 if something is missing or refused.")]
struct Status {
    /// Folders of shards, or single files
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<PathBuf>,

    /// How many shards there should be, if no shard is there to say so
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shards: Option<u32>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Shards {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.action {
            Action::Plan(command) => command.run(),
            Action::Status(command) => command.run(),
        }
    }
}

impl PlanCommand {
    fn run(self) -> anyhow::Result<()> {
        let folder = self.out.as_deref().map(absolute).transpose()?;
        let opened = Opened::open(&self.file)?;
        let cache = folder.as_deref().map(PlanFile::openings_folder);
        let hands = Hands {
            threads: threads(self.threads),
            cache: cache.or_else(cache_home),
            stop: interrupt::stop(),
        };
        let planning = Planning::new();
        let planned = opened.plan(folder.as_deref(), &hands, self.scale_time)?;
        drop(planning);
        let plan = &planned.plan;
        if self.json {
            return output::print_json(&json!({
                "experiment": plan.id(), "parts": plan.parts(), "source": planned.source, "plan": plan,
            }));
        }
        let mut text = format!("experiment {}\n", plan.id());
        for task in plan.tasks() {
            text += &match task {
                Task::Games(games) => {
                    let [a, b] = games.spec.agents.each_ref().map(|agent| agent.label());
                    format!("  {a} vs {b}: {}\n", counted(games.games.into(), "game"))
                }
                Task::Rows(rows) => {
                    let files = counted(task.parts(), "file");
                    format!(
                        "  {}: {} in {files}\n",
                        rows.recipe.game,
                        counted(rows.rows, "row")
                    )
                }
                Task::Claims(claims) => {
                    let jobs = counted(task.parts(), "job");
                    format!("  {} at least {:+}: {jobs}\n", claims.game, claims.goal)
                }
                Task::Frontier(frontier) => format!(
                    "  {} to {} plies: {} to solve\n",
                    frontier.game,
                    frontier.plies,
                    counted(frontier.positions, "position")
                ),
                Task::Reviews(reviews) => {
                    let games = counted(reviews.count, "game");
                    format!(
                        "  {games} to be judged with {} nodes a position\n",
                        reviews.nodes
                    )
                }
            };
        }
        let parts = plan.parts();
        text += &format!(
            "{parts} parts (pairs of games, files of rows, jobs of a proof, games to judge, positions of a book): more shards than this are of no use\n"
        );
        output::print(&text)
    }
}

impl Status {
    fn run(self) -> anyhow::Result<()> {
        let (mut found, wanted) = super::merge::look(&self.paths, self.shards)?;
        inspect(&mut found, interrupt::stop())?;
        tell_survey(
            &found,
            &Told {
                wanted: wanted.as_ref(),
                folder: &self.paths[0],
                merged: None,
                resubmit: None,
                json: self.json,
            },
        )
    }
}
