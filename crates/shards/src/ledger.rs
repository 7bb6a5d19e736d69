//! The findings of all pieces so far, to detect two pieces that contradict each other.

use crate::error::RIVAL_FILE;
use crate::found::{Finding, Found};
use crate::plan::{Plan, Task};
use kalahari_prove::Content;
use kalahari_storage::{Contradiction, FileError};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

/// A margin, and the index of the file that states it.
type Bound = (i32, usize);

/// What pieces have stated. Pieces overlap if the experiment was split into different numbers of pieces, and several jobs of a proof may be
/// about the same position.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    files: Vec<PathBuf>,
    /// By task and part: the margin of a book's position, or the fingerprint of a game's judgements; with the index of the file.
    said: HashMap<(usize, u64), (i64, usize)>,
    /// What is proven about positions: the largest margin that is reached, and the smallest that is not.
    proven: HashMap<(usize, Content), [Option<Bound>; 2]>,
}

impl Ledger {
    /// Refuses a piece that contradicts an entered one.
    pub(crate) fn check(&self, path: &Path, plan: &Plan, found: &[Found]) -> Result<(), FileError> {
        let mut wrong = found.iter().filter_map(|one| self.contradiction(plan, one));
        match wrong.next() {
            Some((other, what)) => Err(contradicts(path, self.files[other].clone(), what)),
            None => Ok(()),
        }
    }

    /// Enters the findings of a piece that passed [`Ledger::check`].
    pub(crate) fn enter(&mut self, path: &Path, plan: &Plan, found: &[Found]) {
        let file = self.files.len();
        self.files.push(path.to_owned());
        for one in found {
            let key = (one.task, one.part);
            match (&one.finding, plan.tasks().get(one.task)) {
                (Finding::Claim(decided), Some(Task::Claims(claims))) => {
                    let claim = claims.claims.get(one.part as usize);
                    let (Some(claim), Some(holds)) = (claim, decided.holds) else {
                        continue;
                    };
                    let proven = self
                        .proven
                        .entry((one.task, claim.content.clone()))
                        .or_default();
                    let bound = &mut proven[usize::from(!holds)];
                    let is_more = bound.is_none_or(|(known, _)| (claim.margin > known) == holds);
                    if is_more {
                        *bound = Some((claim.margin, file));
                    }
                }
                (finding, _) => {
                    if let (Some(value), Entry::Vacant(place)) =
                        (value_of(finding), self.said.entry(key))
                    {
                        place.insert((value, file));
                    }
                }
            }
        }
    }

    /// The index of a file that contradicts a finding, and a text that says how.
    fn contradiction(&self, plan: &Plan, one: &Found) -> Option<(usize, String)> {
        match (&one.finding, plan.tasks().get(one.task)?) {
            (Finding::Claim(decided), Task::Claims(claims)) => {
                let (claim, holds) = (claims.claims.get(one.part as usize)?, decided.holds?);
                let proven = self.proven.get(&(one.task, claim.content.clone()))?;
                // If a margin is reached, no smaller or equal margin can fail; if it is not, no larger or equal margin can hold.
                let (margin, other) = proven[usize::from(holds)]?;
                let is_wrong = match holds {
                    true => margin <= claim.margin,
                    false => margin >= claim.margin,
                };
                let [here, there] =
                    [holds, !holds].map(|holds| if holds { "holds" } else { "fails" });
                is_wrong.then(|| {
                    let what =
                        format!("'{claim}' {here} here, and at least {margin:+} {there} there");
                    (other, what)
                })
            }
            (Finding::Margin(margin), _) => {
                let (known, other) = *self.said.get(&(one.task, one.part))?;
                (known != i64::from(*margin))
                    .then(|| (other, other_margin(one.part, *margin, known)))
            }
            (finding @ Finding::Game(_), _) => {
                let (known, other) = *self.said.get(&(one.task, one.part))?;
                (value_of(finding) != Some(known)).then(|| (other, other_judgement(one.part)))
            }
            _ => None,
        }
    }
}

/// The error for a piece and another file that cannot both be right.
pub(crate) fn contradicts(path: &Path, other: PathBuf, what: String) -> FileError {
    RIVAL_FILE.error(path, Contradiction { other, what })
}

/// Describes two different values of a book's position.
pub(crate) fn other_margin(part: u64, here: i32, there: i64) -> String {
    format!("position {part} of the book is worth {here:+} here and {there:+} there")
}

/// Describes two different judgements of a game.
pub(crate) fn other_judgement(part: u64) -> String {
    format!("they judge game {} differently", part + 1)
}

/// The value by which findings other than claims are compared.
fn value_of(finding: &Finding) -> Option<i64> {
    match finding {
        Finding::Claim(_) => None,
        Finding::Margin(margin) => Some(i64::from(*margin)),
        Finding::Game(kept) => Some(kept.fingerprint()),
    }
}
