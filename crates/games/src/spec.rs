//! Game specs: the names of rule sets.

use crate::SpecError;
use crate::isolation::IsolationSpec;
use crate::kalah::KalahSpec;
use crate::text::{Trouble, located, serde_as_text};
use std::fmt;
use std::str::FromStr;

/// The name of a rule set, such as `kalah:6x4:empty-capture` or `isolation:7x7:queen`.
///
/// Reading fills in what is left out; writing always gives the full form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameSpec {
    /// A game of Kalah.
    Kalah(KalahSpec),
    /// A game of Isolation.
    Isolation(IsolationSpec),
}

/// Which of the two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// Kalah.
    Kalah,
    /// Isolation.
    Isolation,
}

impl GameSpec {
    /// Which game it is.
    pub const fn kind(self) -> GameKind {
        match self {
            GameSpec::Kalah(_) => GameKind::Kalah,
            GameSpec::Isolation(_) => GameKind::Isolation,
        }
    }

    /// The rule in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            GameSpec::Kalah(spec) => spec.rule().summary(),
            GameSpec::Isolation(spec) => spec.rule().summary(),
        }
    }

    /// The Kalah rule set, if it is one.
    pub const fn kalah(self) -> Option<KalahSpec> {
        match self {
            GameSpec::Kalah(spec) => Some(spec),
            GameSpec::Isolation(_) => None,
        }
    }

    /// The Isolation rule set, if it is one.
    pub const fn isolation(self) -> Option<IsolationSpec> {
        match self {
            GameSpec::Kalah(_) => None,
            GameSpec::Isolation(spec) => Some(spec),
        }
    }
}

impl From<KalahSpec> for GameSpec {
    fn from(spec: KalahSpec) -> Self {
        GameSpec::Kalah(spec)
    }
}

impl From<IsolationSpec> for GameSpec {
    fn from(spec: IsolationSpec) -> Self {
        GameSpec::Isolation(spec)
    }
}

impl Default for GameSpec {
    /// `kalah:6x6:standard`.
    fn default() -> Self {
        GameSpec::Kalah(KalahSpec::default())
    }
}

impl FromStr for GameSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        match text.split(':').next().unwrap_or_default() {
            "kalah" => text.parse().map(GameSpec::Kalah),
            "isolation" => text.parse().map(GameSpec::Isolation),
            name => Err(located!(
                SpecError,
                text,
                Trouble::new(
                    name,
                    "unknown game; the known games are kalah and isolation"
                )
            )),
        }
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameSpec::Kalah(spec) => spec.fmt(f),
            GameSpec::Isolation(spec) => spec.fmt(f),
        }
    }
}

serde_as_text!(GameSpec);

/// Reads the parts `:SIZE` and `:RULE` that may follow a game's name, in this order, either left out.
///
/// A part that begins with a digit is a size. The caller gives the whole text and, for the error message, an example of a size.
pub(crate) fn size_and_rule<'a>(
    text: &'a str,
    size_form: &str,
) -> Result<SizeAndRule<'a>, Trouble<'a>> {
    let mut parts = text.split(':').skip(1);
    let mut next = parts.next();
    let mut size = None;
    if let Some(part) = next
        && part.starts_with(|c: char| c.is_ascii_digit() || c == '-')
    {
        let Some((left, right)) = part.split_once('x') else {
            return Err(Trouble::new(part, format!("a size looks like {size_form}")));
        };
        size = Some((left, right));
        next = parts.next();
    }
    if let Some(extra) = parts.next() {
        return Err(Trouble::new(extra, "nothing may follow the rule"));
    }
    if next == Some("") {
        return Err(Trouble::at_end(text, "something must follow the colon"));
    }
    Ok(SizeAndRule { size, rule: next })
}

/// The two optional parts of a game's name, unread.
pub(crate) struct SizeAndRule<'a> {
    /// The texts left and right of the `x`.
    pub(crate) size: Option<(&'a str, &'a str)>,
    pub(crate) rule: Option<&'a str>,
}
