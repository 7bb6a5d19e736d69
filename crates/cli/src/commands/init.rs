//! `kalahari init`: a commented experiment to begin with.

use crate::experiment::Template;
use crate::output;
use clap::Args;
use std::path::PathBuf;

/// Write an experiment file with comments, to be edited and run
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari init class-tournament
  kalahari init match --out new-against-old.toml
  kalahari run class-tournament.toml --dry-run")]
pub(crate) struct Init {
    /// class-tournament, match, tune, dataset, prove or book
    what: Template,

    /// The file to write [default: the name and .toml]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Init {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let name = format!("{}.toml", self.what);
        let file = self.out.unwrap_or_else(|| name.clone().into());
        let shown = file.display().to_string();
        anyhow::ensure!(
            !file.exists(),
            "{shown} is there already; name another file with --out"
        );
        let text = self.what.text().replace(&name, &shown);
        output::write_whole(&file, text.as_bytes())?;
        output::print(&format!(
            "{shown} is written. {}\nThen: kalahari run {} --dry-run\n",
            self.what.advice(),
            crate::experiment::quote(&shown)
        ))
    }
}
