//! `kalahari tournament`: many agents, one table.

use crate::arena_flags::{RunFlags, cache_folder};
use crate::csv::csv_line;
use crate::rehearsal::{Rehearsal, left_json, left_text};
use crate::{interrupt, output, progress};
use clap::Args;
use kalahari_agents::{NamedAgent, agents_of};
use kalahari_arena::stats::{EloModel, Tally, rating_notes};
use kalahari_arena::{
    ArenaError, Forfeits, Hands, MatchProblem, Openings, Schedule, Tournament as Played,
    TournamentRun, TournamentSpec, late_advice, plan_tournament, run_tournament, tournament_games,
};
use kalahari_shards::{Games, Task};
use serde_json::{Value, json};
use std::fmt::{Display, Write};

/// Play many agents: crosstable, ratings with errors, margins, head-to-head
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari tournament random level:1 level:2 level:3 --game kalah:6x4 --games 40
  kalahari tournament engine:time=10ms level:4 level:5 --schedule gauntlet
  kalahari tournament level:1 level:2 level:3 level:4 level:5 --schedule swiss --json
  kalahari tournament bots level:3 --games 10 --db class.db --csv > table.csv

Every meeting is a match as `kalahari match` plays it. Ratings are one maximum-likelihood fit over all
games, draws included, with the average at 0.")]
pub(crate) struct Tournament {
    /// The agents: specs (see `kalahari agents`), NAME=SPEC, or folders of bots; in a gauntlet the first one meets all others
    #[arg(value_name = "AGENT", num_args = 1.., required = true)]
    agents: Vec<String>,

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

    /// Print the table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Only say what would be played; bots are asked for one move
    #[arg(long)]
    dry_run: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Tournament {
    /// The tournament.
    fn spec(&self) -> anyhow::Result<TournamentSpec> {
        let openings = self.run.openings.as_deref().map(Openings::parse);
        Ok(TournamentSpec {
            openings: openings.transpose()?,
            game: self.run.game(),
            rng_seed: self.run.rng_seed,
            rules: self.run.rules(),
            schedule: self.schedule,
            games: self.games,
            rounds: self.rounds.unwrap_or(0),
            agents: agents_of(&self.agents)?,
        })
    }

    /// Refuses what cannot be cut into shards.
    pub(crate) fn check_for_shards(&self) -> anyhow::Result<()> {
        match self.spec()?.schedule {
            Schedule::Swiss => Err(ArenaError::from(MatchProblem::SwissPlan).into()),
            _ => Ok(()),
        }
    }

    /// The meetings as work for many machines.
    pub(crate) fn tasks(&self, hands: &Hands<'_>) -> anyhow::Result<Vec<Task>> {
        let planned = plan_tournament(&self.spec()?, hands)?.into_iter();
        let tasks = planned.map(|planned| Ok(Games::planned(planned)?.into()));
        tasks.collect()
    }

    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = interrupt::stop();
        let spec = self.spec()?;
        if self.dry_run {
            let rehearsal = Rehearsal {
                agents: &spec.agents,
                openings: spec.openings.as_ref(),
                flags: &self.run,
                games: self.games,
                meetings: &|players| self.schedule.meetings(players, spec.rounds),
                count: &|playing, hands| {
                    let agents = playing.to_vec();
                    let spec = TournamentSpec {
                        agents,
                        ..spec.clone()
                    };
                    Ok((tournament_games(&spec, hands)?, Vec::new()))
                },
                is_match: false,
            };
            return rehearsal.run(self.json);
        }
        let mut store = self.run.store()?;
        let run = TournamentRun {
            concurrency: self.run.concurrency(),
            store: store.as_mut(),
            mix: self.run.mix,
            cache: cache_folder(),
            stop,
        };
        let mut bar = progress::Bar::new(self.games, EloModel::Logistic, None);
        let mut meeting = None;
        let mut asking = progress::Asking::new(&spec.agents);
        let played = run_tournament(&spec, run, &mut |agents, news| {
            asking.end();
            let [first, second] = agents.map(NamedAgent::label);
            let title = format!("{first} vs {second}");
            if meeting.as_ref() != Some(&title) {
                bar.begin(&title);
                meeting = Some(title);
            }
            bar.hear(news);
        });
        asking.end();
        bar.finish();
        let played = played?;
        let rows = standings_csv(&played);
        output::keep_rows(&rows)?;
        if self.csv {
            return output::print(&rows);
        }
        output::show(self.json, &table(&spec, &played), &to_json(&spec, &played))
    }
}

