//! What `--dry-run` says: who would play, and how much.

use crate::arena_flags::RunFlags;
use crate::output;
use kalahari_agents::NamedAgent;
use kalahari_arena::{ArenaError, Hands, LeftOut, Openings, rehearse};
use kalahari_terms::format_duration;
use serde_json::{Value, json};
use std::time::Duration;

/// Games that would be played.
pub(crate) struct Rehearsal<'a> {
    pub(crate) agents: &'a [NamedAgent],
    /// `None` for each meeting's default.
    pub(crate) openings: Option<&'a Openings>,
    pub(crate) flags: &'a RunFlags,
    /// Games of a meeting.
    pub(crate) games: u32,
    /// How many meetings this many agents have.
    pub(crate) meetings: &'a dyn Fn(usize) -> usize,
    /// How many games the agents that answer would play in all, and what the user should know.
    pub(crate) count: Count<'a>,
    /// Whether an agent that does not answer ends everything.
    pub(crate) is_match: bool,
}

/// Counts games.
pub(crate) type Count<'a> =
    &'a dyn Fn(&[NamedAgent], &Hands<'_>) -> Result<(u64, Vec<String>), ArenaError>;

/// Moves of a game, for a guess at its length.
const MOVES: u32 = 40;

impl Rehearsal<'_> {
    /// Asks every agent for a move and prints what would be done.
    pub(crate) fn run(&self, as_json: bool) -> anyhow::Result<()> {
        let rules = self.flags.rules();
        let game = self.flags.game();
        let hands = self.flags.hands();
        let (playing, left_out) = rehearse(self.agents, game, &rules, &hands)?;
        let meetings = (self.meetings)(playing.len());
        let (games, notes) = match left_out.is_empty() || !self.is_match {
            true => (self.count)(&playing, &hands)?,
            false => (0, Vec::new()),
        };
        let openings = self
            .openings
            .map_or("by default".to_owned(), ToString::to_string);
        let seed = self.flags.rng_seed;
        let db = self.flags.db.as_ref().map(|db| db.display().to_string());
        if as_json {
            let agent = |agent: &NamedAgent| json!({"name": agent.label(), "agent": agent.spec});
            return output::print_json(&json!({
                "dry_run": true,
                "game": game,
                "agents": playing.iter().map(agent).collect::<Vec<Value>>(),
                "left_out": left_out.iter().map(left_json).collect::<Vec<Value>>(),
                "meetings": meetings,
                "games": games,
                "notes": notes,
                "openings": openings,
                "seed": seed,
                "db": db,
            }));
        }
        let mut text = format!("{game}, openings {openings}, seed {seed}\n");
        for agent in &playing {
            let (name, spec) = (agent.label(), agent.spec.to_string());
            let behind = if name == spec {
                String::new()
            } else {
                format!(" ({spec})")
            };
            text += &format!("  {name}{behind}\n");
        }
        text += &left_text(&left_out);
        let longest = rules.limits.time.map_or(String::new(), |time| {
            let moves = games.saturating_mul(u64::from(MOVES)) as f64;
            let seconds = moves * time.as_secs_f64() / self.flags.concurrency() as f64;
            let about = Duration::from_secs(seconds.min(1e9) as u64);
            format!(
                ", {} if all agents used all of their time",
                format_duration(about)
            )
        });
        let wanted = meetings as u64 * u64::from(self.games);
        let (meetings, each) = (plural(meetings), self.games);
        text += &match games < wanted {
            true => format!("{meetings} of at most {each} games: {games} games{longest}\n"),
            false => format!("{meetings} of {each} games: {games} games{longest}\n"),
        };
        for note in notes {
            text += &format!("Note: {note}\n");
        }
        if let Some(db) = db {
            text += &format!("Games would be kept in {db}\n");
        }
        if self.is_match
            && let Some(left) = left_out.first()
        {
            anyhow::bail!(
                "{} cannot play: {}",
                left.agent.label(),
                left.reason.problem
            );
        }
        output::print(&(text + "Nothing was played; without --dry-run it begins.\n"))
    }
}

fn plural(meetings: usize) -> String {
    match meetings {
        1 => "1 meeting".to_owned(),
        meetings => format!("{meetings} meetings"),
    }
}

/// A line for each agent that cannot play.
pub(crate) fn left_text(left_out: &[LeftOut]) -> String {
    let line = |left: &LeftOut| {
        let (name, spec) = (left.agent.label(), &left.agent.spec);
        format!("Left out: {name} ({spec}): {}\n", left.reason.problem)
    };
    left_out.iter().map(line).collect()
}

/// The same as JSON.
pub(crate) fn left_json(left: &LeftOut) -> Value {
    let reason = left.reason.problem.to_string();
    json!({"name": left.agent.label(), "agent": left.agent.spec, "reason": reason})
}
