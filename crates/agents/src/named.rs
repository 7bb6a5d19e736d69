//! Names of agents: `NAME=SPEC`, and what an agent is called if it is given no name.

use crate::{AgentError, AgentKind, AgentProblem, AgentSpec, OptionKey};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The name of an agent in tables, records and reports. It is not empty, and it has no `=`, `:`, `,`, slash, backslash or control
/// character.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentName(String);

impl AgentName {
    /// The greatest number of characters.
    pub const LONGEST: usize = 40;

    /// Takes a text as a name; `None` if it is not a valid name.
    pub fn new(text: &str) -> Option<Self> {
        let fits = !text.is_empty()
            && text.trim() == text
            && text.chars().count() <= Self::LONGEST
            && !text.contains(is_foreign);
        fits.then(|| AgentName(text.to_owned()))
    }

    /// Turns any text, such as what a program calls itself, into a valid name: replaces characters that are not allowed and cuts it to
    /// length. `None` if nothing is left.
    pub fn near(text: &str) -> Option<Self> {
        let clean: String = text
            .chars()
            .map(|c| if is_foreign(c) { ' ' } else { c })
            .collect();
        let words: Vec<&str> = clean.split_whitespace().collect();
        let short: String = words.join(" ").chars().take(Self::LONGEST).collect();
        AgentName::new(short.trim_end())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_foreign(c: char) -> bool {
    c.is_control() || matches!(c, '=' | ':' | ',' | '/' | '\\')
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An agent and its name, if it has one. As text: `NAME=SPEC` or `SPEC`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NamedAgent {
    /// Its name, if it was given one.
    pub name: Option<AgentName>,
    /// The agent.
    pub spec: AgentSpec,
}

impl NamedAgent {
    /// What it is called in tables: its name, or else a name made from its file, or else its spec.
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) => name.to_string(),
            None => match file_name(&self.spec) {
                Some(name) => name.to_string(),
                None => self.spec.to_string(),
            },
        }
    }

    /// Chooses names for the agents of a match, so that different agents have different labels. `own` has the names that the programs
    /// call themselves. A name that was given is kept. Other external agents get the name that the program reports, or that of their
    /// file. Only if such names clash, the folder is appended, or the spec is used instead. Two given names may still clash.
    pub fn settle(agents: &mut [NamedAgent], own: &[Option<AgentName>]) {
        let own = own.iter().chain(std::iter::repeat(&None));
        let wishes: Vec<Vec<Option<AgentName>>> = agents
            .iter()
            .zip(own)
            .map(|(agent, own)| wishes(agent, own))
            .collect();
        let mut taken = vec![0; agents.len()];
        loop {
            for (agent, (wishes, taken)) in agents.iter_mut().zip(wishes.iter().zip(&taken)) {
                agent.name = wishes[*taken].clone();
            }
            let movers: Vec<usize> = (0..agents.len())
                .filter(|&place| taken[place] + 1 < wishes[place].len())
                .filter(|&place| agents.iter().any(|other| agents[place].clashes(other)))
                .collect();
            if movers.is_empty() {
                break;
            }
            for place in movers {
                taken[place] += 1;
            }
        }
        // Long names are cut off and may then be equal; these get a number.
        for place in 0..agents.len() {
            let clash =
                |agent: &NamedAgent| agents[..place].iter().any(|other| other.clashes(agent));
            let mut agent = agents[place].clone();
            let short: String = agent.label().chars().take(AgentName::LONGEST - 4).collect();
            for number in 2.. {
                if wishes[place].len() == 1 || !clash(&agent) {
                    break;
                }
                agent.name = AgentName::near(&format!("{short} {number}"));
            }
            agents[place] = agent;
        }
    }

    /// Whether it is another agent with the same label.
    pub fn clashes(&self, other: &NamedAgent) -> bool {
        self.spec != other.spec && self.label() == other.label()
    }
}

/// The names that an agent may get, best first; never empty. `None` stands for the default label.
fn wishes(agent: &NamedAgent, own: &Option<AgentName>) -> Vec<Option<AgentName>> {
    let spec = &agent.spec;
    if agent.name.is_some() || !spec.kind().is_foreign() {
        return vec![agent.name.clone()];
    }
    let name = own.clone().or_else(|| file_name(spec));
    let with_folder = match (&name, folder_name(spec)) {
        (Some(name), Some(folder)) if *name != folder => {
            AgentName::near(&format!("{name} ({folder})"))
        }
        _ => None,
    };
    let soft = [name, with_folder];
    let mut wishes: Vec<Option<AgentName>> = soft.into_iter().filter(Option::is_some).collect();
    // Without a name, the label of an agent that has no file is its spec.
    wishes.push(match file_name(spec) {
        Some(_) => AgentName::near(&spec.to_string()),
        None => None,
    });
    wishes
}

/// Common file names that say nothing about the agent, the most likely first. An agent in `NAME/ai.py` is called after its
/// folder.
pub(crate) const COMMON: [&str; 6] = ["ai", "agent", "bot", "player", "my_agent", "main"];

/// The name that an agent gets from its file: the file's stem, or its folder if the stem is a common one. It depends on nothing else.
fn file_name(spec: &AgentSpec) -> Option<AgentName> {
    let file = own_file(spec)?;
    let stem = file.file_stem()?.to_string_lossy();
    let folder = || folder_name(spec).filter(|_| COMMON.contains(&&*stem));
    folder().or_else(|| AgentName::near(&stem))
}

/// The name of the folder that holds an agent's file.
fn folder_name(spec: &AgentSpec) -> Option<AgentName> {
    let file = own_file(spec)?;
    AgentName::near(&file.parent()?.file_name()?.to_string_lossy())
}