/// The standings as CSV, one agent a row.
fn standings_csv(played: &Played) -> String {
    let mut text =
        "place,name,agent,elo,elo_error,games,wins,draws,losses,score,points,margin\n".to_owned();
    for (place, standing) in (1..).zip(&played.standings) {
        let agent = &played.agents[standing.agent];
        let Tally {
            wins,
            draws,
            losses,
            ..
        } = standing.tally;
        text += &csv_line::<&dyn Display>(&[
            &place,
            &agent.label(),
            &agent.spec,
            &standing.elo,
            &standing.error,
            &standing.tally.games(),
            &wins,
            &draws,
            &losses,
            &standing.tally.score(),
            &standing.points,
            &standing
                .margin
                .map_or(String::new(), |margin| margin.to_string()),
        ]);
    }
    text
}

fn to_json(spec: &TournamentSpec, played: &Played) -> Value {
    let finite = |value: f64| value.is_finite().then_some(value);
    let standings: Vec<Value> = played
        .standings
        .iter()
        .map(|standing| {
            json!({
                "name": played.agents[standing.agent].label(),
                "agent": played.agents[standing.agent].spec,
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
            let agents = [meeting.first, meeting.second].map(|agent| &played.agents[agent]);
            let names = agents.map(NamedAgent::label);
            let specs = agents.map(|agent| &agent.spec);
            let reasons = [0, 1].map(|side| meeting.counter.first_reason(side));
            json!({
                "names": names,
                "agents": specs,
                "match": meeting.match_id,
                "games": tally.games(),
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "score": tally.score(),
                "pentanomial": tally.pentanomial,
                "margin": meeting.counter.average_margin(),
                "forfeits": meeting.counter.forfeits(),
                "first_forfeits": reasons,
            })
        })
        .collect();
    let left_out: Vec<Value> = played.left_out.iter().map(left_json).collect();
    json!({
        "game": spec.game,
        "schedule": spec.schedule.name(),
        "seed": spec.rng_seed,
        "standings": standings,
        "meetings": meetings,
        "left_out": left_out,
        "padded": played.padded,
        "groups": played.groups,
        "interrupted": played.interrupted,
        "notes": played.notes,
    })
}

/// The crosstable and what belongs to it.
fn table(spec: &TournamentSpec, played: &Played) -> String {
    let order: Vec<usize> = played.standings.iter().map(|s| s.agent).collect();
    let name = |agent: usize| played.agents[agent].label();
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
        // Infinite for an agent without games, and only for such.
        let error = match standing.error.is_finite() {
            true => format!("{:.1}", standing.error),
            false => "-".to_owned(),
        };
        let _ = write!(
            text,
            "{place:>3} {:<wide$} {:>8.1} {error:>7} {:>6} {:>5.1}% {:>7.1} {margin:>7}",
            name(standing.agent),
            standing.elo,
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
    for &agent in &order {
        if let Some((forfeits, first)) = played.forfeits(agent) {
            let Forfeits {
                time,
                illegal,
                crash,
            } = forfeits;
            let name = name(agent);
            let _ = writeln!(
                text,
                "Forfeits of {name}: {time} on time, {illegal} by illegal moves, {crash} by crashes (first: {first})"
            );
            if time > 0 {
                let _ = writeln!(text, "{}", late_advice(&name));
            }
        }
    }
    text += &left_text(&played.left_out);
    let of_ratings = rating_notes(played.padded, played.groups);
    for note in of_ratings.iter().chain(&played.notes) {
        let _ = writeln!(text, "Note: {note}");
    }
    if played.interrupted {
        text.push_str("Interrupted: not all games are played\n");
    }
    text
}
