//! `kalahari match`: two agents, many games.

use crate::arena_flags::{DEFAULT_GAME, RunFlags, cache_folder};
use crate::experiment::{agent_word, quote};
use crate::rehearsal::Rehearsal;
use crate::{interrupt, output, progress};
use clap::Args;
use kalahari_agents::{AgentSpec, NamedAgent};
use kalahari_arena::rate::Ladder;
use kalahari_arena::stats::{EloModel, Sprt};
use kalahari_arena::{
    ArenaError, Forfeits, Hands, MatchResult, MatchSpec, Openings, ReportStyle, Roster, Run,
    Stopped, Store, StoredMatch, Summary, date_text, default_openings, games_that_count,
    plan_match, report, run_match,
};
use kalahari_games::GameSpec;
use kalahari_shards::{Games, Task};
use serde::Serialize;
use std::path::Path;

/// Play two agents against each other: score, Elo and its error, likelihood of superiority
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari match random level:1 --game kalah:6x4 --games 1000
  kalahari match engine mcts --time 20ms --games 200 --db games.db
  kalahari match engine engine:eval=stores --depth 6 --sprt elo0=0,elo1=20 --games 5000
  kalahari match mine=mybot.py level:3 --games 20 --db games.db
  kalahari match level:3 level:5 --game isolation:queen --openings random:4 --json

Games come in pairs: one opening, both seatings. Results are for the first agent. Two deterministic agents
would repeat themselves, so they play distinct openings. With --db every finished game is kept, and the
same command continues where an earlier run stopped. All random choices come from the seed.")]
pub(crate) struct Match {
    /// The agent whose results are counted: a spec (see `kalahari agents`), a Python file, the folder of one, or NAME=SPEC
    #[arg(value_name = "A")]
    first: NamedAgent,

    /// Its opponent
    #[arg(value_name = "B")]
    second: NamedAgent,

    #[command(flatten)]
    run: RunFlags,

    /// How many games; two make a pair
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,

    /// Stop as soon as a sequential test decides, such as elo0=0,elo1=5,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,

    /// What Elo means: logistic or normalized
    #[arg(long, value_name = "MODEL", default_value = "logistic")]
    model: EloModel,

    /// The style of the report: fastchess or cutechess
    #[arg(long, value_name = "STYLE", default_value = "fastchess")]
    report: ReportStyle,

    /// Only say what would be played; bots are asked for one move
    #[arg(long)]
    dry_run: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Match {
    /// The match.
    fn spec(&self) -> anyhow::Result<MatchSpec> {
        let agents = [self.first.clone(), self.second.clone()];
        let openings = match &self.run.openings {
            Some(text) => Openings::parse(text)?,
            None => default_openings(&agents.each_ref().map(|agent| agent.spec.clone())),
        };
        Ok(MatchSpec {
            agents,
            game: self.run.game(),
            openings,
            rng_seed: self.run.rng_seed,
            rules: self.run.rules(),
        })
    }

    /// The match as work for many machines: all its games, without a sequential test.
    pub(crate) fn task(&self, hands: &Hands<'_>) -> anyhow::Result<Task> {
        let planned = plan_match(self.spec()?, self.games, hands)?;
        Ok(Games::planned(planned)?.into())
    }

    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = interrupt::stop();
        let spec = self.spec()?;
        let sprt = self.sprt.map(|sprt| sprt.with_model(self.model));
        if self.dry_run {
            let rehearsal = Rehearsal {
                agents: &spec.agents,
                openings: Some(&spec.openings),
                flags: &self.run,
                games: self.games,
                meetings: &|_| 1,
                count: &|_, hands| {
                    let (games, notes) = games_that_count(spec.clone(), self.games, hands)?;
                    Ok((games.into(), notes))
                },
                is_match: true,
            };
            return rehearsal.run(self.json);
        }
        let mut store = self.run.store()?;
        let mut bar = progress::Bar::new(self.games, self.model, sprt);
        let run = Run {
            games: self.games,
            concurrency: self.run.concurrency(),
            sprt,
            store: store.as_mut(),
            mix: self.run.mix,
            cache: cache_folder(),
            stop,
        };
        let mut asking = progress::Asking::new(&spec.agents);
        let result = run_match(spec, run, &mut |news| {
            asking.end();
            bar.hear(news);
        });
        asking.end();
        bar.finish();
        let result = result?;
        let mut text = report(&result, self.report, self.model, sprt.as_ref());
        match &store {
            Some(store) => text += &versions(&result, store)?,
            None if result
                .spec
                .agents
                .iter()
                .any(|agent| agent.spec.kind().is_program()) =>
            {
                text += "No game is kept; --db games.db keeps them all\n";
            }
            None => {}
        }
        output::show(
            self.json,
            &text,
            &to_json(&result, self.model, sprt.as_ref()),
        )?;
        if !self.json {
            output::hint(&next_steps(&result, self.run.db.as_deref()));
        }
        Ok(())
    }
}

