//! The players of five course projects, by name: short for longer specs.

use crate::{AgentError, AgentSpec};

/// One course's player.
struct Seed {
    name: &'static str,
    /// The agent it is and the options that make it so.
    agent: &'static str,
    options: &'static str,
    /// What it thinks by, unless its spec says otherwise.
    limit: &'static str,
    /// The keys that its spec may have; any of them but `depth` of Monte Carlo tree search, which has no such
    /// limit, takes the place of `limit`.
    keys: &'static [&'static str],
}

const PLAIN_KEYS: &[&str] = &["depth", "time", "nodes"];

const SEEDS: &[Seed] = &[
    Seed {
        name: "seed000",
        agent: "alphabeta",
        options: "eval=weighted",
        limit: "depth=6",
        keys: PLAIN_KEYS,
    },
    Seed {
        name: "seed001",
        agent: "mcts",
        options: "alpha=0.975,c=0.5,reuse=1,solver=1",
        limit: "time=2s",
        keys: &["depth", "time", "playouts"],
    },
    Seed {
        name: "seed002",
        agent: "alphabeta",
        options: "eval=phased",
        limit: "time=500ms",
        keys: PLAIN_KEYS,
    },
    // Level 5: the plainest evaluation of the game, and an extra turn costs two plies.
    Seed {
        name: "seed003",
        agent: "alphabeta",
        options: "extra=2",
        limit: "depth=5",
        keys: PLAIN_KEYS,
    },
    Seed {
        name: "seed004",
        agent: "alphabeta",
        options: "eval=again",
        limit: "depth=9",
        keys: PLAIN_KEYS,
    },
];

/// What a spec is short for; `None` if it is not one of these players.
pub(crate) fn expand(spec: &AgentSpec) -> Result<Option<AgentSpec>, AgentError> {
    let Some(seed) = SEEDS.iter().find(|seed| seed.name == spec.name()) else {
        return Ok(None);
    };
    let mut limited = false;
    for (key, value) in spec.options() {
        if !seed.keys.contains(&key) {
            let word = if key.is_empty() { value } else { key };
            let known = seed.keys.join(", ");
            return Err(spec.error(format!("unknown option '{word}'; there are: {known}")));
        }
        limited |= key != "depth" || seed.agent != "mcts";
    }
    let limit = if limited { "" } else { seed.limit };
    let words = [seed.options, limit, spec.arguments()];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    format!("{}:{}", seed.agent, words.join(","))
        .parse()
        .map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> String {
        let spec: AgentSpec = text.parse().expect("a spec");
        let longer = expand(&spec).expect("good options");
        longer.expect("one of the five").to_string()
    }

    #[test]
    fn limits_of_the_spec_take_the_place_of_the_shipped_one() {
        assert_eq!(expanded("seed000"), "alphabeta:eval=weighted,depth=6");
        assert_eq!(
            expanded("seed000:depth=4"),
            "alphabeta:eval=weighted,depth=4"
        );
        assert_eq!(expanded("seed002"), "alphabeta:eval=phased,time=500ms");
        assert_eq!(
            expanded("seed002:depth=4,time=1s"),
            "alphabeta:eval=phased,depth=4,time=1s"
        );
        assert_eq!(
            expanded("seed001:depth=9"),
            "mcts:alpha=0.975,c=0.5,reuse=1,solver=1,time=2s,depth=9"
        );
        assert_eq!(
            expanded("seed001:playouts=100"),
            "mcts:alpha=0.975,c=0.5,reuse=1,solver=1,playouts=100"
        );
    }

    #[test]
    fn other_options_and_names_are_not_theirs() {
        let refused = |text: &str| expand(&text.parse().expect("a spec")).is_err();
        assert!(refused("seed002:eval=reach"));
        assert!(refused("seed002:5"));
        let other: AgentSpec = "engine".parse().expect("a spec");
        assert_eq!(expand(&other), Ok(None));
    }
}
