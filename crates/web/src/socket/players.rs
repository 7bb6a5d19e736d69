//! Players for searches, with the files of this machine or without.

use kalahari_agents::{
    AgentError, AgentKind, AgentProblem, AgentSpec, NoAnswer, OptionKey, Player,
};
use kalahari_games::AnyGame;
use kalahari_study::Analysis;
use kalahari_wire::work::with_table;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// The player of a spec.
pub(super) fn player(spec: &AgentSpec, game: &AnyGame, rng_seed: u64) -> Result<Player, NoAnswer> {
    match Player::new(spec, game, rng_seed) {
        Err(AgentError {
            problem: AgentProblem::Proofs(problem),
            ..
        }) => {
            tell_operator(&problem.to_string());
            Ok(Player::new(&without_files(spec), game, rng_seed)?)
        }
        made => Ok(made?),
    }
}

/// An analysis with a table of `hash` MiB.
pub(super) fn analysis(game: &AnyGame, hash: usize) -> Result<Analysis, NoAnswer> {
    let engine = with_table(&AgentSpec::plain(AgentKind::Engine), hash);
    Ok(Analysis::with_engine(game, player(&engine, game, 1)?))
}

/// The engine with the options of a spec that it knows, and no tablebase and no book.
fn without_files(spec: &AgentSpec) -> AgentSpec {
    let plain = AgentSpec::plain(AgentKind::Engine)
        .with(OptionKey::Tablebase, 0)
        .with(OptionKey::Book, 0);
    let kept = [OptionKey::Time, OptionKey::Threads, OptionKey::Hash];
    let kept = kept
        .into_iter()
        .filter_map(|key| Some((key, spec.option(key)?)));
    kept.fold(plain, |plain, (key, value)| plain.with(key, value))
}

/// A file that cannot be used is reported to the operator, once, on the server's terminal. The client does not learn its
/// path.
fn tell_operator(problem: &str) {
    static TOLD: Mutex<Option<HashSet<String>>> = Mutex::new(None);
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if told.get_or_insert_default().insert(problem.to_owned()) {
        eprintln!("kalahari: {problem}; the engine continues without it");
    }
}
