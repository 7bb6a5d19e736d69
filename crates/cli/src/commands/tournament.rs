//! `kalahari tournament`: many agents, one table.

use crate::arena_flags::{RunFlags, cache_folder};
use crate::{interrupt, output, progress};
use clap::Args;
use kalahari_agents::AgentSpec;
use kalahari_arena::stats::EloModel;
use kalahari_arena::{
    Openings, Schedule, Store, Tournament as Played, TournamentRun, TournamentSpec, run_tournament,
};
use serde_json::{Value, json};
use std::fmt::Write;

/// Play many agents: crosstable, ratings with errors, margins, head-to-head
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari tournament random level:1 level:2 level:3 --game kalah:6x4 --games 40
  kalahari tournament engine:time=10ms level:4 level:5 --schedule gauntlet
  kalahari tournament level:1 level:2 level:3 level:4 level:5 --schedule swiss --json

Every meeting is a match as `kalahari match` plays it. Ratings are one maximum-likelihood fit over all
games, draws included, with the average at 0.")]
pub(crate) struct Tournament {
    /// The agents; in a gauntlet the first one meets all others
    #[arg(value_name = "AGENT", num_args = 2.., required = true)]
    agents: Vec<AgentSpec>,

    /// round-robin, gauntlet or swiss
    #[arg(long, value_name = "HOW", default_value = "round-robin")]
    schedule: Schedule,

    /// Rounds of a Swiss tournament [default: enough to find a winner]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,

    /// How many games two agents play when they meet
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,

    #[command(flatten)]
    run: RunFlags,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Tournament {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = interrupt::stop();
        let openings = self.run.openings.as_deref().map(Openings::parse);
        let spec = TournamentSpec {
            openings: openings.transpose()?,
            game: self.run.game,
            rng_seed: self.run.rng_seed,
            rules: self.run.rules(),
            schedule: self.schedule,
            games: self.games,
            rounds: self.rounds.unwrap_or(0),
            agents: self.agents,
        };
        let mut store = self.run.db.as_deref().map(Store::open).transpose()?;
        let run = TournamentRun {
            concurrency: self.run.concurrency(),
            store: store.as_mut(),
            mix: self.run.mix,
            cache: cache_folder(),
            stop,
        };
        let mut bar = progress::Bar::new(self.games, EloModel::Logistic, None);
        let mut meeting = None;
        let played = run_tournament(&spec, run, &mut |first, second, progress| {
            if meeting.replace((first, second)) != Some((first, second)) {
                bar.begin(&format!(
                    "{} vs {}",
                    spec.agents[first], spec.agents[second]
                ));
            }
            bar.show(progress);
        });
        bar.finish();
        let played = played?;
        if self.json {
            return output::print_json(&to_json(&spec, &played));
        }
        output::print(&table(&spec, &played))
    }
}

fn to_json(spec: &TournamentSpec, played: &Played) -> Value {
    let finite = |value: f64| value.is_finite().then_some(value);
    let standings: Vec<Value> = played
        .standings
        .iter()
        .map(|standing| {
            json!({
                "agent": played.agents[standing.agent],
                "points": standing.points,
                "games": standing.tally.games(),
                "wins": standing.tally.wins,
                "draws": standing.tally.draws,
                "losses": standing.tally.losses,
                "score": standing.tally.score(),
                "elo": finite(standing.elo),
                "elo_error": finite(standing.error),
                "margin": standing.margin,
            })
        })
        .collect();
    let meetings: Vec<Value> = played
        .meetings
        .iter()
        .map(|meeting| {
            let tally = meeting.counter.tally();
            json!({
                "agents": [&played.agents[meeting.first], &played.agents[meeting.second]],
                "match": meeting.match_id,
                "games": tally.games(),
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "score": tally.score(),
                "pentanomial": tally.pentanomial,
                "margin": meeting.counter.average_margin(),
                "forfeits": meeting.counter.forfeits(),
            })
        })
        .collect();
    json!({
        "game": spec.game,
        "schedule": spec.schedule.name(),
        "seed": spec.rng_seed,
        "standings": standings,
        "meetings": meetings,
        "padded": played.padded,
        "interrupted": played.interrupted,
        "notes": played.notes,
    })
}

/// The crosstable and what belongs to it.
fn table(spec: &TournamentSpec, played: &Played) -> String {
    let order: Vec<usize> = played.standings.iter().map(|s| s.agent).collect();
    let name = |agent: usize| played.agents[agent].to_string();
    let wide = order.iter().map(|&agent| name(agent).chars().count()).max();
    let wide = wide.unwrap_or(0).max(5);
    let mut text = format!(
        "{} of {} agents, {}, {} games a meeting, seed {}\n\n",
        spec.schedule,
        played.agents.len(),
        spec.game,
        spec.games,
        spec.rng_seed
    );
    let _ = write!(
        text,
        "  # {:<wide$} {:>8} {:>7} {:>6} {:>6} {:>7} {:>7}",
        "Agent", "Elo", "+/-", "Games", "Score", "Points", "Margin"
    );
    for place in 1..=order.len() {
        let _ = write!(text, " {place:>6}");
    }
    text.push('\n');
    for (place, standing) in (1..).zip(&played.standings) {
        let margin = standing
            .margin
            .map_or("-".to_owned(), |m| format!("{m:+.1}"));
        let _ = write!(
            text,
            "{place:>3} {:<wide$} {:>8.1} {:>7.1} {:>6} {:>5.1}% {:>7.1} {margin:>7}",
            name(standing.agent),
            standing.elo,
            standing.error,
            standing.tally.games(),
            100.0 * standing.tally.score(),
            standing.points,
        );
        for &other in &order {
            let cell = match played.head_to_head(standing.agent, other) {
                _ if other == standing.agent => "x".to_owned(),
                None => ".".to_owned(),
                Some((tally, _)) => format!("{:.1}", tally.points()),
            };
            let _ = write!(text, " {cell:>6}");
        }
        text.push('\n');
    }
    text.push_str("\nHead to head (wins, draws, losses, margin a game):\n");
    for (place, &one) in order.iter().enumerate() {
        for &two in &order[place + 1..] {
            if let Some((tally, margin)) = played.head_to_head(one, two) {
                let margin = margin.map_or(String::new(), |m| format!(", {m:+.2}"));
                let _ = writeln!(
                    text,
                    "  {:<wide$} vs {:<wide$}  +{} ={} -{} ({:.1}%){margin}",
                    name(one),
                    name(two),
                    tally.wins,
                    tally.draws,
                    tally.losses,
                    100.0 * tally.score()
                );
            }
        }
    }
    for meeting in &played.meetings {
        for (agent, forfeits) in [meeting.first, meeting.second]
            .into_iter()
            .zip(meeting.counter.forfeits())
        {
            if forfeits.total() > 0 {
                let _ = writeln!(
                    text,
                    "Forfeits of {}: {} on time, {} by illegal moves, {} by crashes",
                    name(agent),
                    forfeits.time,
                    forfeits.illegal,
                    forfeits.crash
                );
            }
        }
    }
    if played.padded {
        text.push_str("Note: somebody won or lost everything, so ratings count one more draw in every meeting\n");
    }
    for note in &played.notes {
        let _ = writeln!(text, "Note: {note}");
    }
    if played.interrupted {
        text.push_str("Interrupted: not all games are played\n");
    }
    text
}
