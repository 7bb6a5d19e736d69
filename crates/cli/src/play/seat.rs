//! Who sits at the board.

use kalahari_agents::{AgentSpec, NamedAgent, OptionKey};
use kalahari_arena::{Who, who};
use kalahari_terms::Limits;
use std::fmt;
use std::str::FromStr;

/// One of the two players at the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seat {
    /// A person at this terminal.
    Person,
    /// An agent.
    Agent(NamedAgent),
}

impl Seat {
    /// What a person is called in specs and records.
    pub(crate) const PERSON: &'static str = "human";

    /// Who the agent is, if it is one.
    pub(crate) fn agent(&self) -> Option<&AgentSpec> {
        match self {
            Seat::Person => None,
            Seat::Agent(agent) => Some(&agent.spec),
        }
    }

    /// Who it is in a record.
    pub(crate) fn who(&self) -> Who {
        match self {
            Seat::Person => Seat::PERSON.into(),
            Seat::Agent(agent) => who(agent),
        }
    }

    /// The limits of its agent where the user cannot make it move at once.
    pub(crate) fn unattended_limits(&self) -> Limits {
        self.agent()
            .map_or(Limits::NONE, |spec| spec.kind().unattended_limits())
    }

    /// Whether its agent has these limits only because the user cannot make it move at once: otherwise it has no limits.
    pub(crate) fn is_cut_short(&self, limits: Limits) -> bool {
        let endless = |spec: &AgentSpec| {
            spec.kind().default_limits() == Limits::NONE && spec.option(OptionKey::Time).is_none()
        };
        limits != Limits::NONE && self.agent().is_some_and(endless)
    }

    /// The seat that a record names, unless that would run a program or take memory because an untrusted file says so.
    pub(crate) fn from_record(name: &str) -> Option<Seat> {
        let seat: Seat = name.parse().ok()?;
        let is_harmless = |(name, value): (&str, &str)| match OptionKey::by_name(name) {
            Some(OptionKey::Bare | OptionKey::RngSeed) => true,
            // An evaluation may be made from a file.
            Some(OptionKey::Eval) => !value.contains(':'),
            Some(key) => key.is_limit(),
            None => false,
        };
        match seat.agent() {
            Some(spec) if spec.kind().is_foreign() => None,
            Some(spec) if !spec.options().all(is_harmless) => None,
            _ => Some(seat),
        }
    }
}

impl FromStr for Seat {
    type Err = kalahari_agents::AgentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text == Seat::PERSON {
            true => Ok(Seat::Person),
            false => text.parse().map(Seat::Agent),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Person => f.write_str(Seat::PERSON),
            Seat::Agent(agent) => f.write_str(&agent.label()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_start_no_programs() {
        for (name, known) in [
            ("human", true),
            ("level:5", true),
            ("engine:time=1s", true),
            ("engine:hash=65536", false),
            ("engine:threads=64", false),
            ("ugi:rm -rf /", false),
            ("", false),
        ] {
            assert_eq!(Seat::from_record(name).is_some(), known, "{name}");
        }
    }
}
