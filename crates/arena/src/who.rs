//! The names of players: of agents in records, and of the sides of matches in tables.

use crate::store::StoredMatch;
use kalahari_agents::{AgentSpec, NamedAgent, Version};
use kalahari_record::Who;
use std::collections::{BTreeMap, BTreeSet};

/// An agent as a record names it.
pub fn who(agent: &NamedAgent) -> Who {
    Who {
        name: agent.label(),
        agent: agent.spec.to_string(),
    }
}

/// Labels for the sides of some matches, such that a label stands for one player: versions of an edited bot have
/// numbers, the oldest first, and if the limits of the matches differ, agents without their own limits have them in the label.
#[derive(Clone, Debug)]
pub struct Roster {
    many_limits: bool,
    /// The specs that share a name.
    specs: BTreeMap<String, BTreeSet<String>>,
    /// The versions of a spec, the oldest first.
    versions: BTreeMap<String, Vec<Version>>,
}

impl Roster {
    /// The players of these matches, which must be in order, the oldest first.
    pub fn new<'a>(matches: impl IntoIterator<Item = &'a StoredMatch>) -> Self {
        let mut roster = Roster {
            many_limits: false,
            specs: BTreeMap::new(),
            versions: BTreeMap::new(),
        };
        let mut limits = None;
        for entry in matches {
            roster.many_limits |= limits
                .replace(&entry.limits)
                .is_some_and(|l| *l != entry.limits);
            for side in 0..2 {
                let (name, spec) = (&entry.names[side], &entry.agents[side]);
                roster
                    .specs
                    .entry(name.clone())
                    .or_default()
                    .insert(spec.clone());
                if let Some(version) = entry.versions[side] {
                    let known = roster.versions.entry(spec.clone()).or_default();
                    if !known.contains(&version) {
                        known.push(version);
                    }
                }
            }
        }
        roster
    }

    /// The label of the agent on a side of a match.
    pub fn label(&self, entry: &StoredMatch, side: usize) -> String {
        let (name, spec) = (&entry.names[side], &entry.agents[side]);
        let mut label = name.clone();
        if let Some(number) = self.version_number(entry, side) {
            label += &format!(" v{number}");
        }
        if self.specs.get(name).is_some_and(|specs| specs.len() > 1) {
            label += &format!(" ({spec})");
        }
        let read = spec.parse::<AgentSpec>();
        if self.many_limits && !read.is_ok_and(|spec| spec.has_own_limits()) {
            label += &format!(" ({})", entry.limits);
        }
        label
    }

    /// Which version of its agent played on a side of a match, from 1; `None` if there is only one.
    pub fn version_number(&self, entry: &StoredMatch, side: usize) -> Option<usize> {
        let known = self.versions.get(&entry.agents[side])?;
        let version = entry.versions[side]?;
        let place = known.iter().position(|known| *known == version)?;
        (known.len() > 1).then_some(place + 1)
    }
}
