//! `kalahari agents`: who can play.

use crate::output;
use clap::Args;
use kalahari_agents::AgentKind;
use kalahari_games::isolation::Isolation;
use kalahari_games::kalah::{Kalah, Packed};
use kalahari_search::Searchable;
use kalahari_search::eval::{EvalKind, Registry};
use serde_json::json;

/// List every agent, its options, and every evaluation
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari agents
  kalahari analyze kalah --agent alphabeta:depth=6,eval=weighted")]
pub(crate) struct Agents {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn evaluations<G: Searchable>() -> &'static [EvalKind] {
    G::Eval::kinds()
}

impl Agents {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let kalah = evaluations::<Kalah<Packed>>();
        let isolation = evaluations::<Isolation<u64>>();
        if self.json {
            let agents = AgentKind::ALL.map(|kind| {
                json!({"name": kind.name(), "about": kind.about(), "options": kind.options()})
            });
            let names = |list: &[EvalKind]| -> Vec<_> {
                list.iter()
                    .map(|eval| json!({"name": eval.name, "about": eval.about}))
                    .collect()
            };
            let evals = json!({"kalah": names(kalah), "isolation": names(isolation)});
            return output::print_json(&json!({"agents": agents, "evals": evals}));
        }
        let mut text = String::from("Agents, written name:key=value,...\n");
        for kind in AgentKind::ALL {
            text += &format!(
                "  {:<10} {}\n  {:<10} options: {}\n",
                kind.name(),
                kind.about(),
                "",
                kind.options()
            );
        }
        for (game, list) in [("Kalah", kalah), ("Isolation", isolation)] {
            text += &format!("\nEvaluations of {game}, for eval=\n");
            for EvalKind { name, about, .. } in list {
                text += &format!("  {name:<10} {about}\n");
            }
        }
        output::print(&text)
    }
}
