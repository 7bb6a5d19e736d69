//! The grammar of agent specs: `name`, `name:key=value,...`, `level:5`.

use crate::guest::{Guest, Invited};
use crate::{AgentError, AgentKind, AgentProblem, LEVEL_PATIENCE, OptionKey};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// An agent's name and options, not yet tied to a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentSpec {
    kind: AgentKind,
    /// What follows the colon, as it was written.
    arguments: String,
    /// The guest, if it is one.
    guest: Option<Invited>,
}

impl AgentSpec {
    /// The agent of a kind, without options.
    pub const fn plain(kind: AgentKind) -> Self {
        AgentSpec {
            kind,
            arguments: String::new(),
            guest: None,
        }
    }

    /// A level, 0 to [`LEVELS`](crate::LEVELS).
    pub fn of_level(level: u32) -> Self {
        AgentSpec::plain(AgentKind::Level).with_arguments(&level.to_string())
    }

    /// Which level it is, if it is one.
    pub fn level(&self) -> Option<u32> {
        let number = self.option(OptionKey::Bare);
        number
            .filter(|_| self.kind == AgentKind::Level)?
            .parse()
            .ok()
    }

    /// The same agent for use where a person waits for its moves: a level that names no time gets [`LEVEL_PATIENCE`].
    #[must_use]
    pub fn for_a_person(&self) -> Self {
        match self.kind == AgentKind::Level && self.option(OptionKey::Time).is_none() {
            true => self.with(OptionKey::Time, format!("{}ms", LEVEL_PATIENCE.as_millis())),
            false => self.clone(),
        }
    }

    /// An agent that the host program provides, under this name.
    pub fn guest(name: &str, guest: Arc<dyn Guest>) -> Result<Self, AgentError> {
        let spec = AgentSpec {
            kind: AgentKind::Guest,
            arguments: name.to_owned(),
            guest: Some(Invited(guest)),
        };
        if name.is_empty() {
            return Err(spec.error(AgentProblem::NoName));
        }
        match name.contains(|c: char| c.is_control()) {
            true => Err(AgentError {
                spec: shown(name),
                problem: AgentProblem::ControlCharacter,
            }),
            false => Ok(spec),
        }
    }

    /// The guest, if this is the spec of one.
    pub(crate) fn invited(&self) -> Option<&dyn Guest> {
        self.guest.as_ref().map(|guest| &*guest.0)
    }

    /// This kind of agent with other arguments. Control characters, which would garble lists, are left out.
    #[must_use]
    pub fn with_arguments(&self, arguments: &str) -> Self {
        AgentSpec {
            kind: self.kind,
            arguments: arguments.chars().filter(|c| !c.is_control()).collect(),
            guest: None,
        }
    }

    /// What kind of agent it is.
    pub const fn kind(&self) -> AgentKind {
        self.kind
    }

    /// Whether it plays random moves: `random`, or level 0.
    pub fn is_random(&self) -> bool {
        match self.kind {
            AgentKind::Random => true,
            AgentKind::Level => self.level() == Some(0),
            _ => false,
        }
    }

    /// Everything after the colon.
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// The options `key=value`, in order. A word without `=` is a value whose key is empty.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let (file, options) = self.file_and_options();
        let options = options.split(',').filter(|word| !word.is_empty());
        let options = options.map(|word| word.split_once('=').unwrap_or(("", word)));
        file.map(|file| ("", file)).into_iter().chain(options)
    }

    /// The file of a Python agent, whose name may contain any characters, and the options after it. Other agents have only options.
    fn file_and_options(&self) -> (Option<&str>, &str) {
        let all = self.arguments.as_str();
        match self.kind {
            AgentKind::Python if all.ends_with(PYTHON) => (Some(all), ""),
            AgentKind::Python => match all.rfind(".py,") {
                Some(place) => {
                    let (file, rest) = all.split_at(place + PYTHON.len());
                    (Some(file), rest)
                }
                None => (None, all),
            },
            _ => (None, all),
        }
    }

    /// The text of an option, if the spec has it.
    pub fn option(&self, key: OptionKey) -> Option<&str> {
        let mut options = self.options();
        options.find_map(|(name, value)| (name == key.name()).then_some(value))
    }

    /// Whether a switch is off.
    pub fn is_off(&self, key: OptionKey) -> bool {
        self.option(key) == Some("0")
    }

    /// Whether it ignores the caller's limits for a move. `false` for external agents: their arguments are not understood here.
    pub fn has_own_limits(&self) -> bool {
        match self.kind {
            kind if !kind.takes_limits() => true,
            kind if kind.is_foreign() => false,
            _ => OptionKey::ALL
                .into_iter()
                .any(|key| key.is_limit() && self.option(key).is_some()),
        }
    }

    /// This spec with an option added or replaced.
    #[must_use]
    pub fn with(&self, key: OptionKey, value: impl fmt::Display) -> AgentSpec {
        self.with_option(key.name(), &value.to_string())
    }

    /// This spec with an option, or a parameter of an evaluation, added or replaced.
    pub fn with_option(&self, key: &str, value: &str) -> AgentSpec {
        let kept = self.options().filter(|(name, _)| *name != key);
        let mut words: Vec<String> = kept
            .map(|(name, value)| match name {
                "" => value.to_owned(),
                name => format!("{name}={value}"),
            })
            .collect();
        words.push(format!("{key}={value}"));
        AgentSpec {
            kind: self.kind,
            arguments: words.join(","),
            guest: self.guest.clone(),
        }
    }

    /// An error about this spec.
    pub fn error(&self, problem: impl Into<AgentProblem>) -> AgentError {
        AgentError {
            spec: self.to_string(),
            problem: problem.into(),
        }
    }
}

