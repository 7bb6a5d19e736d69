//! `kalahari tune synthetic`: the methods on functions whose optimum is known.

use crate::{arguments, output};
use clap::Args;
use kalahari_tune::synthetic::{Contender, Function, Regrets, average};
use serde_json::json;

/// Measure CLOP, SPSA and plain uniform sampling on functions with a known optimum
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari tune synthetic
  kalahari tune synthetic --samples 1000 10000 --repetitions 100 --params 1 2 3 4

The regret of a point is how much less often it wins than the optimum, in percent. `played` is the mean over all
samples, `best` the recommendation's. No game is played; the same numbers come out every time.")]
pub(crate) struct Synthetic {
    /// Numbers of samples to look at, in growing order
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [1000], value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    samples: Vec<u32>,

    /// Numbers of parameters
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [1, 2], value_parser = clap::value_parser!(u16).range(1..=8))]
    params: Vec<u16>,

    /// Runs to average
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repetitions: u32,

    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = arguments::thread_count)]
    threads: Option<usize>,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

impl Synthetic {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        self.samples.sort_unstable();
        self.samples.dedup();
        let threads = arguments::threads(self.threads);
        if !self.json {
            output::print(
                "| function | params | samples | CLOP played | uniform played | ratio | SPSA played | CLOP best | uniform best | ratio | SPSA best |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
            )?;
        }
        for function in Function::ALL {
            for &params in &self.params {
                let rows = Contender::ALL.map(|who| {
                    let dims = usize::from(params);
                    average(
                        function,
                        who,
                        dims,
                        &self.samples,
                        self.repetitions,
                        threads,
                    )
                });
                for (look, samples) in self.samples.iter().enumerate() {
                    let [clop, uniform, spsa] = [rows[0][look], rows[1][look], rows[2][look]];
                    if self.json {
                        let both = |r: Regrets| json!({"played": r.played, "best": r.recommended});
                        output::print_json(&json!({
                            "function": function.name(), "params": params, "samples": samples,
                            "repetitions": self.repetitions,
                            "clop": both(clop), "uniform": both(uniform), "spsa": both(spsa),
                        }))?;
                        continue;
                    }
                    let name = function.name();
                    let shown = |regret: f64| format!("{:.3}", 100.0 * regret);
                    output::print(&format!(
                        "| {name} | {params} | {samples} | {} | {} | {:.1} | {} | {} | {} | {:.1} | {} |\n",
                        shown(clop.played),
                        shown(uniform.played),
                        uniform.played / clop.played,
                        shown(spsa.played),
                        shown(clop.recommended),
                        shown(uniform.recommended),
                        uniform.recommended / clop.recommended,
                        shown(spsa.recommended),
                    ))?;
                }
            }
        }
        Ok(())
    }
}
