//! `kalahari kgp`: the Kalah Game Protocol, on both sides.

mod connect;
mod serve;

use clap::{Args, Subcommand};

/// Play over the network: the Kalah Game Protocol, as a guest or as the host
#[derive(Debug, Args)]
pub(crate) struct Kgp {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Connect(connect::Connect),
    Serve(Box<serve::Serve>),
}

impl Kgp {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Connect(command) => command.run(),
            Command::Serve(command) => command.run(),
        }
    }
}
