//! `kalahari tune plot`: a run as pictures.

use crate::failure::Trouble;
use crate::output;
use anyhow::Context;
use clap::Args;
use kalahari_tune::pictures::{Samples, Track, png, svg};
use kalahari_tune::{TuneStore, history};
use std::path::PathBuf;

/// Draw a tuning run: samples, the fitted curve or surface, and the estimate against games
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari tune plot --db tune.db --out pictures
  kalahari tune plot --db tune.db --list
  kalahari tune plot --db tune.db --run 2 --out pictures --png

Writes samples.svg (a curve over one parameter, or a surface over the first two) and estimate.svg.")]
pub(crate) struct Plot {
    /// The store of `kalahari tune run --db`
    #[arg(long, value_name = "FILE")]
    db: PathBuf,

    /// The run's number [default: the last one]
    #[arg(long, value_name = "N")]
    run: Option<i64>,

    /// The directory for the pictures; it is made if needed
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    out: Option<PathBuf>,

    /// Write PNG files, too
    #[arg(long)]
    png: bool,

    /// Only list the runs
    #[arg(long)]
    list: bool,
}

impl Plot {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let store = TuneStore::open_existing(&self.db)?;
        let runs = store.runs()?;
        let Some(out) = self.out.filter(|_| !self.list) else {
            let mut text = String::new();
            for run in &runs {
                text += &format!(
                    "{:>3}  {} {}  {}  against {}  {} samples\n",
                    run.id, run.method, run.agent, run.space, run.opponents, run.samples
                );
            }
            return output::print(&text);
        };
        let wanted = self.run.or(runs.last().map(|run| run.id));
        let run = runs
            .iter()
            .find(|run| Some(run.id) == wanted)
            .with_context(|| format!("{}: no such run in it", self.db.display()))?;
        anyhow::ensure!(
            run.samples > 0,
            "{}: no sample of run {} is finished",
            self.db.display(),
            run.id
        );
        let history = history(run, &store.samples(run.id)?)?;
        let mut files = Vec::new();
        let mut write = |name: &str, content: Result<Vec<u8>, _>| -> anyhow::Result<()> {
            let content =
                content.map_err(|error| Trouble(format!("cannot draw {name}: {error}")))?;
            let file = out.join(name);
            output::write_whole(&file, &content)?;
            files.push(file.display().to_string());
            Ok(())
        };
        let (samples, track) = (Samples(&history), Track(&history));
        write("samples.svg", svg(&samples).map(String::into_bytes))?;
        write("estimate.svg", svg(&track).map(String::into_bytes))?;
        if self.png {
            write("samples.png", png(&samples))?;
            write("estimate.png", png(&track))?;
        }
        output::print(&(files.join("\n") + "\n"))
    }
}
