//! Builds books: solves the frontier, position by position, and can be stopped at any time.

use super::file::{BookFileError, damaged};
use super::journal::Journal;
use super::lookup::Book;
use super::walk::Walk;
use crate::kalah::Solver;
use kalahari_games::kalah::{Board, Packed};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// How far a build has come; shared between the builder and who watches it.
#[derive(Debug, Default)]
pub struct BookProgress {
    solved: AtomicUsize,
    stop: AtomicBool,
}

impl BookProgress {
    /// Positions solved so far by this build.
    pub fn solved(&self) -> usize {
        self.solved.load(Ordering::Relaxed)
    }

    /// Asks the build to stop. What is solved is kept.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
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
    pub fn begin(walk: Walk, path: &Path) -> Result<Self, BookFileError> {
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

    /// Solves what is left, a position a thread, all with the same solver, whose own threads should be one.
    /// Returns `true` when nothing is left, `false` when it was stopped.
    pub fn run(
        &mut self,
        solver: &Solver<Packed>,
        threads: usize,
        progress: &BookProgress,
    ) -> Result<bool, BookFileError> {
        let (walk, journal, values) = (&self.walk, &mut self.journal, &mut self.values);
        let left: Vec<usize> = (0..values.len()).filter(|&i| values[i].is_none()).collect();
        let next = AtomicUsize::new(0);
        let stop = &progress.stop;
        let work = |solved: mpsc::Sender<(usize, u8)>| {
            while let Some(&number) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Some(value) = value_byte(solver, &walk.frontier()[number], stop) else {
                    return;
                };
                if solved.send((number, value)).is_err() {
                    return;
                }
            }
        };
        let written = std::thread::scope(|scope| {
            let (sender, solved) = mpsc::channel();
            for _ in 0..threads.max(1) {
                let sender = sender.clone();
                scope.spawn(|| work(sender));
            }
            drop(sender);
            for (number, value) in solved {
                if let Err(error) = journal.add(number as u32, value) {
                    // Nothing that is solved now could be kept.
                    progress.stop();
                    return Err(error);
                }
                values[number] = Some(value);
                progress.solved.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        });
        written?;
        Ok(self.left() == 0)
    }

    /// Writes the book and deletes the file of the build's progress. Nothing may be left to solve.
    pub fn finish(self) -> Result<Book, BookFileError> {
        let values: Option<Vec<u8>> = self.values.into_iter().collect();
        let book = values.and_then(|values| Book::of_bytes(&self.walk, values));
        let book = book.ok_or_else(|| damaged(&self.path, "not every position is solved"))?;
        book.save(&self.path)?;
        self.journal.remove()?;
        Ok(book)
    }
}

/// What a file keeps of a position: half of its future margin plus its seeds; `None` if stopped.
fn value_byte(solver: &Solver<Packed>, position: &Packed, stop: &AtomicBool) -> Option<u8> {
    let bounds = solver.margin(position, stop, &mut |_| ());
    let future = bounds.exact()? - solver.game().store_margin(position);
    u8::try_from((future + position.seeds_in_play() as i32) / 2).ok()
}
