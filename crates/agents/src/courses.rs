//! The players of five course projects: names that stand for longer specs.

use crate::{AgentError, AgentKind, AgentProblem, AgentSpec, CourseProject, OptionKey};

/// One course's player.
struct Course {
    /// The agent that it stands for, and its options.
    agent: AgentKind,
    options: &'static str,
    /// Its limit, unless its spec names one.
    limit: &'static str,
}

const fn course(project: CourseProject) -> Course {
    match project {
        CourseProject::P000 => Course {
            agent: AgentKind::AlphaBeta,
            options: "eval=weighted",
            limit: "depth=6",
        },
        CourseProject::P001 => Course {
            agent: AgentKind::Mcts,
            // When it was handed in, positions were valued by the stores and by playouts.
            options: "eval=none,alpha=0.975,c=0.5,reuse=1,solver=1",
            limit: "time=2s",
        },
        CourseProject::P002 => Course {
            agent: AgentKind::AlphaBeta,
            options: "eval=phased",
            limit: "time=500ms",
        },
        // Level 5: the plainest evaluation of the game, and an extra turn costs two plies.
        CourseProject::P003 => Course {
            agent: AgentKind::AlphaBeta,
            options: "extra=2",
            limit: "depth=5",
        },
        CourseProject::P004 => Course {
            agent: AgentKind::AlphaBeta,
            options: "eval=again",
            limit: "depth=9",
        },
    }
}

/// The spec that a course project's player stands for.
pub(crate) fn expand(spec: &AgentSpec, project: CourseProject) -> Result<AgentSpec, AgentError> {
    let course = course(project);
    let keys = spec.kind().keys();
    let mut limited = false;
    for (name, value) in spec.options() {
        let Some(key) = OptionKey::by_name(name).filter(|key| keys.contains(key)) else {
            let option = if name.is_empty() { value } else { name }.to_owned();
            let known = spec.kind().options();
            return Err(spec.error(AgentProblem::UnknownOption { option, known }));
        };
        // A depth does not limit Monte Carlo tree search.
        limited |= key != OptionKey::Depth || course.agent != AgentKind::Mcts;
    }
    let limit = if limited { "" } else { course.limit };
    let words = [course.options, limit, spec.arguments()];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    Ok(AgentSpec::plain(course.agent).with_arguments(&words.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> String {
        let spec: AgentSpec = text.parse().expect("a spec");
        let AgentKind::Course(project) = spec.kind() else {
            panic!("{text} is not a course project's player");
        };
        expand(&spec, project).expect("good options").to_string()
    }

    #[test]
    fn limits_of_the_spec_replace_the_shipped_one() {
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
            "mcts:eval=none,alpha=0.975,c=0.5,reuse=1,solver=1,time=2s,depth=9"
        );
        assert_eq!(
            expanded("seed001:playouts=100"),
            "mcts:eval=none,alpha=0.975,c=0.5,reuse=1,solver=1,playouts=100"
        );
    }

    #[test]
    fn options_other_than_limits_are_refused() {
        for text in ["seed002:eval=reach", "seed002:5"] {
            let spec: AgentSpec = text.parse().expect("a spec");
            assert!(expand(&spec, CourseProject::P002).is_err(), "{text}");
        }
    }
}
