//! Makes the agent of a spec.

use crate::options::Options;
use crate::perfect::Perfect;
use crate::proofs::{Sources, exact_source};
use crate::seeds;
use crate::ugi::UgiAgent;
use crate::{AgentError, AgentSpec, KINDS};
use kalahari_games::GameSpec;
use kalahari_search::engine::{Engine, EngineOptions, Techniques};
use kalahari_search::eval::Evaluation;
use kalahari_search::mcts::{Mcts, MctsOptions};
use kalahari_search::parameters::{ETC_DEPTH, Parameter, WINDOW, alpha, exploration};
use kalahari_search::plain::{Plain, Pruning};
use kalahari_search::{Agent, Limits, Random, Searchable};

/// An agent, the limits its spec names, and what can be tuned.
pub(crate) struct Built<G: Searchable> {
    pub(crate) agent: Box<dyn Agent<G>>,
    pub(crate) limits: Limits,
    pub(crate) parameters: Vec<Parameter>,
}

impl<G: Searchable> Built<G> {
    fn new(agent: impl Agent<G> + 'static, limits: Limits, parameters: Vec<Parameter>) -> Self {
        Built {
            agent: Box::new(agent),
            limits,
            parameters,
        }
    }

    /// An agent without limits of its own in which nothing can be tuned.
    fn plain(agent: impl Agent<G> + 'static) -> Self {
        Built::new(agent, Limits::default(), Vec::new())
    }
}

/// The agent of a spec for a game. `seed` is used unless the spec names one.
pub(crate) fn build<G: Searchable>(
    spec: &AgentSpec,
    game: &G,
    seed: u64,
) -> Result<Built<G>, AgentError> {
    if spec.name() == "ugi" {
        // Everything behind the colon is a command, commas and all.
        return Ok(Built::plain(UgiAgent::new(spec, game)?));
    }
    if let Some(longer) = seeds::expand(spec)? {
        // Whoever reads of a mistake wants to see what they wrote.
        return build(&longer, game, seed).map_err(|error| spec.error(error.problem));
    }
    let mut options = Options::new(spec)?;
    let built: Built<G> = match spec.name() {
        "random" => {
            let seed = options.take("seed")?.unwrap_or(seed);
            Built::plain(Random::new(game.clone(), seed))
        }
        "level" => level(spec, &mut options, game, seed)?,
        "minimax" => plain(&mut options, game, Pruning::None)?,
        "alphabeta" => plain(&mut options, game, Pruning::AlphaBeta)?,
        "mcts" => mcts(&mut options, game, seed)?,
        "engine" => engine(spec, &mut options, game)?,
        "perfect" => perfect(spec, &mut options, game)?,
        name => {
            let known: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
            let problem = format!("no agent '{name}'; there are {}", known.join(", "));
            return Err(spec.error(problem));
        }
    };
    options.finish()?;
    Ok(built)
}

/// The plainest evaluation of a game.
fn plain_eval<G: Searchable>(game: &G) -> &'static str {
    match game.spec() {
        GameSpec::Kalah(_) => "stores",
        GameSpec::Isolation(_) => "mobility",
    }
}

/// The depth of a plain search that nothing else limits.
const PLAIN_DEPTH: u32 = 6;

fn level<G: Searchable>(
    spec: &AgentSpec,
    options: &mut Options<'_>,
    game: &G,
    seed: u64,
) -> Result<Built<G>, AgentError> {
    let text = options.text("").unwrap_or_default();
    let seed = options.take("seed")?.unwrap_or(seed);
    let time = options.time()?;
    let level = text
        .parse::<u32>()
        .ok()
        .filter(|level| *level <= 12 && !text.starts_with('+'));
    match level {
        None => Err(spec.error("a level is from level:0 to level:12")),
        Some(0) => Ok(Built::plain(Random::new(game.clone(), seed))),
        Some(depth) => {
            let eval = G::Eval::by_name(plain_eval(game)).unwrap_or_default();
            let eval = eval.suited_to(game);
            let agent = Plain::new(game.clone(), eval, Pruning::AlphaBeta, 2);
            let limits = Limits {
                depth: Some(depth),
                time,
                ..Limits::default()
            };
            Ok(Built::new(agent, limits, Vec::new()))
        }
    }
}

