//! `kalahari bench`: the speed of the engine and a checksum of its search.

use crate::output;
use clap::Args;
use kalahari_search::bench::{Row, run};
use serde_json::json;

/// Search fixed positions of both games to fixed depths; the total number of nodes is the search's signature
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari bench
  kalahari bench --json

The signature changes only when the search is meant to change.")]
pub(crate) struct Bench {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if !self.json {
            output::print("game                        depth       nodes   seconds    Mnode/s\n")?;
        }
        let (mut nodes, mut seconds) = (0, 0.0);
        let mut printed = Ok(());
        run(&mut |row: &Row| {
            nodes += row.nodes;
            seconds += row.seconds;
            if !self.json && printed.is_ok() {
                let speed = row.nodes as f64 / 1e6 / row.seconds.max(1e-9);
                let Row {
                    game,
                    depth,
                    nodes,
                    seconds,
                } = row;
                printed = output::print(&format!(
                    "{:<27} {depth:>5} {nodes:>11} {seconds:>9.3} {speed:>10.1}\n",
                    game.to_string()
                ));
            }
        });
        printed?;
        let speed = nodes as f64 / f64::max(seconds, 1e-9);
        if self.json {
            return output::print_json(&json!({
                "nodes": nodes, "seconds": seconds, "nodes_per_second": speed.round(), "signature": nodes,
            }));
        }
        output::print(&format!(
            "\n{nodes} nodes in {seconds:.3} s, {:.1} million nodes a second\nsignature {nodes}\n",
            speed / 1e6
        ))
    }
}