/// What the author of an agent may want to do next; nothing for matches between our own agents.
fn next_steps(result: &MatchResult, db: Option<&Path>) -> String {
    let [a, b] = &result.spec.agents;
    let own = [a, b]
        .into_iter()
        .find(|agent| agent.spec.kind().is_program());
    let Some(agent) = own else {
        return String::new();
    };
    let rate = Ladder::of_game(result.spec.game).map(|ladder| {
        let game = match ladder.game.to_string() == DEFAULT_GAME {
            true => String::new(),
            false => format!(" --game {}", ladder.game),
        };
        let word = agent_word(&agent.spec.clone().into());
        format!("  how strong it is:          kalahari rate {word}{game}\n")
    });
    let review = db.map(|db| {
        let db = quote(&db.display().to_string());
        format!("  where it gives games away: kalahari review --db {db}\n")
    });
    let steps = [review, rate].into_iter().flatten().collect::<String>();
    match steps.is_empty() {
        true => steps,
        false => format!("Next, for {}:\n{steps}", agent.label()),
    }
}

/// The results of every version of the match's agents that the store has, if a bot has been edited.
fn versions(result: &MatchResult, store: &Store) -> Result<String, ArenaError> {
    let matches = store.matches()?;
    let Some(own) = matches.iter().find(|entry| entry.id == result.id) else {
        return Ok(String::new());
    };
    let alike = |entry: &&StoredMatch| entry.game == own.game && entry.agents == own.agents;
    let alike: Vec<&StoredMatch> = matches.iter().filter(alike).collect();
    let roster = Roster::new(alike.iter().copied());
    if (0..2).all(|side| roster.version_number(own, side).is_none()) {
        return Ok(String::new());
    }
    let mut text = "Versions in the store, the oldest first:\n".to_owned();
    for entry in alike.iter().filter(|entry| entry.games > 0) {
        let [won, drawn, lost] = entry.results;
        let score = 100.0 * Summary::new(&entry.tally(), EloModel::Logistic, None).score;
        let [a, b] = [0, 1].map(|side| roster.label(entry, side));
        let now = if entry.id == own.id { "  (now)" } else { "" };
        let when = date_text(entry.created);
        text += &format!("  {when}  {a} vs {b}: +{won} ={drawn} -{lost} ({score:.1}%){now}\n");
    }
    Ok(text)
}

/// What `--json` prints: the counts first, then what the match was.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    summary: Summary,
    #[serde(rename = "match")]
    id: &'a str,
    game: GameSpec,
    /// What they are called.
    names: [String; 2],
    agents: [AgentSpec; 2],
    openings: String,
    limits: String,
    #[serde(rename = "seed")]
    rng_seed: u64,
    /// finished, sprt or interrupted.
    stopped: &'static str,
    margin: Option<f64>,
    forfeits: &'a [Forfeits; 2],
    repeats: u64,
    resumed: u32,
    played: u32,
    seconds: f64,
    overhead: f64,
    notes: &'a [String],
}

fn to_json<'a>(result: &'a MatchResult, model: EloModel, sprt: Option<&Sprt>) -> Json<'a> {
    Json {
        summary: Summary::new(result.tally(), model, sprt),
        id: &result.id,
        game: result.spec.game,
        names: result.spec.agents.each_ref().map(NamedAgent::label),
        agents: result.spec.specs(),
        openings: result.spec.openings.to_string(),
        limits: result.spec.limits_text(),
        rng_seed: result.spec.rng_seed,
        stopped: match result.stopped {
            Stopped::Finished => "finished",
            Stopped::Decided(_) => "sprt",
            Stopped::Interrupted => "interrupted",
        },
        margin: result.counter.average_margin(),
        forfeits: result.counter.forfeits(),
        repeats: result.counter.repeats(),
        resumed: result.resumed,
        played: result.played,
        seconds: result.elapsed.as_secs_f64(),
        overhead: result.overhead,
        notes: &result.notes,
    }
}