/// The file of an agent: the file of a Python agent, or for `exe:` programs, which cannot report a name, the first word of the command
/// that looks like a file, such as `bot.js` in `node bot.js`.
fn own_file(spec: &AgentSpec) -> Option<PathBuf> {
    match spec.kind() {
        AgentKind::Python => spec.option(OptionKey::Bare).map(PathBuf::from),
        AgentKind::Exe => {
            let words = command(spec)?;
            let is_file = |word: &&String| {
                word.contains('/') || (!word.starts_with('-') && word.contains('.'))
            };
            let found = words.iter().find(is_file).or(words.first());
            found.map(PathBuf::from)
        }
        _ => None,
    }
}

#[cfg(not(target_family = "wasm"))]
fn command(spec: &AgentSpec) -> Option<Vec<String>> {
    kalahari_protocol::split_command(spec.arguments())
}

/// Programs cannot be started on this platform.
#[cfg(target_family = "wasm")]
fn command(_: &AgentSpec) -> Option<Vec<String>> {
    None
}

impl From<AgentSpec> for NamedAgent {
    fn from(spec: AgentSpec) -> Self {
        NamedAgent { name: None, spec }
    }
}

impl FromStr for NamedAgent {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        // A name stands before the first `=`. In a spec, a colon comes before the first `=`.
        if let Some((name, spec)) = text.split_once('=')
            && !name.contains(['/', ':', ',', '\\'])
        {
            let spec: AgentSpec = spec.parse()?;
            let name = AgentName::new(name).ok_or_else(|| spec.error(AgentProblem::BadName))?;
            return Ok(NamedAgent {
                name: Some(name),
                spec,
            });
        }
        text.parse().map(|spec| NamedAgent { name: None, spec })
    }
}

impl fmt::Display for NamedAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}={}", self.spec),
            None => self.spec.fmt(f),
        }
    }
}

impl Serialize for NamedAgent {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NamedAgent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(text: &str) -> NamedAgent {
        text.parse().expect("an agent")
    }

    #[test]
    fn a_name_stands_before_a_spec() {
        for (text, name, spec) in [
            ("mybot=py:bots/x.py", Some("mybot"), "py:bots/x.py"),
            ("my bot=x.py", Some("my bot"), "py:x.py"),
            (
                "deep=engine:depth=9,hash=8",
                Some("deep"),
                "engine:depth=9,hash=8",
            ),
            ("engine:depth=9", None, "engine:depth=9"),
            ("bots/a=b, c.py", None, "py:bots/a=b, c.py"),
            ("py:a=b.py,memory=500", None, "py:a=b.py,memory=500"),
        ] {
            let read = agent(text);
            assert_eq!(read.name.as_ref().map(AgentName::as_str), name, "{text}");
            assert_eq!(read.spec.to_string(), spec, "{text}");
            assert_eq!(agent(&read.to_string()), read);
        }
        let odd = agent("py:a=b, c.py,memory=500").spec;
        assert_eq!(odd.option(OptionKey::Bare), Some("a=b, c.py"));
        assert_eq!(odd.option(OptionKey::Memory), Some("500"));
        for text in ["=engine", " x=engine", "x=nobody", "x=y=engine", "x="] {
            assert!(text.parse::<NamedAgent>().is_err(), "{text}");
        }
        let long = "x".repeat(41) + "=engine";
        assert!(long.parse::<NamedAgent>().is_err());
    }

    #[test]
    fn labels_of_different_agents_differ() {
        let own = |text| AgentName::near(text);
        let mut agents = [
            "alice/ai.py",
            "bob/ai.py",
            "carol=dave/ai.py",
            "solo.py",
            "ugi:x --level 1",
            "ugi:x --level 2",
            "ugi:y",
            "exe:node bots/clever.js --fast",
            "level:3",
        ]
        .map(agent);
        let names = [
            None,
            None,
            None,
            None,
            own("Engine: 1"),
            own("Engine: 1"),
            own("Why"),
            None,
            None,
        ];
        NamedAgent::settle(&mut agents, &names);
        let labels = agents.each_ref().map(NamedAgent::label);
        assert_eq!(
            labels,
            [
                "alice",
                "bob",
                "carol",
                "solo",
                "ugi:x --level 1",
                "ugi:x --level 2",
                "Why",
                "clever",
                "level:3"
            ]
        );
        // A name does not depend on the other agents, except that equal names are distinguished by their folders.
        for (texts, labels) in [
            (vec!["alice/ai.py"], vec!["alice"]),
            (vec!["ai.py"], vec!["ai"]),
            (vec!["x/solo.py", "y/fast.py"], vec!["solo", "fast"]),
            (vec!["x/solo.py", "y/solo.py"], vec!["solo (x)", "solo (y)"]),
            (
                vec!["1/bob/ai.py", "2/bob/ai.py"],
                vec!["py 1 bob ai.py", "py 2 bob ai.py"],
            ),
        ] {
            let mut agents: Vec<NamedAgent> = texts.into_iter().map(agent).collect();
            NamedAgent::settle(&mut agents, &[]);
            let found: Vec<String> = agents.iter().map(NamedAgent::label).collect();
            assert_eq!(found, labels);
        }
        // The same agent twice has one label.
        let mut same = ["engine", "engine"].map(agent);
        NamedAgent::settle(&mut same, &[]);
        assert_eq!(same[0].label(), same[1].label());
        let long = "x".repeat(50);
        let mut long =
            [format!("{long}/a/ai.py"), format!("{long}/b/a/ai.py")].map(|text| agent(&text));
        NamedAgent::settle(&mut long, &[]);
        assert!(!long[0].clashes(&long[1]), "{long:?}");
        let mut given = ["a=level:1", "a=level:2"].map(agent);
        NamedAgent::settle(&mut given, &[]);
        assert!(given[0].clashes(&given[1]));
    }
}
