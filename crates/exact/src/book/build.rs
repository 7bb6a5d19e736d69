//! Builds books: solves the frontier, position by position, and can be stopped at any time.

use super::file::damaged;
use super::journal::Journal;
use super::lookup::Book;
use super::walk::Walk;
use crate::Watch;
use crate::prover::{Proof, Prover, ProverError, Wanted};
use kalahari_games::kalah::{Board, Kalah, Packed};
use kalahari_games::{AnyPosition, Typed};
use kalahari_storage::FileError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a build failed.
#[derive(Debug, Error)]
pub enum BookBuildError {
    /// What is solved cannot be kept.
    #[error(transparent)]
    File(#[from] FileError),
    /// Nothing can be solved.
    #[error(transparent)]
    Prover(#[from] ProverError),
}

/// A build under way. What it has solved is in a file beside the book's, `NAME.progress`, at any time.
#[derive(Debug)]
pub struct BookBuild {
    walk: Walk,
    path: PathBuf,
    journal: Journal,
    values: Vec<Option<u8>>,
    damaged: usize,
}

impl BookBuild {
    /// Begins to build the book of a walk as this file, or goes on where an earlier build stopped.
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

    /// Records of an earlier build that were not whole; what they were about is solved again.
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
        let erase = |&number: &usize| Kalah::<Packed>::erase_position(walk.frontier()[number]);
        let positions: Vec<AnyPosition> = left.iter().map(erase).collect();
        let mut failure = None;
        let mut keep = |place: usize, proof: Proof| {
            let number = left[place];
            let Some(value) = value_byte(walk, &walk.frontier()[number], &proof) else {
                return ControlFlow::Continue(());
            };
            if let Err(error) = journal.add(number as u32, value) {
                // Nothing that is solved now could be kept.
                failure = Some(error);
                return ControlFlow::Break(());
            }
            values[number] = Some(value);
            (watch.done)(1);
            ControlFlow::Continue(())
        };
        prover.prove_all(&positions, at_once, &Wanted::VALUE, watch.stop, &mut keep)?;
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(self.left() == 0),
        }
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

/// What a file keeps of a position: half of its future margin plus its seeds; `None` if it is not proven.
fn value_byte(walk: &Walk, position: &Packed, proof: &Proof) -> Option<u8> {
    let future = proof.bounds.exact()? - walk.game().store_margin(position);
    u8::try_from((future + position.seeds_in_play() as i32) / 2).ok()
}
