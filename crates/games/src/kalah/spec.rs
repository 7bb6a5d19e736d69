//! The names of Kalah's rule sets.

use crate::SpecError;
use crate::spec::size_and_rule;
use crate::text::{Trouble, located, number, serde_as_text};
use std::fmt;
use std::str::FromStr;

/// The most pits a side may have.
pub const MAX_PITS: usize = 12;
/// The most seeds a pit may begin with.
pub const MAX_SEEDS: u32 = 20;
/// The most seeds any position may hold.
pub const MAX_TOTAL: u32 = 2 * MAX_PITS as u32 * MAX_SEEDS;

/// When a last seed in one of the mover's pits captures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CaptureRule {
    /// The pit now holds exactly that seed, and the opposite pit is not empty.
    #[default]
    Standard,
    /// The pit now holds exactly that seed; the seed is banked even if the opposite pit is empty.
    EmptyCapture,
    /// The pit was empty before the move began, and the opposite pit is not empty now.
    PreMoveEmpty,
}

impl CaptureRule {
    /// All rules, the default first.
    pub const ALL: [CaptureRule; 3] = [
        CaptureRule::Standard,
        CaptureRule::EmptyCapture,
        CaptureRule::PreMoveEmpty,
    ];

    /// The rule's name in a spec.
    pub const fn name(self) -> &'static str {
        match self {
            CaptureRule::Standard => "standard",
            CaptureRule::EmptyCapture => "empty-capture",
            CaptureRule::PreMoveEmpty => "pre-move-empty",
        }
    }

    /// Whether a last seed is banked even if there is nothing opposite to capture.
    pub const fn banks_without_prey(self) -> bool {
        match self {
            CaptureRule::EmptyCapture => true,
            CaptureRule::Standard | CaptureRule::PreMoveEmpty => false,
        }
    }

    /// The rule in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            CaptureRule::Standard => {
                "a last seed alone in your pit captures when the opposite pit holds seeds"
            }
            CaptureRule::EmptyCapture => {
                "a last seed alone in your pit is banked, with whatever is opposite"
            }
            CaptureRule::PreMoveEmpty => {
                "a last seed captures in your pit if it was empty before the move and the opposite pit holds seeds"
            }
        }
    }
}

impl fmt::Display for CaptureRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of a Kalah rule set: `kalah:PxS:RULE`, e.g. `kalah:6x6:standard+majority`.
///
/// Only sizes of 1 to [`MAX_PITS`] pits and 1 to [`MAX_SEEDS`] seeds exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KalahSpec {
    pits: u8,
    seeds: u8,
    rule: CaptureRule,
    majority: bool,
}

impl KalahSpec {
    /// The rule set of this size, or `None` if there is no such size.
    pub fn new(pits: usize, seeds: u32, rule: CaptureRule) -> Option<Self> {
        ((1..=MAX_PITS).contains(&pits) && (1..=MAX_SEEDS).contains(&seeds)).then_some(KalahSpec {
            pits: pits as u8,
            seeds: seeds as u8,
            rule,
            majority: false,
        })
    }

    /// The same rules, with or without the end by majority.
    pub fn with_majority(self, majority: bool) -> Self {
        KalahSpec { majority, ..self }
    }

    /// Pits a side.
    pub const fn pits(self) -> usize {
        self.pits as usize
    }

    /// Seeds a pit at the start.
    pub const fn seeds(self) -> u32 {
        self.seeds as u32
    }

    /// When a last seed captures.
    pub const fn rule(self) -> CaptureRule {
        self.rule
    }

    /// Whether the game is over as soon as a store holds more than half of all seeds.
    pub const fn majority(self) -> bool {
        self.majority
    }

    /// All seeds of the game.
    pub const fn total(self) -> u32 {
        2 * self.pits as u32 * self.seeds as u32
    }
}

impl Default for KalahSpec {
    /// `kalah:6x6:standard`.
    fn default() -> Self {
        KalahSpec {
            pits: 6,
            seeds: 6,
            rule: CaptureRule::Standard,
            majority: false,
        }
    }
}

impl fmt::Display for KalahSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kalah:{}x{}:{}", self.pits, self.seeds, self.rule)?;
        if self.majority {
            f.write_str("+majority")?;
        }
        Ok(())
    }
}

impl FromStr for KalahSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        read(text).map_err(|trouble| located!(SpecError, text, trouble))
    }
}

/// The only option of a rule.
const MAJORITY: &str = "majority";

/// The message about an option without a rule.
const OPTION_PLACE: &str = "an option follows a rule, as in kalah:6x6:standard+majority";

fn read(text: &str) -> Result<KalahSpec, Trouble<'_>> {
    if text.split(':').next() != Some("kalah") {
        return Err(Trouble::new(text, "a Kalah game begins with 'kalah'"));
    }
    let parts = size_and_rule(text, "6x4 (pits x seeds)")?;
    let mut spec = KalahSpec::default();
    if let Some((pits, seeds)) = parts.size {
        if let Some((_, option)) = seeds.split_once('+') {
            return Err(Trouble::new(option, OPTION_PLACE));
        }
        spec.pits = at_least_one(pits, "the number of pits", MAX_PITS as u32)?;
        spec.seeds = at_least_one(seeds, "the number of seeds", MAX_SEEDS)?;
    }
    if let Some(name) = parts.rule {
        let (rule, option) = match name.split_once('+') {
            Some((rule, option)) => (rule, Some(option)),
            None => (name, None),
        };
        spec.rule = CaptureRule::ALL
            .into_iter()
            .find(|known| known.name() == rule)
            .ok_or_else(|| {
                if rule == MAJORITY {
                    return Trouble::new(rule, OPTION_PLACE);
                }
                let known = CaptureRule::ALL.map(CaptureRule::name).join(", ");
                Trouble::new(rule, format!("unknown rule; Kalah has {known}"))
            })?;
        spec.majority = match option {
            None => false,
            Some(MAJORITY) => true,
            Some(option) => {
                return Err(Trouble::new(option, "unknown option; Kalah has +majority"));
            }
        };
    }
    Ok(spec)
}

fn at_least_one<'a>(part: &'a str, what: &str, max: u32) -> Result<u8, Trouble<'a>> {
    match number(part, what, max)? {
        0 => Err(Trouble::new(
            part,
            format!("{what} must be from 1 to {max}"),
        )),
        n => Ok(n as u8),
    }
}

serde_as_text!(KalahSpec);
