//! Makes the agent of a spec.

use crate::courses;
use crate::kind::LEVELS;
use crate::options::{EvalChoice, Options};
use crate::perfect::Perfect;
use crate::proofs::Known;
use crate::typed::Erased;
use crate::{AgentError, AgentKind, AgentProblem, AgentSpec, OptionKey};
use kalahari_exact::prover::Sources;
use kalahari_games::{AnyGame, with_game};
#[cfg(not(target_family = "wasm"))]
use kalahari_protocol::Dialect;
use kalahari_search::engine::{Engine, EngineOptions, Techniques};
use kalahari_search::eval::Registry;
use kalahari_search::mcts::{Mcts, MctsOptions};
use kalahari_search::parameters::{ETC_DEPTH, WINDOW, alpha, exploration};
use kalahari_search::plain::{Plain, Pruning};
use kalahari_search::{Agent, Parameter, Random, Searchable};
use kalahari_terms::Limits;

/// An agent, the limits its spec names, and its tunable parameters.
pub(crate) struct Built {
    pub(crate) agent: Box<dyn Agent<AnyGame>>,
    pub(crate) limits: Limits,
    pub(crate) parameters: Vec<Parameter>,
}

impl Built {
    fn new<G: Searchable>(
        agent: impl Agent<G> + 'static,
        limits: Limits,
        parameters: Vec<Parameter>,
    ) -> Self {
        Built {
            agent: Box::new(Erased::new(agent)),
            limits,
            parameters,
        }
    }

    /// An agent that plays any game and has no tunable parameters.
    fn of_any_game(agent: impl Agent<AnyGame> + 'static, limits: Limits) -> Self {
        Built {
            agent: Box::new(agent),
            limits,
            parameters: Vec::new(),
        }
    }
}

/// Builds the agent of a spec for a game. `rng_seed` is used unless the spec names a seed.
///
/// Searches are generic, and a generic function is compiled in every crate that instantiates it. All of them are instantiated
/// here, so no other crate has to compile a search.
pub(crate) fn build(spec: &AgentSpec, game: &AnyGame, rng_seed: u64) -> Result<Built, AgentError> {
    match spec.kind() {
        // Everything after the colon is a command, including commas.
        #[cfg(not(target_family = "wasm"))]
        AgentKind::Ugi => Ok(Built::of_any_game(
            crate::ugi::UgiAgent::new(spec, game, Dialect::Ugi)?,
            Limits::NONE,
        )),
        #[cfg(not(target_family = "wasm"))]
        AgentKind::Exe => Ok(Built::of_any_game(
            crate::ugi::UgiAgent::new(spec, game, Dialect::Lines)?,
            Limits::NONE,
        )),
        #[cfg(not(target_family = "wasm"))]
        AgentKind::Python => with_options(spec, |options| {
            let command = crate::python::command(spec, options)?;
            let agent = crate::ugi::UgiAgent::of_command(spec, command, game, Dialect::Ugi)?;
            Ok(Built::of_any_game(agent, Limits::NONE))
        }),
        #[cfg(not(target_family = "wasm"))]
        AgentKind::Kgp => with_options(spec, |options| {
            let agent = crate::kgp::of_spec(spec, options, game, rng_seed)?;
            Ok(Built::of_any_game(agent, Limits::NONE))
        }),
        #[cfg(target_family = "wasm")]
        AgentKind::Python | AgentKind::Exe | AgentKind::Ugi | AgentKind::Kgp => {
            Err(spec.error(AgentProblem::NoPrograms))
        }
        AgentKind::Guest => {
            let guest = spec
                .invited()
                .ok_or_else(|| spec.error(AgentProblem::NoGuest))?;
            let agent = guest.agent(game);
            let agent = agent.map_err(|why| spec.error(AgentProblem::Refused(why)))?;
            Ok(Built {
                agent,
                limits: Limits::NONE,
                parameters: Vec::new(),
            })
        }
        AgentKind::Course(project) => {
            let longer = courses::expand(spec, project)?;
            // An error has to show the spec as the user wrote it.
            build(&longer, game, rng_seed).map_err(|error| spec.error(error.problem))
        }
        AgentKind::Perfect => with_options(spec, |options| perfect(spec, options, game)),
        AgentKind::Random => with_options(
            spec,
            |options| with_game!(game, game => random(options, game, rng_seed)),
        ),
        AgentKind::Level => with_options(
            spec,
            |options| with_game!(game, game => level(spec, options, game, rng_seed)),
        ),
        AgentKind::Minimax => with_options(
            spec,
            |options| with_game!(game, game => plain(options, game, Pruning::None)),
        ),
        AgentKind::AlphaBeta => with_options(
            spec,
            |options| with_game!(game, game => plain(options, game, Pruning::AlphaBeta)),
        ),
        AgentKind::Mcts => with_options(
            spec,
            |options| with_game!(game, game => mcts(options, game, rng_seed)),
        ),
        AgentKind::Engine => with_options(
            spec,
            |options| with_game!(game, game => engine(spec, options, game, None)),
        ),
    }
}

