//! Game specs: the names of rule sets, and the way from a name to a typed game.

use crate::isolation::{Bits, Isolation, IsolationSpec, Wide256};
use crate::kalah::{Board, Kalah, KalahSpec, Packed, Wide};
use crate::text::{Trouble, located, serde_as_text};
use crate::{Game, SpecError};
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

/// Which numbers of seeds a Kalah position may hold. Isolation does not care.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Totals {
    /// Exactly as many as the game begins with.
    #[default]
    Exact,
    /// Any number that the board chosen for this many can hold.
    Any {
        /// The largest total that has to fit; see [`Totals::any_for`].
        at_least: u32,
    },
}

impl Totals {
    /// Any total, with room for the position `text` (which need not be valid).
    pub fn any_for(text: &str) -> Self {
        let sum = text
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .fold(0, u32::saturating_add);
        Totals::Any { at_least: sum }
    }
}

/// Work to be done with a typed game once its name has been read, whichever game it is.
pub trait GameVisitor {
    /// What the work gives.
    type Output;

    /// Does the work.
    fn visit<G: Game>(self, game: G) -> Self::Output;
}

/// Work that has to know which of the two games it gets.
pub trait KindVisitor {
    /// What the work gives.
    type Output;

    /// Does the work for a game of Kalah.
    fn kalah<B: Board>(self, game: Kalah<B>) -> Self::Output;

    /// Does the work for a game of Isolation.
    fn isolation<B: Bits>(self, game: Isolation<B>) -> Self::Output;
}

impl GameSpec {
    /// Builds the typed game of this name, with the fastest board that can hold it, and hands it to `visitor`.
    ///
    /// With [`Totals::Any`] a Kalah game accepts positions with any number of seeds its board can hold.
    pub fn visit<V: GameVisitor>(self, totals: Totals, visitor: V) -> V::Output {
        struct Whichever<V>(V);
        impl<V: GameVisitor> KindVisitor for Whichever<V> {
            type Output = V::Output;
            fn kalah<B: Board>(self, game: Kalah<B>) -> V::Output {
                self.0.visit(game)
            }
            fn isolation<B: Bits>(self, game: Isolation<B>) -> V::Output {
                self.0.visit(game)
            }
        }
        self.visit_kind(totals, Whichever(visitor))
    }

    /// As [`visit`](GameSpec::visit), for work that has to know which game it gets.
    pub fn visit_kind<V: KindVisitor>(self, totals: Totals, visitor: V) -> V::Output {
        match self {
            GameSpec::Kalah(spec) => match (totals, Kalah::<Packed>::new(spec)) {
                (Totals::Exact, Ok(game)) => visitor.kalah(game),
                (Totals::Exact, Err(_)) => visitor.kalah(Kalah::<Wide>::wide(spec)),
                (Totals::Any { at_least }, Ok(game)) if at_least <= Packed::MAX_TOTAL => {
                    visitor.kalah(game.with_any_total())
                }
                (Totals::Any { .. }, _) => {
                    visitor.kalah(Kalah::<Wide>::wide(spec).with_any_total())
                }
            },
            GameSpec::Isolation(spec) => {
                if let Some(game) = Isolation::<u64>::new(spec) {
                    visitor.isolation(game)
                } else if let Some(game) = Isolation::<u128>::new(spec) {
                    visitor.isolation(game)
                } else {
                    visitor.isolation(Isolation::<Wide256>::largest(spec))
                }
            }
        }
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
                Trouble::new(name, "unknown game; known are kalah and isolation")
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
/// A part that begins with a digit is a size. The whole text and what is said of a bad size are the caller's.
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
    /// What stands left and right of the `x`.
    pub(crate) size: Option<(&'a str, &'a str)>,
    pub(crate) rule: Option<&'a str>,
}
