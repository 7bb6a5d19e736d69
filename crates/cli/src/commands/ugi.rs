//! `kalahari ugi`: an agent as an engine for other match programs.

use clap::Args;
use kalahari_agents::{AgentSpec, serve};

/// Speak the universal game interface on standard input and output, for other match programs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari ugi
  kalahari ugi --agent mcts:alpha=0.9
  printf 'position startpos moves 2\\nquery p1turn\\n' | kalahari ugi

The game is named by `setoption name game value kalah:6x4`; a position after `fen` is written as
everywhere else. Limits in the agent's spec override those of `go`.")]
pub(crate) struct Ugi {
    /// The agent that plays (see `kalahari agents`)
    #[arg(long, value_name = "A", default_value = "engine")]
    agent: AgentSpec,
}

impl Ugi {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        serve(self.agent, std::io::stdin(), std::io::stdout())?;
        Ok(())
    }
}
