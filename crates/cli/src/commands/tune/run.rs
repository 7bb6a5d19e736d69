//! `kalahari tune run`: play, learn, recommend.

use crate::arena_flags::{RunFlags, cache_folder};
use crate::{interrupt, output};
use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kalahari_agents::AgentSpec;
use kalahari_arena::{Openings, default_openings};
use kalahari_tune::{
    Line, Method, Recommendation, Space, TuneProgress, TuneResult, TuneRun, TuneSpec, TuneStore,
    read_lines, run,
};
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Search for the best values of an agent's parameters
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari tune run mcts:playouts=300 --params alpha=0..1,c=0.01..2:log --against level:4 --games 2000 --db tune.db
  kalahari tune run alphabeta:eval=weighted,depth=4 --params weight=1..60 --against level:4 --game kalah:6x4
  kalahari tune run mcts:playouts=300 --params alpha=0..1 --method spsa --games 4000
  kalahari tune run mcts:playouts=300 --lines spsa.txt --method spsa --games 4000

A sample is a pair of games: one opening, both seatings. CLOP plays every sample against one of the opponents, in
turn. SPSA moves all parameters a little in both directions; without --against its two sides play each other.
`kalahari params AGENT` lists what can be tuned. With --db every sample is kept and the same command continues
where an earlier run stopped. With --concurrency 1 the same seed gives the same run. Ctrl-C prints the estimate.")]
pub(crate) struct TuneRunCommand {
    /// The agent whose numbers are to be found
    agent: AgentSpec,

    /// Names and ranges, such as alpha=0..1,c=0.01..2:log,weight=1..60:int
    #[arg(long, value_name = "PARAMS", required_unless_present = "lines")]
    params: Option<String>,

    /// A file of lines `name, int|float, start, min, max, c_end, r_end` instead of --params
    #[arg(long, value_name = "FILE", conflicts_with = "params")]
    lines: Option<PathBuf>,

    /// An opponent; several are played in turn
    #[arg(long, value_name = "AGENT", num_args = 1..)]
    against: Vec<AgentSpec>,

    /// clop or spsa
    #[arg(long, value_name = "METHOD", default_value = "clop")]
    method: Method,

    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,

    #[command(flatten)]
    flags: RunFlags,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl TuneRunCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = interrupt::stop();
        let lines = match &self.lines {
            Some(file) => {
                let text = std::fs::read_to_string(file)
                    .with_context(|| format!("cannot read {}", file.display()))?;
                read_lines(&text)?
            }
            None => Vec::new(),
        };
        let space = match &self.params {
            Some(text) => text.parse()?,
            None => Space::of_lines(&lines)?,
        };
        let openings = match &self.flags.openings {
            Some(text) => Openings::parse(text)?,
            None => default_openings(&self.against),
        };
        let spec = TuneSpec {
            agent: self.agent,
            space,
            lines: match self.method {
                Method::Spsa => lines,
                Method::Clop => Vec::new(),
            },
            method: self.method,
            opponents: self.against,
            game: self.flags.game(),
            openings,
            rng_seed: self.flags.rng_seed,
            rules: self.flags.rules(),
            games: self.games,
        }
        .checked(stop)?;
        let mut store = self.flags.db.as_deref().map(TuneStore::open).transpose()?;
        let mut bar = Bar::new(self.games, &spec.space);
        let how = TuneRun {
            concurrency: self.flags.concurrency(),
            store: store.as_mut(),
            mix: self.flags.mix,
            cache: cache_folder(),
            stop,
        };
        let result = run(spec, how, &mut |now| bar.show(now));
        bar.bar.finish_and_clear();
        let result = result?;
        output::show(self.json, &report(&result), &to_json(&result))
    }
}

/// A bar on standard error with the estimate; nothing if that is not a terminal.
struct Bar {
    bar: ProgressBar,
    names: Vec<String>,
    shown: Option<Instant>,
}

/// Estimates are worked out at most this often.
const EVERY: Duration = Duration::from_millis(500);

