//! Agents that a host program provides, such as a function written in Python.

use kalahari_games::AnyGame;
use kalahari_search::Agent;
use kalahari_terms::Failure;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An agent of the host program that can play wherever a built-in agent can.
pub trait Guest: Send + Sync {
    /// A fresh agent for a game, or the reason why it cannot play.
    fn agent(&self, game: &AnyGame) -> Result<Box<dyn Agent<AnyGame>>, Failure>;

    /// A text that distinguishes this guest from every other guest of the same name, such as a checksum of its source. An
    /// interrupted match is continued only by guests with equal checksums. A guest that cannot compute one must return a unique text.
    fn checksum(&self) -> &str;
}

/// A guest as a part of a spec. Two are equal if their checksums are.
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
