//! Who played: names for people, specs for programs.

use std::fmt;

/// Who played a game of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Who {
    /// What tables and pages show.
    pub name: String,
    /// What it was made from: an agent's spec, or a word for somebody else. Equal to the name where nobody gave one.
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
