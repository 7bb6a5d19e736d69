//! `kalahari run`: an experiment from one file.

use crate::commands::pieces::make::PieceFlags;
use crate::experiment::{Experiment, Step, StepKind};
use crate::{Cli, interrupt, origin, output};
use anyhow::Context;
use clap::{Args, Parser};
use kalahari_arena::Store;
use kalahari_arena::pictures::write_pictures;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Run an experiment: matches, tournaments, ratings, reviews, tuning, datasets, proofs and books, from one file
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari init class-tournament
  kalahari run class-tournament.toml --dry-run
  kalahari run class-tournament.toml
  kalahari run match.toml --shards 1000 --shard 17 --out shards

A file has a table for every step, [match], [tournament], [rate], [review], [tune], [dataset], [prove], [book] or [report],
whose keys are the options of that command; several matches are written [[match]]. Paths in it are relative
to the folder of the file. The same command continues where an earlier run stopped. With out = \"FOLDER\" in the file, the
results of every step are also written there, with the file itself, the version and commit of the program, the machine and
the date. docs/experiments.md describes all keys.

With --shards the work of matches, tournaments (but not Swiss ones), ratings, reviews, datasets, proofs and books is done in pieces, on
as many machines as you like, and `kalahari merge` joins them; docs/cluster.md describes that.")]
pub(crate) struct Run {
    /// The experiment
    file: PathBuf,

    /// Only say what would be done; bots are asked for one move
    #[arg(long, conflicts_with = "shards")]
    dry_run: bool,

    /// Print one JSON object per step
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    pieces: PieceFlags,
}

impl Run {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(pieces) = self.pieces.asked()? {
            return pieces.run(&self.file, self.json);
        }
        let name = self.file.display().to_string();
        let text = std::fs::read_to_string(&self.file).with_context(|| {
            format!("cannot read {name}; `kalahari init class-tournament` writes one to begin with")
        })?;
        let experiment = Experiment::read(&text).with_context(|| name.clone())?;
        // Paths in a file are relative to its folder.
        if let Some(folder) = self
            .file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            let moved = std::env::set_current_dir(folder);
            moved.with_context(|| format!("cannot go to {}", folder.display()))?;
        }
        let mut commands = Vec::new();
        for (number, step) in experiment.steps.iter().enumerate() {
            let cli = parsed(step, self.dry_run, self.json);
            let cli = cli.with_context(|| format!("{name}, {}", experiment.step_name(number)))?;
            commands.push(cli);
        }
        origin::set_experiment(&text);
        if !self.dry_run
            && let Some(out) = &experiment.out
        {
            std::fs::create_dir_all(out)
                .with_context(|| format!("cannot make {}", out.display()))?;
            // In the folder of the experiment's own file no copy is needed, and other experiments may be there.
            if out.canonicalize().ok() != Path::new(".").canonicalize().ok() {
                output::write_whole(&out.join("experiment.toml"), text.as_bytes())?;
            }
        }
        for (number, (step, cli)) in experiment.steps.iter().zip(commands).enumerate() {
            if interrupt::was_requested() {
                break;
            }
            self.begin(&experiment, number, step)?;
            if self.dry_run && !step.kind.plays_games() {
                continue;
            }
            if !self.dry_run
                && let Some(out) = &experiment.out
            {
                output::keep(Experiment::result_file(out, number, step));
            }
            cli.set_table_policy();
            let done = cli.command.run();
            output::keep_nothing();
            done.with_context(|| format!("{name}, {}", experiment.step_name(number)))?;
        }
        if self.dry_run || interrupt::was_requested() {
            return Ok(());
        }
        match &experiment.out {
            Some(out) => self.end(&experiment, out),
            None => Ok(()),
        }
    }

    /// Says what comes next.
    fn begin(&self, experiment: &Experiment, number: usize, step: &Step) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        let title = match (number, experiment.title.is_empty()) {
            (0, false) => format!("{}\n", experiment.title),
            _ => String::new(),
        };
        let steps = experiment.steps.len();
        let line = step.command_line();
        output::print(&format!("{title}Step {} of {steps}: {line}\n", number + 1))
    }

    /// Draws the stores that the steps have filled, and says where everything is.
    fn end(&self, experiment: &Experiment, out: &Path) -> anyhow::Result<()> {
        let mut stores: Vec<&str> = Vec::new();
        for step in experiment
            .steps
            .iter()
            .filter(|step| step.kind.plays_games())
        {
            let db = step
                .arguments
                .iter()
                .find_map(|word| word.strip_prefix("--db="));
            stores.extend(db.filter(|db| !stores.contains(db)));
        }
        for (number, db) in stores.iter().enumerate() {
            let folder = match number {
                0 => out.join("report"),
                number => out.join(format!("report-{}", number + 1)),
            };
            write_pictures(&Store::open_existing(db.as_ref())?, &folder)?;
        }
        let page = match stores.is_empty() {
            true => String::new(),
            false => format!(", pictures in {}", out.join("report/index.html").display()),
        };
        match self.json {
            true => output::print_json(&json!({"out": out.display().to_string()})),
            false => output::print(&format!("Results are in {}{page}\n", out.display())),
        }
    }
}

/// The command of a step, parsed as on the command line.
pub(crate) fn parsed(step: &Step, dry_run: bool, json: bool) -> anyhow::Result<Cli> {
    let mut words: Vec<&str> = vec!["kalahari"];
    let place = step.kind.command().len();
    let (command, rest) = step.arguments.split_at(place);
    words.extend(command.iter().map(String::as_str));
    if json && step.kind != StepKind::Report {
        words.push("--json");
    }
    if dry_run && step.kind.plays_games() {
        words.push("--dry-run");
    }
    words.extend(rest.iter().map(String::as_str));
    Cli::try_parse_from(words).map_err(|error| anyhow::anyhow!(crate::reason(&error)))
}
