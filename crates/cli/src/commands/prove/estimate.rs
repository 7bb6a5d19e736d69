//! `kalahari prove --estimate`: what a proof may cost, before it is begun.

use super::Prove;
use crate::progress::{ProofDisplay, count};
use crate::{interrupt, output};
use kalahari_exact::prover::Prover;
use kalahari_games::{AnyGame, Game, GameSpec};
use kalahari_prove::{Estimate, Estimator, Rules, Walk};
use serde::Serialize;
use std::time::{Duration, Instant};

/// How often progress is reported.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// What is printed at the end.
#[derive(Clone, Debug, Serialize)]
struct Estimated {
    game: GameSpec,
    position: String,
    /// The question is whether this final margin is reached.
    at_least: i32,
    tablebase_seeds: usize,
    job_nodes: u64,
    rng_seed: u64,
    tickets: u32,
    walks: usize,
    /// The nodes of the whole proof, and the standard error; null for a single walk.
    nodes: f64,
    error: Option<f64>,
    median: f64,
    jobs: f64,
    /// The share of walks that reach the margin.
    reached: f64,
    /// What the walks themselves took.
    nodes_per_second: f64,
    seconds: f64,
    /// The whole proof at that speed.
    hours: f64,
}

impl Prove {
    /// Walks through the tree of the goal this many times, and says what the proof may cost.
    pub(super) fn estimate(&self, walks: usize) -> anyhow::Result<()> {
        let margin = match (self.at_least, self.at_most) {
            (Some(margin), _) => margin,
            (_, Some(margin)) => margin.saturating_add(1),
            _ => anyhow::bail!("--estimate needs one goal: --at-least V or --at-most V"),
        };
        let spec = self.spec()?;
        let (_, position) = AnyGame::at_or_start(spec, self.position.as_deref())?;
        let rules = Rules::new(spec)?;
        let display = ProofDisplay::of_jobs(self.json);
        let (game, options, shown) = (rules.game().clone(), self.options(), display.clone());
        let make = Box::new(move || {
            let mut prover = Prover::new(&game, options.clone());
            let listener = shown.clone();
            prover.listen(move |news| listener.show(news));
            prover
        });
        let stop = match self.time {
            Some(time) => interrupt::stop().within(time),
            None => interrupt::stop().child(),
        };
        let text = rules.game().position_text(&position);
        let at_least = rules.goal_margin(&position, margin)?;
        let (job_nodes, rng_seed) = (self.job_nodes, self.rng_seed);
        let estimator = Estimator::new(rules, make, &position, margin, job_nodes, rng_seed, &stop)?;
        let mut estimator = estimator.with_tickets(self.tickets);
        let (begin, mut told) = (Instant::now(), Instant::now());
        let mut done: Vec<Walk> = Vec::new();
        while done.len() < walks {
            let Some(walk) = estimator.walk(&stop)? else {
                break;
            };
            done.push(walk);
            if told.elapsed() >= TELL_EVERY && !self.json {
                told = Instant::now();
                display.clear();
                if let Some(so_far) = Estimate::of(&done) {
                    let nodes = nodes_text(&so_far);
                    eprintln!("kalahari: {} of {walks} walks, {nodes}", done.len());
                }
            }
        }
        display.clear();
        let Some(estimate) = Estimate::of(&done) else {
            anyhow::bail!(
                "stopped before the first walk was done: give it more --time, or smaller --job-nodes"
            );
        };
        anyhow::ensure!(
            estimate.jobs > 0.0,
            "no walk reached a position that a job can decide, so there is no estimate; try more --job-nodes, a larger --tablebase, or more walks"
        );
        let seconds = begin.elapsed().as_secs_f64();
        let spent: u64 = done.iter().map(|walk| walk.spent).sum();
        let nodes_per_second = spent as f64 / estimator.searched().as_secs_f64().max(1e-9);
        let estimated = Estimated {
            game: spec,
            position: text,
            at_least,
            tablebase_seeds: estimator.tablebase_seeds(),
            job_nodes,
            rng_seed,
            tickets: self.tickets,
            walks: done.len(),
            nodes: estimate.nodes,
            error: Some(estimate.error).filter(|error| error.is_finite()),
            median: estimate.median,
            jobs: estimate.jobs,
            reached: estimate.holds,
            nodes_per_second,
            seconds,
            hours: estimate.nodes / nodes_per_second.max(1.0) / 3600.0,
        };
        output::show(self.json, &estimated.text(&estimate), &estimated)
    }
}

/// The nodes and how sure they are.
fn nodes_text(estimate: &Estimate) -> String {
    let error = match estimate.error.is_finite() {
        true => format!("standard error {}, ", count(estimate.error)),
        false => String::new(),
    };
    let (nodes, median) = (count(estimate.nodes), count(estimate.median));
    format!("about {nodes} nodes ({error}median walk {median})")
}

impl Estimated {
    fn text(&self, estimate: &Estimate) -> String {
        let mut text = format!("{}, at least {:+}\n", self.game, self.at_least);
        let walks = if self.walks == 1 { "walk" } else { "walks" };
        text += &format!("{} {walks}: {}", self.walks, nodes_text(estimate));
        text += &format!(" in {} jobs\n", count(self.jobs));
        text += &format!(
            "{:.1} hours at {} nodes a second, over a tablebase of {} seeds\n",
            self.hours,
            count(self.nodes_per_second),
            self.tablebase_seeds
        );
        text += &format!(
            "reached in {:.0}% of the walks, which prove nothing\n",
            100.0 * self.reached
        );
        text
    }
}
