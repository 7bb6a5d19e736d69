//! `kalahari sprt`: decides a sequential test from counts of games or pairs.

use crate::output;
use clap::Args;
use kalahari_arena::stats::{EloModel, Sprt as Test, Tally};
use kalahari_arena::{Summary, unsigned_zero};

/// Decide a sequential test from counts of games or pairs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari sprt --wins 520 --draws 100 --losses 420
  kalahari sprt --wins 520 --draws 100 --losses 420 --elo0 0 --elo1 10 --json
  kalahari sprt --pentanomial 20,80,200,140,60 --model normalized")]
pub(crate) struct Sprt {
    /// Games won
    #[arg(long, value_name = "W", required_unless_present = "pentanomial")]
    wins: Option<u64>,

    /// Games drawn
    #[arg(
        long,
        value_name = "D",
        default_value_t = 0,
        conflicts_with = "pentanomial"
    )]
    draws: u64,

    /// Games lost
    #[arg(long, value_name = "L", required_unless_present = "pentanomial")]
    losses: Option<u64>,

    /// Pairs by half points instead of games: both lost, ..., both won
    #[arg(long, value_name = "N,N,N,N,N", value_delimiter = ',', conflicts_with_all = ["wins", "losses"])]
    pentanomial: Option<Vec<u64>>,

    /// The difference in Elo of H0
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    elo0: f64,

    /// The difference in Elo of H1
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 5.0,
        allow_hyphen_values = true
    )]
    elo1: f64,

    /// How often H1 may be accepted where H0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,

    /// How often H0 may be accepted where H1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,

    /// What Elo means: logistic or normalized
    #[arg(long, value_name = "MODEL", default_value = "logistic")]
    model: EloModel,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The largest count that is accepted.
const MOST: u64 = 1 << 50;

impl Sprt {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let tally = match &self.pentanomial {
            Some(pairs) => of_pairs(pairs)?,
            None => Tally::of_games(
                self.wins.unwrap_or(0).min(MOST),
                self.draws.min(MOST),
                self.losses.unwrap_or(0).min(MOST),
            ),
        };
        let test = Test::new(self.elo0, self.elo1, self.alpha, self.beta, self.model)?;
        let summary = Summary::new(&tally, self.model, Some(&test));
        if self.json {
            return output::print_json(&summary);
        }
        let llr = test.llr(&tally);
        let verdict = match test.decision(llr) {
            None => "no decision yet: play on".to_owned(),
            Some(decision) => format!("{decision} is accepted"),
        };
        let elo = summary.elo.map(|elo| unsigned_zero(elo, 2));
        let elo = match (elo, summary.elo_error) {
            (Some(elo), Some(error)) => format!("{elo:.2} +/- {error:.2}"),
            (Some(elo), None) => format!("{elo:.2} +/- unknown"),
            _ if summary.score >= 1.0 => "inf".to_owned(),
            _ if summary.score <= 0.0 => "-inf".to_owned(),
            _ => "unknown".to_owned(),
        };
        output::print(&format!(
            "Elo: {elo} (model {})\nLOS: {:.2} %, Score: {:.2} %\nLLR: {llr:.3} ({:.3}, {:.3}) [{:.2}, {:.2}]\n{verdict}\n",
            self.model,
            100.0 * summary.los,
            100.0 * summary.score,
            test.lower(),
            test.upper(),
            self.elo0,
            self.elo1
        ))
    }
}

/// The tally of pairs. Which of their games were drawn is not known; only points count.
fn of_pairs(pairs: &[u64]) -> anyhow::Result<Tally> {
    anyhow::ensure!(
        pairs.len() == 5,
        "--pentanomial has five counts, not {}",
        pairs.len()
    );
    let mut pentanomial = [0; 5];
    for (slot, &count) in pentanomial.iter_mut().zip(pairs) {
        anyhow::ensure!(count <= MOST, "{count} pairs are too many");
        *slot = count;
    }
    let [lost, behind, even, ahead, won] = pentanomial;
    Ok(Tally {
        wins: 2 * won + ahead + even,
        draws: ahead + behind,
        losses: 2 * lost + behind + even,
        pentanomial,
    })
}
