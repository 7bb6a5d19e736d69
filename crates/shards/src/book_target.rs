//! The file of an opening book that is joined from pieces.

use crate::error::ShardError;
use crate::frontier::Frontier;
use kalahari_exact::book::{Book, BookBuild, Walk};
use kalahari_storage::FileError;
use std::path::Path;

/// A book, complete or still being built.
pub(crate) enum BookTarget {
    /// Not all positions are solved. Those that are lie beside the file, as `NAME.progress`.
    Building(BookBuild),
    /// The file exists and is complete.
    There { book: Box<Book>, walk: Walk },
}

impl BookTarget {
    /// The book in this file, or a new one that will be written there. A file with another game's book, or with a deeper book, is refused.
    pub(crate) fn open(path: &Path, frontier: &Frontier) -> Result<Self, ShardError> {
        let walk = frontier.walk()?;
        match Book::open(path, Some(frontier.game)) {
            Ok(book) if book.plies() == frontier.plies => {
                let book = Box::new(book);
                Ok(BookTarget::There { book, walk })
            }
            // The deeper book replaces it.
            Ok(book) if book.plies() < frontier.plies => Ok(Self::begin(walk, path)?),
            Ok(book) => Err(ShardError::DeeperBook {
                file: path.display().to_string(),
                there: book.plies(),
                wanted: frontier.plies,
            }),
            Err(error) if error.is_missing() => Ok(Self::begin(walk, path)?),
            Err(error) => Err(error.into()),
        }
    }

    fn begin(walk: Walk, path: &Path) -> Result<Self, FileError> {
        Ok(BookTarget::Building(BookBuild::begin(walk, path)?))
    }

    /// The future margin of a position, if it is known.
    pub(crate) fn known(&self, number: usize) -> Option<i32> {
        match self {
            BookTarget::Building(build) => build.known(number),
            BookTarget::There { book, walk } => {
                book.future_margin(walk.game(), walk.frontier().get(number)?)
            }
        }
    }

    /// Keeps a margin if none is known for the position. Returns whether it was new.
    pub(crate) fn add(&mut self, number: usize, margin: i32) -> Result<bool, FileError> {
        match self {
            BookTarget::Building(build) => build.add(number, margin),
            BookTarget::There { .. } => Ok(false),
        }
    }

    /// Writes the book if all its positions are solved.
    pub(crate) fn finish(self) -> Result<(), FileError> {
        match self {
            BookTarget::Building(build) if build.left() == 0 => build.finish().map(|_| ()),
            BookTarget::Building(_) | BookTarget::There { .. } => Ok(()),
        }
    }
}
