//! Who can be played against. A client names one of these and nothing else.

use crate::wire::meta::Opponent;
use kalahari_agents::{AgentKind, AgentSpec, LEVELS, OptionKey};

/// Opponents that are not levels: what they are, the title people see, and what is said of them.
const NAMED: [(AgentKind, &str, &str); 3] = [
    (
        AgentKind::Engine,
        "Engine",
        "the strongest player: half a second a move",
    ),
    (
        AgentKind::Mcts,
        "Monte Carlo",
        "plays out random games: half a second a move",
    ),
    (
        AgentKind::Perfect,
        "Perfect",
        "proven best moves where they can be proven in a few seconds, otherwise the engine's",
    ),
];

/// How long a level may think, though its name sets a depth only: on the largest boards that has no end.
const PATIENCE: &str = "4s";

/// All opponents, the weakest first.
pub(crate) fn all() -> Vec<Opponent> {
    let level = |level: u32| Opponent {
        agent: AgentSpec::of_level(level).to_string(),
        name: format!("Level {level}"),
        about: match level {
            0 => "any legal move".to_owned(),
            1 => "looks one move ahead".to_owned(),
            _ => format!("looks {level} moves ahead"),
        },
    };
    let named = NAMED.map(|(kind, name, about)| Opponent {
        agent: kind.name().to_owned(),
        name: name.to_owned(),
        about: about.to_owned(),
    });
    (0..=LEVELS).map(level).chain(named).collect()
}

/// The agent of an opponent's name; `None` if there is no such opponent.
pub(crate) fn agent(name: &str) -> Option<AgentSpec> {
    let asked: AgentSpec = name.parse().ok()?;
    let is_level = (0..=LEVELS).any(|level| AgentSpec::of_level(level) == asked);
    let is_named = NAMED
        .iter()
        .any(|(kind, ..)| AgentSpec::plain(*kind) == asked);
    (is_level || is_named).then(|| limited(&asked))
}

/// The engine as an opponent.
pub(crate) fn engine() -> AgentSpec {
    limited(&AgentSpec::plain(AgentKind::Engine))
}

/// An opponent that thinks no longer than a person waits.
fn limited(opponent: &AgentSpec) -> AgentSpec {
    match opponent.kind() {
        AgentKind::Perfect => opponent.with(OptionKey::Threads, 1),
        AgentKind::Level => opponent.with(OptionKey::Time, PATIENCE),
        _ => opponent.with(OptionKey::Time, "500ms"),
    }
}
