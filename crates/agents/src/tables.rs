//! Endgame tables before a match begins.

use crate::{AgentKind, AgentSpec, OptionKey};
use kalahari_exact::prover::table_before_play;
use kalahari_exact::tablebase::TableSpec;
use kalahari_games::GameSpec;
use kalahari_storage::data_home;
use kalahari_terms::Stop;

/// Makes sure that the endgame table that these agents would use is there before their first clock starts, if the program
/// builds any: see `TablePolicy`. What is wrong with a table on disk is told by the agents that need it.
pub fn tables_before_play<'a>(
    agents: impl IntoIterator<Item = &'a AgentSpec>,
    game: GameSpec,
    stop: &Stop,
) {
    let uses = |spec: &AgentSpec| match spec.kind() {
        AgentKind::Engine => !spec.is_off(OptionKey::Tablebase),
        AgentKind::Perfect => true,
        _ => false,
    };
    if let GameSpec::Kalah(kalah) = game
        && !kalah.majority()
        && let Some(family) = TableSpec::of_game(kalah)
        && agents.into_iter().any(uses)
    {
        let _ = table_before_play(data_home().as_deref(), family, stop);
    }
}
