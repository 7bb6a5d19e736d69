//! `kalahari slurm`: a job script for an experiment in pieces.

use super::plan::{Opened, absolute};
use crate::experiment::{Experiment, StepKind, quote};
use crate::output;
use anyhow::Context;
use clap::Args;
use std::path::{Path, PathBuf};

/// Print a job script for SLURM: an array with one task per shard, and then the merge
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari slurm experiment.toml --shards 1000 > job.sh
  bash job.sh
  bash job.sh 17,40-42

Run the script where you would call sbatch, from a folder that all machines see. It submits the array, and a merge that runs when all
tasks have ended, however they ended. The merge says what is missing, and which command submits only that. Lines with #SBATCH are
yours to change.")]
pub(crate) struct Slurm {
    /// The experiment
    file: PathBuf,

    /// How many shards; SLURM allows 1000 tasks in an array unless its MaxArraySize is larger
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shards: u32,

    /// The folder for the files of shards
    #[arg(long, value_name = "DIR", default_value = "shards")]
    out: PathBuf,

    /// The store that the merge fills; that of the experiment if left out
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// Give slower machines more time, and faster ones less: the machine that submits gets the time set in the experiment
    #[arg(long)]
    scale_time: bool,

    /// Cores of a task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    cpus: u32,

    /// The time limit of a task, as SLURM writes it
    #[arg(long, value_name = "TIME", default_value = "04:00:00")]
    time: String,

    /// The memory of a task, as SLURM writes it
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory: String,

    /// The partition
    #[arg(long, value_name = "NAME")]
    partition: Option<String>,
}

/// The script; words in braces are replaced by values.
const SCRIPT: &str = include_str!("job.sh");

impl Slurm {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        // Before the program goes to the folder of the file.
        let file = absolute(&self.file)?;
        let out = absolute(&self.out)?;
        let db = self.db.as_deref().map(absolute).transpose()?;
        let opened = Opened::open(&self.file)?;
        opened.check()?;
        for word in [&self.time, &self.memory]
            .into_iter()
            .chain(&self.partition)
        {
            let plain = |c: char| c.is_ascii_alphanumeric() || ":-._,".contains(c);
            anyhow::ensure!(
                !word.is_empty() && word.chars().all(plain),
                "SLURM does not understand '{word}'"
            );
        }
        let program = std::env::current_exe().context("the program cannot find its own path")?;
        let word = |path: &Path| quote(&path.display().to_string());
        let targets = targets(opened.experiment(), &file, db)?;
        let partition = self.partition.as_ref();
        let partition = partition.map_or(String::new(), |name| {
            format!("#SBATCH --partition={name}\n")
        });
        // SLURM reads its own lines itself: no quotes there.
        let log = out.join("log/%A_%a.log").display().to_string();
        anyhow::ensure!(
            !log.contains(|c: char| c.is_whitespace() || c == '"' || c == '\''),
            "SLURM cannot write to {log}: name a folder without blanks and quotes with --out"
        );
        let script = SCRIPT
            .replace("{last}", &(self.shards - 1).to_string())
            .replace("{shards}", &self.shards.to_string())
            .replace("{cpus}", &self.cpus.to_string())
            .replace("{time}", &self.time)
            .replace("{memory}", &self.memory)
            .replace("{partition}\n", &partition)
            .replace("{log}", &log)
            .replace("{program}", &word(&program))
            .replace("{experiment}", &word(&file))
            .replace("{out}", &word(&out))
            .replace("{scale}", if self.scale_time { "--scale-time" } else { "" })
            .replace("{targets}", &targets);
        output::print(&script)
    }
}

/// Where the merge puts the results: where the experiment says, or into another store.
fn targets(experiment: &Experiment, file: &Path, db: Option<PathBuf>) -> anyhow::Result<String> {
    // Paths in a file are relative to its folder.
    let folder = file.parent().unwrap_or(Path::new("/"));
    let mut words = Vec::new();
    let option = |kind: fn(StepKind) -> bool, key: &str| {
        let steps = experiment.steps.iter().filter(|step| kind(step.kind));
        let mut words = steps.flat_map(|step| &step.arguments);
        let value = words.find_map(|word| word.strip_prefix(key));
        value.map(|value| folder.join(value))
    };
    let steps = || experiment.steps.iter().map(|step| step.kind);
    let plays = |kind: StepKind| kind.plays_games() || kind == StepKind::Rate;
    let push = |words: &mut Vec<String>, flag: &str, file: PathBuf| {
        words.extend([flag.to_owned(), quote(&file.display().to_string())]);
    };
    if steps().any(plays) {
        let db = db.or_else(|| option(plays, "--db="));
        let db = db.context("which store shall the merge fill? name it with --db, or with db = \"games.db\" in the experiment")?;
        push(&mut words, "--db", db);
    }
    let is_dataset = |kind| kind == StepKind::Dataset;
    if steps().any(is_dataset) {
        let rows = option(is_dataset, "--out=").context("[dataset] needs out = \"FOLDER\"")?;
        push(&mut words, "--out", rows);
    }
    let is_proof = |kind| kind == StepKind::Prove;
    if steps().any(is_proof) {
        let journal = option(is_proof, "--journal=");
        push(
            &mut words,
            "--journal",
            journal.context("[prove] needs journal = \"FILE\"")?,
        );
    }
    let is_book = |kind| kind == StepKind::Book;
    if steps().any(is_book) {
        let book = option(is_book, "--out=");
        push(
            &mut words,
            "--book",
            book.context("[book] needs out = \"FILE\"")?,
        );
    }
    let is_review = |kind| kind == StepKind::Review;
    if steps().any(is_review) && !steps().any(plays) {
        let judged = option(is_review, "--judged=");
        push(
            &mut words,
            "--judged",
            judged.context("[review] needs judged = \"FILE\"")?,
        );
    }
    Ok(words.join(" "))
}
