//! Who can be played against. A client names one of these and nothing else.

use crate::wire::meta::Opponent;
use kalahari_agents::AgentSpec;

/// Opponents that are not levels: their name, the title people see, what is said of them, and the agent's options.
const NAMED: [(&str, &str, &str, &str); 3] = [
    (
        "engine",
        "Engine",
        "the strongest player: half a second a move",
        "engine:time=500ms",
    ),
    (
        "mcts",
        "Monte Carlo",
        "plays out random games: half a second a move",
        "mcts:time=500ms",
    ),
    (
        "perfect",
        "Perfect",
        "proven best moves where they can be proven in a few seconds, otherwise the engine's",
        "perfect",
    ),
];

/// The highest level.
const LEVELS: u32 = 12;

/// All opponents, the weakest first.
pub(crate) fn all() -> Vec<Opponent> {
    let level = |level: u32| Opponent {
        agent: format!("level:{level}"),
        name: format!("Level {level}"),
        about: match level {
            0 => "any legal move".to_owned(),
            1 => "looks one move ahead".to_owned(),
            _ => format!("looks {level} moves ahead"),
        },
    };
    let named = NAMED.map(|(agent, name, about, _)| Opponent {
        agent: agent.to_owned(),
        name: name.to_owned(),
        about: about.to_owned(),
    });
    (0..=LEVELS).map(level).chain(named).collect()
}

/// The agent of an opponent's name; `None` if there is no such opponent. Tables are at most `hash` MiB.
pub(crate) fn agent(name: &str, hash: usize) -> Option<AgentSpec> {
    if let Some((.., spec)) = NAMED.iter().find(|(agent, ..)| *agent == name) {
        let spec: AgentSpec = spec.parse().ok()?;
        return Some(match spec.name() {
            "perfect" => spec
                .with_option("threads", "1")
                .with_option("hash", &hash.to_string()),
            _ => spec.with_option("hash", &hash.to_string()),
        });
    }
    let text = name.strip_prefix("level:")?;
    match (0..=LEVELS).find(|level| level.to_string() == text)? {
        0 => name.parse().ok(),
        // What a level is, but with an end to its patience: on the largest boards it would think for ever.
        level => format!("alphabeta:depth={level},extra=2,time=4s")
            .parse()
            .ok(),
    }
}
