//! The names of Isolation's rule sets.

use crate::SpecError;
use crate::spec::size_and_rule;
use crate::text::{Trouble, located, number, serde_as_text};
use std::fmt;
use std::str::FromStr;

/// The most rows or columns a board may have.
pub const MAX_SIDE: usize = 16;

/// How pieces move and how the game ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IsolationRule {
    /// One step north, east, south or west; when both are stuck, the player who has visited more cells wins.
    #[default]
    Trail,
    /// A king's step, then remove any free cell; a player who cannot step loses.
    Classic,
    /// Slide like a chess queen; a player who is stuck loses.
    Queen,
    /// Jump like a chess knight; a player who is stuck loses.
    Knight,
}

impl IsolationRule {
    /// All rules, the default first.
    pub const ALL: [IsolationRule; 4] = [
        IsolationRule::Trail,
        IsolationRule::Classic,
        IsolationRule::Queen,
        IsolationRule::Knight,
    ];

    /// The rule's name in a spec.
    pub const fn name(self) -> &'static str {
        match self {
            IsolationRule::Trail => "trail",
            IsolationRule::Classic => "classic",
            IsolationRule::Queen => "queen",
            IsolationRule::Knight => "knight",
        }
    }

    /// The rule in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            IsolationRule::Trail => {
                "one step north, east, south or west; the trail stays blocked; visiting more cells wins"
            }
            IsolationRule::Classic => "a king's step, then remove any free cell; being stuck loses",
            IsolationRule::Queen => {
                "place the pieces, then slide like a queen; the cell left is blocked; being stuck loses"
            }
            IsolationRule::Knight => {
                "place the pieces, then jump like a knight; the cell left is blocked; being stuck loses"
            }
        }
    }

    /// Rows and columns when a spec names none.
    pub const fn default_size(self) -> (usize, usize) {
        match self {
            IsolationRule::Trail => (8, 8),
            IsolationRule::Classic | IsolationRule::Queen => (7, 7),
            IsolationRule::Knight => (9, 11),
        }
    }

    /// Whether the first two moves place the pieces.
    pub const fn places_pieces(self) -> bool {
        matches!(self, IsolationRule::Queen | IsolationRule::Knight)
    }
}

impl fmt::Display for IsolationRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of an Isolation rule set: `isolation:RxC:RULE`, e.g. `isolation:7x7:queen`.
///
/// Only boards from 1x2 or 2x1 (`classic` from 2 rows) up to 16x16 exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IsolationSpec {
    rows: u8,
    cols: u8,
    rule: IsolationRule,
}

impl IsolationSpec {
    /// The rule set of this size, or `None` if there is no such size.
    pub fn new(rows: usize, cols: usize, rule: IsolationRule) -> Option<Self> {
        let sides = 1..=MAX_SIDE;
        let fits = sides.contains(&rows) && sides.contains(&cols) && rows * cols >= 2;
        let two_rows = rule != IsolationRule::Classic || rows >= 2;
        (fits && two_rows).then_some(IsolationSpec {
            rows: rows as u8,
            cols: cols as u8,
            rule,
        })
    }

    /// How many rows there are.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// How many columns there are.
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// How many cells there are.
    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// How pieces move and how the game ends.
    pub const fn rule(self) -> IsolationRule {
        self.rule
    }
}

impl From<IsolationRule> for IsolationSpec {
    /// The rule on its default board.
    fn from(rule: IsolationRule) -> Self {
        let (rows, cols) = rule.default_size();
        IsolationSpec {
            rows: rows as u8,
            cols: cols as u8,
            rule,
        }
    }
}

impl Default for IsolationSpec {
    /// `isolation:8x8:trail`.
    fn default() -> Self {
        IsolationRule::Trail.into()
    }
}

impl fmt::Display for IsolationSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "isolation:{}x{}:{}", self.rows, self.cols, self.rule)
    }
}

impl FromStr for IsolationSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        read(text).map_err(|trouble| located!(SpecError, text, trouble))
    }
}

fn read(text: &str) -> Result<IsolationSpec, Trouble<'_>> {
    if text.split(':').next() != Some("isolation") {
        return Err(Trouble::new(
            text,
            "an Isolation game begins with 'isolation'",
        ));
    }
    let parts = size_and_rule(text, "8x8 (rows x columns)")?;
    let rule = match parts.rule {
        None => IsolationRule::default(),
        Some(name) => IsolationRule::ALL
            .into_iter()
            .find(|known| known.name() == name)
            .ok_or_else(|| {
                let known = IsolationRule::ALL.map(IsolationRule::name).join(", ");
                Trouble::new(name, format!("unknown rule; Isolation has {known}"))
            })?,
    };
    let Some((rows, cols)) = parts.size else {
        return Ok(rule.into());
    };
    let row_count = number(rows, "the number of rows", MAX_SIDE as u32)? as usize;
    let col_count = number(cols, "the number of columns", MAX_SIDE as u32)? as usize;
    IsolationSpec::new(row_count, col_count, rule).ok_or_else(|| {
        let smallest = match rule {
            IsolationRule::Classic => "2 rows and 1 column",
            _ => "2 cells",
        };
        Trouble::new(rows, format!("a board for {rule} has at least {smallest}"))
    })
}

serde_as_text!(IsolationSpec);