/// Builds an agent from the options of a spec and makes sure that every option has been used.
fn with_options<'a>(
    spec: &'a AgentSpec,
    build: impl FnOnce(&mut Options<'a>) -> Result<Built, AgentError>,
) -> Result<Built, AgentError> {
    let mut options = Options::new(spec)?;
    let built = build(&mut options)?;
    options.finish()?;
    Ok(built)
}

fn random<G: Searchable>(
    options: &mut Options<'_>,
    game: &G,
    rng_seed: u64,
) -> Result<Built, AgentError> {
    let rng_seed = options.take(OptionKey::RngSeed)?.unwrap_or(rng_seed);
    let agent = Random::new(game.clone(), rng_seed);
    Ok(Built::new(agent, Limits::NONE, Vec::new()))
}

fn level<G: Searchable>(
    spec: &AgentSpec,
    options: &mut Options<'_>,
    game: &G,
    rng_seed: u64,
) -> Result<Built, AgentError> {
    let text = options.text(OptionKey::Bare).unwrap_or_default();
    let rng_seed = options.take(OptionKey::RngSeed)?.unwrap_or(rng_seed);
    let time = options.time()?;
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let level = text
        .parse::<u32>()
        .ok()
        .filter(|level| *level <= LEVELS && digits);
    match level {
        None => Err(spec.error(AgentProblem::NoLevel)),
        Some(0) => {
            let agent = Random::new(game.clone(), rng_seed);
            Ok(Built::new(agent, Limits::NONE, Vec::new()))
        }
        Some(depth) => {
            let eval = G::Eval::plainest(game);
            let agent = Plain::new(game.clone(), eval, Pruning::AlphaBeta, 2);
            let limits = Limits {
                depth: Some(depth),
                time,
                ..Limits::NONE
            };
            Ok(Built::new(agent, limits, Vec::new()))
        }
    }
}

fn plain<G: Searchable>(
    options: &mut Options<'_>,
    game: &G,
    pruning: Pruning,
) -> Result<Built, AgentError> {
    let limits = options.limits(OptionKey::Nodes)?;
    let eval = options.eval(game, G::Eval::plainest(game).name())?;
    let extra = options.number(OptionKey::Extra, 1, 2)?.unwrap_or(1);
    let parameters = eval.current();
    let agent = Plain::new(game.clone(), eval, pruning, extra);
    Ok(Built::new(agent, limits, parameters))
}

fn mcts<G: Searchable>(
    options: &mut Options<'_>,
    game: &G,
    rng_seed: u64,
) -> Result<Built, AgentError> {
    let limits = options.limits(OptionKey::Playouts)?;
    let eval = match options.eval_unless_none(game)? {
        EvalChoice::Unnamed => G::Eval::learned(game),
        EvalChoice::None => None,
        EvalChoice::Named(eval) => Some(eval),
    };
    let defaults = MctsOptions::judged_by(game, eval);
    let kind = game.spec().kind();
    let rng_seed = options.take(OptionKey::RngSeed)?.unwrap_or(rng_seed);
    let setup = MctsOptions {
        alpha: options.parameter(&alpha(kind))?,
        c: options.parameter(&exploration(kind))?,
        reuse: options.switch(OptionKey::Reuse)?.unwrap_or(defaults.reuse),
        solver: options
            .switch(OptionKey::Solver)?
            .unwrap_or(defaults.solver),
        playout: options
            .take(OptionKey::Playout)?
            .unwrap_or(defaults.playout),
        hash: options.hash()?.unwrap_or(defaults.hash),
        eval: defaults.eval,
    };
    let parameters = setup.parameters(game);
    let agent = Mcts::new(game.clone(), setup, rng_seed);
    Ok(Built::new(agent, limits, parameters))
}

