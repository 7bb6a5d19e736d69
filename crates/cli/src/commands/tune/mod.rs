//! `kalahari tune`: let games find an agent's numbers.

mod plot;
mod run;
mod synthetic;

use clap::{Args, Subcommand};

/// Find good numbers for an agent by playing games
#[derive(Debug, Args)]
pub(crate) struct Tune {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<run::TuneRunCommand>),
    Plot(plot::Plot),
    Synthetic(synthetic::Synthetic),
}

impl Tune {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Run(command) => command.run(),
            Command::Plot(command) => command.run(),
            Command::Synthetic(command) => command.run(),
        }
    }
}
