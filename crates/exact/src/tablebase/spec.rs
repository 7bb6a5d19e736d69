//! Which positions a tablebase is about.

use kalahari_games::SpecError;
use kalahari_games::kalah::{CaptureRule, KalahSpec};
use std::fmt;
use std::str::FromStr;

/// The most pits a side a tablebase may have.
pub const MAX_TABLE_PITS: usize = 6;

/// The most seeds a tablebase may cover; a byte holds their margins with room to spare.
pub const MAX_TABLE_SEEDS: usize = 60;

/// The name of a family of Kalah positions: `kalah:P[:RULE]`, e.g. `kalah:6:standard`.
///
/// The number of seeds is left out: a tablebase covers every position of the family with up to some
/// number of seeds on the board, whatever game it arose in. Stores and `+majority` play no part.
///
/// ```
/// use kalahari_exact::tablebase::TableSpec;
/// let spec: TableSpec = "kalah:6".parse()?;
/// assert_eq!(spec.to_string(), "kalah:6:standard");
/// # Ok::<(), kalahari_games::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableSpec {
    pits: u8,
    rule: CaptureRule,
}

impl TableSpec {
    /// The family of `pits` pits a side, or `None` outside 1 to [`MAX_TABLE_PITS`].
    pub fn new(pits: usize, rule: CaptureRule) -> Option<Self> {
        let pits_fit = (1..=MAX_TABLE_PITS).contains(&pits);
        pits_fit.then_some(TableSpec {
            pits: pits as u8,
            rule,
        })
    }

    /// The family that a game's positions belong to; `None` if the board is too large for tablebases.
    pub fn of_game(game: KalahSpec) -> Option<Self> {
        Self::new(game.pits(), game.rule())
    }

    /// Pits a side.
    pub const fn pits(self) -> usize {
        self.pits as usize
    }

    /// When a last seed captures.
    pub const fn rule(self) -> CaptureRule {
        self.rule
    }
}

impl fmt::Display for TableSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kalah:{}:{}", self.pits, self.rule)
    }
}

impl FromStr for TableSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let error = |at: usize, problem: String| SpecError {
            text: text.chars().filter(|c| !c.is_control()).take(80).collect(),
            at: at + 1,
            problem,
        };
        let mut parts = text.split(':');
        if parts.next() != Some("kalah") {
            let problem = "a tablebase is named kalah:P[:RULE], such as kalah:6:standard";
            return Err(error(0, problem.to_owned()));
        }
        let pits = parts.next().unwrap_or_default();
        let number = match pits.parse::<usize>() {
            Ok(number) if pits.bytes().all(|byte| byte.is_ascii_digit()) => number,
            _ => {
                let problem = "the number of pits a side is missing, such as 6 in kalah:6:standard";
                return Err(error("kalah:".len(), problem.to_owned()));
            }
        };
        let at_rule = "kalah:".len() + pits.len() + 1;
        let rule = match parts.next() {
            None => CaptureRule::default(),
            Some(name) => CaptureRule::ALL
                .into_iter()
                .find(|rule| rule.name() == name)
                .ok_or_else(|| {
                    let known = CaptureRule::ALL.map(CaptureRule::name).join(", ");
                    error(at_rule, format!("unknown rule; tablebases know {known}"))
                })?,
        };
        if parts.next().is_some() {
            return Err(error(
                at_rule + rule.name().len(),
                "nothing may follow the rule".to_owned(),
            ));
        }
        Self::new(number, rule).ok_or_else(|| {
            let problem = format!("tablebases have 1 to {MAX_TABLE_PITS} pits a side");
            error("kalah:".len(), problem)
        })
    }
}
