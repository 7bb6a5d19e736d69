//! Kalah's moves.

use crate::MoveTextError;
use crate::kalah::MAX_PITS;
use crate::text::{Trouble, located, number, serde_as_text};
use std::fmt;
use std::str::FromStr;

/// A move: one of the mover's own pits, counted in sowing direction from 0, the farthest from the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pit(pub u8);

impl Pit {
    /// The pit's number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Pit {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Self, MoveTextError> {
        let pit = number(text, "the number", MAX_PITS as u32 - 1).map_err(
            |Trouble { part, problem }| {
                // The largest board has pits 0 to 11, but this one may be smaller.
                let problem = match part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty() {
                    true => "there is no such pit".to_owned(),
                    false => problem,
                };
                let problem = format!(
                    "{problem}; a Kalah move is the number of one of your own pits, counted from 0"
                );
                located!(MoveTextError, text, Trouble { part, problem })
            },
        )?;
        Ok(Pit(pit as u8))
    }
}

serde_as_text!(Pit);
