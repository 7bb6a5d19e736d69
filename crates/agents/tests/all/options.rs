//! The registry and the builders agree on which options there are.

use kalahari_agents::{AgentKind, AgentProblem, AgentSpec, OptionKey, Player};
use kalahari_games::AnyGame;

/// The problem of a spec in a game; `None` if it is valid.
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
        // What follows the name of an external agent is not an option, or building the agent would start a program.
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
fn options_are_found_by_their_names() {
    for key in OptionKey::ALL {
        assert_eq!(OptionKey::by_name(key.name()), Some(key));
        assert!(key.usage().starts_with(key.name()));
    }
    assert_eq!(OptionKey::by_name("colour"), None);
}

#[test]
fn specs_with_limits_of_their_own_are_recognised() {
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

#[test]
fn wrong_options_are_found_without_a_game() {
    let check = |spec: &str| spec.parse::<AgentSpec>().expect("a spec").check();
    for wrong in [
        "level:99",
        "level:x",
        "level:",
        "engine:depth=0",
        "engine:depth=x",
        "engine:nodes=-1",
        "engine:time=soon",
        "engine:eval=nonsense",
        "engine:deep=5",
        "engine:depth=5,depth=6",
        "mcts:reuse=2",
        "mcts:playouts=1000000000000000000000000000000",
        "perfect:eval=stores",
        "random:depth=3",
    ] {
        assert!(check(wrong).is_err(), "{wrong}");
    }
    for right in [
        "level:12",
        "engine",
        "engine:eval=stores",
        "engine:eval=mobility",
        "engine:eval=net:there-is-no-such.file",
        "mcts:alpha=0.9,playouts=10",
        "seed000",
        "seed002:time=1s",
        "perfect",
        "ugi:there-is-no-such-program",
        "py:there-is-no-such.py",
    ] {
        assert!(check(right).is_ok(), "{right}: {:?}", check(right));
    }
}