impl FromStr for AgentSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        let wrong = |problem| AgentError {
            spec: shown(text),
            problem,
        };
        let (name, arguments) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty() {
            return Err(wrong(AgentProblem::NoName));
        }
        if text.contains(|c: char| c.is_control()) {
            return Err(wrong(AgentProblem::ControlCharacter));
        }
        let kind = AgentKind::by_name(name);
        if let Some(bot) = bot_in_folder(text, kind, arguments) {
            return bot.map_err(wrong);
        }
        let Some(kind) = kind else {
            // A bare path is a Python file.
            return match text.ends_with(PYTHON) || text.contains(".py,") {
                true => Ok(AgentSpec::plain(AgentKind::Python).with_arguments(text)),
                // A name that is not shown whole would be that of another file.
                false if shown(text) == text && is_python_without_ending(text) => {
                    Err(wrong(AgentProblem::ForgottenEnding { name: shown(text) }))
                }
                false => Err(wrong(AgentProblem::UnknownName(shown(name)))),
            };
        };
        Ok(AgentSpec {
            kind,
            arguments: arguments.to_owned(),
            guest: None,
        })
    }
}

/// The single bot in a folder, if the text names a folder.
#[cfg(not(target_family = "wasm"))]
fn bot_in_folder(
    text: &str,
    kind: Option<AgentKind>,
    arguments: &str,
) -> Option<Result<AgentSpec, AgentProblem>> {
    let folder = match kind {
        None => text,
        Some(AgentKind::Python) => arguments,
        Some(_) => return None,
    };
    std::path::Path::new(folder)
        .is_dir()
        .then(|| crate::bots::bot_in(folder))
}

/// This platform has no folders.
#[cfg(target_family = "wasm")]
fn bot_in_folder(
    _: &str,
    _: Option<AgentKind>,
    _: &str,
) -> Option<Result<AgentSpec, AgentProblem>> {
    None
}

/// Whether a text names a Python file, apart from its ending.
#[cfg(not(target_family = "wasm"))]
fn is_python_without_ending(text: &str) -> bool {
    std::path::Path::new(&format!("{text}{PYTHON}")).is_file()
}

/// This platform has no files.
#[cfg(target_family = "wasm")]
fn is_python_without_ending(_: &str) -> bool {
    false
}

/// The extension of a Python file.
const PYTHON: &str = ".py";

/// A text as a message quotes it: shortened, without control characters.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        if !self.arguments.is_empty() {
            write!(f, ":{}", self.arguments)?;
        }
        Ok(())
    }
}

impl Serialize for AgentSpec {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AgentSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_players_are_recognised_whatever_their_options() {
        for (text, random) in [
            ("random", true),
            ("random:seed=3", true),
            ("level:0", true),
            ("level:0,seed=3", true),
            ("level:seed=3,0", true),
            ("level:1", false),
            ("engine", false),
        ] {
            let spec: AgentSpec = text.parse().expect("a spec");
            assert_eq!(spec.is_random(), random, "{text}");
        }
    }

    #[test]
    fn unknown_names_are_refused_when_they_are_read() {
        let error = "nobody:depth=3"
            .parse::<AgentSpec>()
            .expect_err("no such agent");
        assert!(
            error
                .to_string()
                .contains("no agent 'nobody'; there are random, level,")
        );
        let folder = tempfile::tempdir().expect("a folder");
        let bot = folder.path().join("mybot").display().to_string();
        std::fs::write(format!("{bot}.py"), "").expect("written");
        let error = bot.parse::<AgentSpec>().expect_err("no such agent");
        let meant = format!("no agent '{bot}'; did you mean {bot}.py?");
        assert!(error.to_string().ends_with(&meant), "{error}");
        assert!(":x".parse::<AgentSpec>().is_err());
        assert!("random\n".parse::<AgentSpec>().is_err());
    }
}
