//! Builds books: solves the frontier, position by position, and can be stopped at any time. Values that others have proven can
//! be added, too.

use super::file::damaged;
use super::journal::Journal;
use super::lookup::Book;
use super::walk::Walk;
use crate::Watch;
use crate::prover::{Proof, Prover, ProverError, Wanted};
use kalahari_games::kalah::{Board, Kalah, Packed};
use kalahari_games::{AnyPosition, Typed};
use kalahari_storage::FileError;
use kalahari_terms::Stop;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a build failed.
#[derive(Debug, Error)]
pub enum BookBuildError {
    /// Solved values cannot be saved.
    #[error(transparent)]
    File(#[from] FileError),
    /// Nothing can be solved.
    #[error(transparent)]
    Prover(#[from] ProverError),
}

/// A build in progress. Everything it has solved is always in a file next to the book's, `NAME.progress`.
#[derive(Debug)]
pub struct BookBuild {
    walk: Walk,
    path: PathBuf,
    journal: Journal,
    values: Vec<Option<u8>>,
    damaged: usize,
}

impl BookBuild {
    /// Begins to build the book of a walk as this file, or continues where an earlier build stopped.
    pub fn begin(walk: Walk, path: &Path) -> Result<Self, FileError> {
        let (journal, known) = Journal::open(&Journal::path_of(path), &walk)?;
        Ok(BookBuild {
            walk,
            path: path.to_owned(),
            journal,
            values: known.values,
            damaged: known.damaged,
        })
    }

    /// The positions that the book will have.
    pub fn walk(&self) -> &Walk {
        &self.walk
    }

    /// How many positions have still to be solved.
    pub fn left(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// The number of damaged records of an earlier build; their positions are solved again.
    pub fn damaged_records(&self) -> usize {
        self.damaged
    }

    /// Solves what is left, `at_once` positions at the same time. The prover is one of the walk's game that uses no book.
    /// Returns `true` when nothing is left, `false` when it was stopped.
    pub fn run(
        &mut self,
        prover: &mut Prover,
        at_once: usize,
        watch: Watch<'_>,
    ) -> Result<bool, BookBuildError> {
        let (walk, journal, values) = (&self.walk, &mut self.journal, &mut self.values);
        let left: Vec<usize> = (0..values.len()).filter(|&i| values[i].is_none()).collect();
        let mut failure = None;
        let mut keep = |number: usize, margin: i32| {
            let Some(value) = value_byte(&walk.frontier()[number], margin) else {
                return ControlFlow::Continue(());
            };
            if let Err(error) = journal.add(number as u32, value) {
                // Nothing solved from now on could be saved.
                failure = Some(error);
                return ControlFlow::Break(());
            }
            values[number] = Some(value);
            (watch.done)(1);
            ControlFlow::Continue(())
        };
        solve_frontier(walk, &left, prover, at_once, watch.stop, &mut keep)?;
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(self.left() == 0),
        }
    }

    /// Whether a position of the frontier can have this future margin, as its mover sees it, given its seeds and what is known
    /// about it.
    pub fn agrees(&self, number: usize, margin: i32) -> bool {
        let known = self.known(number);
        self.walk.allows(number, margin) && known.is_none_or(|known| known == margin)
    }

    /// The future margin of a position of the frontier, as its mover sees it, if it is solved.
    pub fn known(&self, number: usize) -> Option<i32> {
        let seeds = self.walk.frontier().get(number)?.seeds_in_play() as i32;
        let value = (*self.values.get(number)?)?;
        Some(2 * i32::from(value) - seeds)
    }

    /// Saves the future margin of a position of the frontier that was proven elsewhere. Returns whether it is new; one that
    /// does not [agree](Self::agrees) is not saved.
    pub fn add(&mut self, number: usize, margin: i32) -> Result<bool, FileError> {
        if !self.agrees(number, margin) || self.values[number].is_some() {
            return Ok(false);
        }
        let Some(value) = value_byte(&self.walk.frontier()[number], margin) else {
            return Ok(false);
        };
        self.journal.add(number as u32, value)?;
        self.values[number] = Some(value);
        Ok(true)
    }

    /// Writes the book and deletes the file of the build's progress. Nothing may be left to solve.
    pub fn finish(self) -> Result<Book, FileError> {
        let values: Option<Vec<u8>> = self.values.into_iter().collect();
        let book = values.and_then(|values| Book::of_bytes(&self.walk, values));
        let book = book.ok_or_else(|| damaged(&self.path, "not every position is solved"))?;
        book.save(&self.path)?;
        self.journal.remove()?;
        Ok(book)
    }
}

/// Solves some positions of a walk's frontier, `at_once` at the same time, and passes their numbers and their future margins,
/// as their movers see them, to `each` in the order in which they are solved. The prover is one of the walk's game that uses
/// no book. `each` may end it, and so may `stop`.
pub fn solve_frontier(
    walk: &Walk,
    numbers: &[usize],
    prover: &mut Prover,
    at_once: usize,
    stop: &Stop,
    each: &mut dyn FnMut(usize, i32) -> ControlFlow<()>,
) -> Result<(), ProverError> {
    let numbers: Vec<usize> = numbers
        .iter()
        .copied()
        .filter(|&number| number < walk.frontier().len())
        .collect();
    let erase = |&number: &usize| Kalah::<Packed>::erase_position(walk.frontier()[number]);
    let positions: Vec<AnyPosition> = numbers.iter().map(erase).collect();
    let mut hear = |place: usize, proof: Proof| {
        let number = numbers[place];
        match proof.bounds.exact() {
            Some(value) => {
                let lead = walk.game().store_margin(&walk.frontier()[number]);
                each(number, value - lead)
            }
            None => ControlFlow::Continue(()),
        }
    };
    prover.prove_all(&positions, at_once, &Wanted::VALUE, stop, &mut hear)?;
    Ok(())
}

impl Walk {
    /// Whether a position of the frontier can have this future margin, as its mover sees it, given its seeds.
    pub fn allows(&self, number: usize, margin: i32) -> bool {
        let position = self.frontier().get(number);
        position.is_some_and(|position| value_byte(position, margin).is_some())
    }
}

/// The byte of a position in a file: half the sum of its future margin and its seeds; `None` if it cannot have this margin.
fn value_byte(position: &Packed, margin: i32) -> Option<u8> {
    let seeds = i32::try_from(position.seeds_in_play()).ok()?;
    let sum = margin.checked_add(seeds)?;
    let is_possible = margin.checked_abs()? <= seeds && sum % 2 == 0;
    is_possible.then(|| u8::try_from(sum / 2).ok()).flatten()
}
