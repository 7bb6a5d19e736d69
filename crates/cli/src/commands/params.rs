//! `kalahari params`: which numbers of an agent can be tuned.

use crate::output;
use clap::Args;
use kalahari_agents::AgentSpec;
use kalahari_games::{AnyGame, GameSpec};
use serde_json::json;

/// List the numbers of an agent that can be set and tuned, with their ranges
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari params mcts
  kalahari params engine --game isolation
  kalahari params alphabeta:eval=weighted --json

Every one of them is an option of the agent: mcts:alpha=0.9,c=0.3. `kalahari tune` finds good values.")]
pub(crate) struct Params {
    /// The agent, with the evaluation whose numbers are wanted
    agent: AgentSpec,

    /// The game
    #[arg(long, value_name = "GAME", default_value = "kalah:6x6:standard")]
    game: GameSpec,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Params {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let all = kalahari_agents::parameters(&self.agent, &AnyGame::new(self.game))?;
        if self.json {
            let each: Vec<_> = all
                .iter()
                .map(|p| {
                    json!({"name": p.name, "value": p.value, "min": p.min, "max": p.max,
                           "integer": p.integer, "about": p.about})
                })
                .collect();
            return output::print_json(&json!({"agent": self.agent, "parameters": each}));
        }
        if all.is_empty() {
            return output::print(&format!("{} has nothing to tune\n", self.agent));
        }
        let mut text = format!(
            "{:<20} {:>8} {:>8} {:>8}  kind\n",
            "name", "value", "min", "max"
        );
        for p in &all {
            let kind = if p.integer { "int" } else { "float" };
            text += &format!(
                "{:<20} {:>8} {:>8} {:>8}  {kind:<5}  {}\n",
                p.name, p.value, p.min, p.max, p.about
            );
        }
        output::print(&text)
    }
}
