//! The grammar of agents: `name`, `name:key=value,...`, `level:5`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// An agent's name and options, not yet tied to a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentSpec {
    name: String,
    /// What follows the colon, as it was written.
    arguments: String,
}

/// Why there is no such agent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad agent '{spec}': {problem}")]
pub struct AgentError {
    /// The spec.
    pub spec: String,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl AgentSpec {
    /// The agent's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Everything behind the colon.
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// The options `key=value`, in order. A word without `=` is a value whose key is empty.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        self.arguments
            .split(',')
            .filter(|word| !word.is_empty())
            .map(|word| word.split_once('=').unwrap_or(("", word)))
    }

    /// This spec with an option set, whether it was there before or not.
    pub fn with_option(&self, key: &str, value: &str) -> AgentSpec {
        let kept = self
            .arguments
            .split(',')
            .filter(|word| !word.is_empty())
            .filter(|word| word.split_once('=').is_none_or(|(name, _)| name != key));
        let mut words: Vec<String> = kept.map(str::to_owned).collect();
        words.push(format!("{key}={value}"));
        AgentSpec {
            name: self.name.clone(),
            arguments: words.join(","),
        }
    }

    /// An error about this spec.
    pub fn error(&self, problem: impl Into<String>) -> AgentError {
        AgentError {
            spec: self.to_string(),
            problem: problem.into(),
        }
    }
}

impl FromStr for AgentSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        let wrong = |problem: &str| AgentError {
            spec: text.chars().take(80).collect(),
            problem: problem.to_owned(),
        };
        let (name, arguments) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty() {
            return Err(wrong("the name is missing"));
        }
        if text.contains(|c: char| c.is_control()) {
            return Err(wrong("a control character is in it"));
        }
        Ok(AgentSpec {
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        })
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
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
