//! The registry and the builders agree on which options there are.

use kalahari_agents::{AgentKind, AgentProblem, AgentSpec, OptionKey, Player};
use kalahari_games::AnyGame;

/// What is wrong with a spec in a game; `None` if nothing is.
fn problem(spec: &AgentSpec, game: &str) -> Option<AgentProblem> {
    let game = AnyGame::new(game.parse().expect("a game"));
    Player::new(spec, &game, 1).err().map(|error| error.problem)
}

fn is_unknown(problem: Option<AgentProblem>) -> bool {
    let unknown = |problem: &AgentProblem| {
        matches!(
            problem,
            AgentProblem::UnknownOption { .. } | AgentProblem::NoOption(_)
        )
    };
    problem.as_ref().is_some_and(unknown)
}

#[test]
fn every_option_of_the_registry_is_read_and_no_other() {
    for kind in AgentKind::ALL {
        // What follows the name of somebody else's program is no option, or starts it.
        if kind.is_foreign() {
            continue;
        }
        let plain = match kind {
            AgentKind::Level => AgentSpec::of_level(2),
            _ => AgentSpec::plain(kind),
        };
        for game in ["kalah:3x2", "isolation:4x4"] {
            for key in OptionKey::ALL
                .into_iter()
                .filter(|key| *key != OptionKey::Bare)
            {
                let spec = plain.with(key, 1);
                let is_known = kind.keys().contains(&key);
                assert_eq!(
                    !is_unknown(problem(&spec, game)),
                    is_known,
                    "{spec} in {game}"
                );
            }
        }
        assert!(is_unknown(problem(
            &plain.with_option("colour", "red"),
            "kalah:3x2"
        )));
    }
}

#[test]
fn names_of_options_lead_back() {
    for key in OptionKey::ALL {
        assert_eq!(OptionKey::by_name(key.name()), Some(key));
        assert!(key.usage().starts_with(key.name()));
    }
    assert_eq!(OptionKey::by_name("colour"), None);
}

#[test]
fn who_has_limits_of_their_own_is_known() {
    for (spec, own) in [
        ("random", true),
        ("level:3", true),
        ("seed000", true),
        ("engine", false),
        ("engine:hash=8", false),
        ("engine:nodes=100", true),
        ("mcts:playouts=10,c=0.5", true),
        ("ugi:program time=3", false),
    ] {
        let spec: AgentSpec = spec.parse().expect("an agent");
        assert_eq!(spec.has_own_limits(), own, "{spec}");
    }
}
