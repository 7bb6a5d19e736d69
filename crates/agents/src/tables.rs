//! Endgame tables: building them before a match, and notices about their files.

use crate::{AgentKind, AgentSpec, OptionKey};
pub use kalahari_exact::prover::{Notice, listen_to_notices};

use kalahari_exact::prover::table_before_play;
use kalahari_exact::tablebase::TableSpec;
use kalahari_games::GameSpec;
use kalahari_storage::data_home;
use kalahari_terms::Stop;

/// Makes sure that the endgame table that these agents would use is ready before their clocks start, if this program
/// builds tables: see `TablePolicy`.
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
        table_before_play(data_home().as_deref(), family, stop);
    }
}