fn plain<G: Searchable>(
    options: &mut Options<'_>,
    game: &G,
    pruning: Pruning,
) -> Result<Built<G>, AgentError> {
    let limits = options.limits("nodes")?;
    let eval = options.eval(game, plain_eval(game))?;
    let extra = options.number("extra", 1, 2)?.unwrap_or(1);
    let parameters = eval.parameters();
    let agent = Plain::new(game.clone(), eval, pruning, extra);
    Ok(Built::new(agent, limits, parameters))
}

fn mcts<G: Searchable>(
    options: &mut Options<'_>,
    game: &G,
    seed: u64,
) -> Result<Built<G>, AgentError> {
    let limits = options.limits("playouts")?;
    let defaults = MctsOptions::of_game(game.spec());
    let seed = options.take("seed")?.unwrap_or(seed);
    let setup = MctsOptions {
        alpha: options.parameter(&alpha(game.spec()))?,
        c: options.parameter(&exploration(game.spec()))?,
        reuse: options.switch("reuse")?.unwrap_or(defaults.reuse),
        solver: options.switch("solver")?.unwrap_or(defaults.solver),
        playout: options.take("playout")?.unwrap_or(defaults.playout),
        hash: options.number("hash", 1, 1 << 16)?.unwrap_or(defaults.hash),
    };
    let agent = Mcts::new(game.clone(), setup, seed);
    Ok(Built::new(agent, limits, setup.parameters(game.spec())))
}

fn engine<G: Searchable>(
    spec: &AgentSpec,
    options: &mut Options<'_>,
    game: &G,
) -> Result<Built<G>, AgentError> {
    let limits = options.limits("nodes")?;
    let defaults = EngineOptions::of_game(game);
    let mut techniques = match options.switch("exact-depth")? {
        Some(true) => Techniques::exact_depth(),
        _ => Techniques::default(),
    };
    for (key, technique) in [
        ("etc", &mut techniques.etc),
        ("range", &mut techniques.range_cuts),
        ("quiescence", &mut techniques.quiescence),
        ("theory", &mut techniques.theory),
        ("selective", &mut techniques.selective),
        ("traps", &mut techniques.traps),
    ] {
        if let Some(on) = options.switch(key)? {
            *technique = on;
        }
    }
    if let Some(contempt) = options.number("contempt", 0, 1_000)? {
        techniques.contempt = contempt;
    }
    techniques.etc_depth = options.parameter(&ETC_DEPTH)? as i32;
    let wanted = Sources {
        tablebase: options.switch("tablebase")?.unwrap_or(true),
        book: options.switch("book")?.unwrap_or(true),
    };
    let exact = exact_source(game, wanted).map_err(|problem| spec.error(problem))?;
    let setup = EngineOptions {
        eval: options.eval(game, defaults.eval.name())?,
        threads: options
            .number("threads", 1, 64)?
            .unwrap_or(defaults.threads),
        hash: options.number("hash", 1, 1 << 16)?.unwrap_or(defaults.hash),
        techniques,
        window: options.parameter(&WINDOW)?,
        exact,
    };
    let parameters = setup.parameters();
    Ok(Built::new(
        Engine::new(game.clone(), setup),
        limits,
        parameters,
    ))
}

fn perfect<G: Searchable>(
    spec: &AgentSpec,
    options: &mut Options<'_>,
    game: &G,
) -> Result<Built<G>, AgentError> {
    let limits = options.limits("nodes")?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.number("threads", 1, 64)?.unwrap_or(cores);
    let hash = options.number("hash", 1, 1 << 16)?;
    let agent = Perfect::new(game, threads, hash).map_err(|problem| spec.error(problem))?;
    Ok(Built::new(agent, limits, Vec::new()))
}

/// What limits a player whose spec and command name nothing.
pub(crate) fn default_limits(spec: &AgentSpec) -> Limits {
    use std::time::Duration;
    match spec.name() {
        "minimax" | "alphabeta" => Limits {
            depth: Some(PLAIN_DEPTH),
            ..Limits::default()
        },
        "mcts" | "engine" | "ugi" => Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        },
        "perfect" => Limits {
            time: Some(Duration::from_secs(10)),
            ..Limits::default()
        },
        _ => Limits::default(),
    }
}