/// An engine. If `proofs_first` is given, proofs come first and use this many threads.
fn engine<G: Known>(
    spec: &AgentSpec,
    options: &mut Options<'_>,
    game: &G,
    proofs_first: Option<usize>,
) -> Result<Built, AgentError> {
    let limits = options.limits(OptionKey::Nodes)?;
    let defaults = EngineOptions::of_game(game);
    let mut techniques = match options.switch(OptionKey::ExactDepth)? {
        Some(true) => Techniques::exact_depth(),
        _ => Techniques::default(),
    };
    for (key, technique) in [
        (OptionKey::Etc, &mut techniques.etc),
        (OptionKey::Range, &mut techniques.range_cuts),
        (OptionKey::Quiescence, &mut techniques.quiescence),
        (OptionKey::Theory, &mut techniques.theory),
        (OptionKey::Selective, &mut techniques.selective),
        (OptionKey::Traps, &mut techniques.traps),
    ] {
        if let Some(on) = options.switch(key)? {
            *technique = on;
        }
    }
    techniques.proofs_first = proofs_first.is_some();
    let proof_threads = proofs_first.unwrap_or(1);
    if let Some(contempt) = options.number(OptionKey::Contempt, 0, 1_000)? {
        techniques.contempt = contempt;
    }
    techniques.etc_depth = options.parameter(&ETC_DEPTH)? as i32;
    let wanted = Sources {
        tablebase: options.switch(OptionKey::Tablebase)?.unwrap_or(true),
        book: options.switch(OptionKey::Book)?.unwrap_or(true),
    };
    let exact = game.known(wanted).map_err(|error| spec.error(error))?;
    let hash = options.hash()?.unwrap_or(defaults.hash);
    let proofs = match options.switch(OptionKey::Proofs)?.unwrap_or(true) {
        true => game.proofs(wanted, (hash as u64) << 20, proof_threads),
        false => Ok(None),
    };
    let proofs = proofs.map_err(|error| spec.error(error))?;
    // A search with ProbCut proves next to nothing, so it is on by default only if the solver proves values alongside it.
    techniques.probcut = match options.switch(OptionKey::ProbCut)? {
        Some(on) => on,
        None => proofs.is_some() && !techniques.exact_depth,
    };
    let setup = EngineOptions {
        eval: options.eval(game, defaults.eval.name())?,
        threads: options
            .number(OptionKey::Threads, 1, 64)?
            .unwrap_or(defaults.threads),
        hash,
        techniques,
        window: options.parameter(&WINDOW)?,
        exact,
        proofs,
    };
    let parameters = setup.parameters();
    Ok(Built::new(
        Engine::new(game.clone(), setup),
        limits,
        parameters,
    ))
}

fn perfect(
    spec: &AgentSpec,
    options: &mut Options<'_>,
    game: &AnyGame,
) -> Result<Built, AgentError> {
    let limits = options.limits(OptionKey::Nodes)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.number(OptionKey::Threads, 1, 64)?.unwrap_or(cores);
    let hash: Option<usize> = options.hash()?;
    let engine = AgentSpec::plain(AgentKind::Engine);
    let engine = match hash {
        Some(hash) => engine.with(OptionKey::Hash, hash),
        None => engine,
    };
    let engine = with_options(
        &engine,
        |options| with_game!(game, game => self::engine(&engine, options, game, Some(threads))),
    );
    let engine = engine.map_err(|error| spec.error(error.problem))?;
    let agent = Perfect::new(game, engine.agent, threads, hash);
    Ok(Built::of_any_game(agent, limits))
}