impl Bar {
    fn new(games: u32, space: &Space) -> Self {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(u64::from(games)), target);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len}\n{msg}") {
            bar.set_style(style);
        }
        Bar {
            bar,
            names: space.0.iter().map(|axis| axis.name.clone()).collect(),
            shown: None,
        }
    }

    fn show(&mut self, now: &mut dyn FnMut() -> TuneProgress) {
        if self.bar.is_hidden() || self.shown.is_some_and(|at| at.elapsed() < EVERY) {
            return;
        }
        self.shown = Some(Instant::now());
        let now = now();
        self.bar.set_position(u64::from(now.games));
        let estimate = now.recommendation.map_or(String::new(), |recommendation| {
            let mut words = Vec::new();
            for (i, (name, value)) in self.names.iter().zip(&recommendation.values).enumerate() {
                let range = recommendation.ranges.get(i);
                let range = range.map_or(String::new(), |[low, high]| format!(" ({low}..{high})"));
                words.push(format!("{name} {value}{range}"));
            }
            let score = recommendation.score.map_or(String::new(), percent);
            format!("{}{score}", words.join(", "))
        });
        let left = now
            .time_left
            .map_or(String::new(), |left| format!(", {} s left", left.as_secs()));
        self.bar.set_message(format!("{estimate}{left}"));
    }
}

fn percent([score, error]: [f64; 2]) -> String {
    format!(", score {:.1}% +/- {:.1}%", 100.0 * score, 100.0 * error)
}

fn report(result: &TuneResult) -> String {
    let spec = &result.spec;
    let [wins, draws, losses] = result.results;
    let mut text = String::new();
    let state = match result.interrupted {
        true => "Interrupted",
        false => "Finished",
    };
    text += &format!(
        "{state} {} of {} samples ({} kept from before): +{wins} ={draws} -{losses}, {:.1} s, seed {}\n",
        result.samples,
        spec.samples(),
        result.resumed,
        result.elapsed.as_secs_f64(),
        spec.rng_seed
    );
    for note in &result.notes {
        text += &format!("Note: {note}\n");
    }
    let Some(recommendation) = &result.recommendation else {
        return text + "No sample is finished, so there is no estimate.\n";
    };
    for (i, axis) in spec.space.0.iter().enumerate() {
        let value = recommendation.values[i];
        let range = recommendation.ranges.get(i);
        let range = range.map_or(String::new(), |[low, high]| {
            format!("  still searching from {low} to {high}")
        });
        text += &format!("{:<16} {value:<10}{range}\n", axis.name);
    }
    if let Some(score) = recommendation.score {
        text += &format!("Near there{}\n", percent(score));
    }
    for line in &recommendation.lines {
        text += &format!("{line}\n");
    }
    text + &format!("Estimate: {}\n", spec.agent_at(&recommendation.values))
}

fn to_json(result: &TuneResult) -> serde_json::Value {
    let spec = &result.spec;
    let [wins, draws, losses] = result.results;
    let recommendation = result.recommendation.as_ref();
    let parameters = |recommendation: &Recommendation| -> Vec<serde_json::Value> {
        let each = spec.space.0.iter().enumerate();
        each.map(|(i, axis)| {
            json!({"name": axis.name, "value": recommendation.values[i],
                   "range": recommendation.ranges.get(i)})
        })
        .collect()
    };
    let lines = |recommendation: &Recommendation| -> Vec<String> {
        recommendation.lines.iter().map(Line::to_string).collect()
    };
    json!({
        "agent": spec.agent,
        "method": spec.method.name(),
        "game": spec.game,
        "params": spec.space.to_string(),
        "against": spec.opponents,
        "openings": spec.openings.to_string(),
        "seed": spec.rng_seed,
        "samples": result.samples,
        "games": result.samples * spec.games_of_sample(),
        "resumed": result.resumed,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "interrupted": result.interrupted,
        "seconds": result.elapsed.as_secs_f64(),
        "parameters": recommendation.map(parameters),
        "score": recommendation.and_then(|r| r.score),
        "lines": recommendation.map(lines),
        "estimate": recommendation.map(|r| spec.agent_at(&r.values)),
        "notes": result.notes,
    })
}
