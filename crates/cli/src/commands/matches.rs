//! `kalahari match`: two agents, many games.

use crate::arena_flags::{RunFlags, cache_folder};
use crate::{interrupt, output, progress};
use clap::Args;
use kalahari_agents::AgentSpec;
use kalahari_arena::stats::{EloModel, Sprt};
use kalahari_arena::{
    Forfeits, MatchResult, MatchSpec, Openings, ReportStyle, Run, Stopped, Store, Summary,
    default_openings, report, run_match,
};
use kalahari_games::GameSpec;
use serde::Serialize;

/// Play two agents against each other: score, Elo and its error, likelihood of superiority
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari match random level:1 --game kalah:6x4 --games 1000
  kalahari match engine mcts --time 20ms --games 200 --db games.db
  kalahari match engine engine:eval=stores --depth 6 --sprt elo0=0,elo1=20 --games 5000
  kalahari match level:3 level:5 --game isolation:queen --openings random:4 --json

Games come in pairs: one opening, both seatings. Results are for the first agent. Two deterministic agents
would repeat themselves, so they play distinct openings. With --db every finished game is kept, and the
same command goes on where an earlier run stopped. All random choices come from the seed.")]
pub(crate) struct Match {
    /// The agent whose results are counted (see `kalahari agents`)
    #[arg(value_name = "A")]
    first: AgentSpec,

    /// Its opponent
    #[arg(value_name = "B")]
    second: AgentSpec,

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

    /// The words of the report: fastchess or cutechess
    #[arg(long, value_name = "STYLE", default_value = "fastchess")]
    report: ReportStyle,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Match {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = interrupt::stop();
        let agents = [self.first, self.second];
        let openings = match &self.run.openings {
            Some(text) => Openings::parse(text)?,
            None => default_openings(&agents),
        };
        let spec = MatchSpec {
            agents,
            game: self.run.game,
            openings,
            rng_seed: self.run.rng_seed,
            rules: self.run.rules(),
        };
        let sprt = self.sprt.map(|sprt| sprt.with_model(self.model));
        let mut store = self.run.db.as_deref().map(Store::open).transpose()?;
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
        let result = run_match(spec, run, &mut |progress| bar.show(progress));
        bar.finish();
        let result = result?;
        if self.json {
            return output::print_json(&to_json(&result, self.model, sprt.as_ref()));
        }
        output::print(&report(&result, self.report, self.model, sprt.as_ref()))
    }
}

/// What `--json` prints: the counts first, then what the match was.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    summary: Summary,
    #[serde(rename = "match")]
    id: &'a str,
    game: GameSpec,
    agents: &'a [AgentSpec; 2],
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
        agents: &result.spec.agents,
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
