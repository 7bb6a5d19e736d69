//! The players of a record: names for people to read, specs for programs.

use std::fmt;

/// A player of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Who {
    /// The name that tables and pages show.
    pub name: String,
    /// The agent's spec, or a word for a player that is not an agent. Equal to the name if no name was given.
    pub agent: String,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl From<String> for Who {
    fn from(text: String) -> Self {
        Who {
            name: text.clone(),
            agent: text,
        }
    }
}

impl From<&str> for Who {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}
