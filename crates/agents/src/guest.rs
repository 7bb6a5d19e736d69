//! Agents that a host program brings along, such as a function written in Python.

use kalahari_games::AnyGame;
use kalahari_search::Agent;
use kalahari_terms::Failure;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Somebody from outside who plays like one of ours.
pub trait Guest: Send + Sync {
    /// A fresh agent for a game, or why there is none.
    fn agent(&self, game: &AnyGame) -> Result<Box<dyn Agent<AnyGame>>, Failure>;

    /// What tells this guest from every other of the same name, such as a checksum of its source: matches of equal guests go
    /// on with each other. Whoever does not know must answer something that nobody else does.
    fn checksum(&self) -> &str;
}

/// A guest as a part of a spec: equal if the checksums are.
#[derive(Clone)]
pub(crate) struct Invited(pub(crate) Arc<dyn Guest>);

impl fmt::Debug for Invited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guest({})", self.0.checksum())
    }
}

impl PartialEq for Invited {
    fn eq(&self, other: &Self) -> bool {
        self.0.checksum() == other.0.checksum()
    }
}

impl Eq for Invited {}

impl Hash for Invited {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.checksum().hash(state);
    }
}

impl PartialOrd for Invited {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Invited {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.checksum().cmp(other.0.checksum())
    }
}
