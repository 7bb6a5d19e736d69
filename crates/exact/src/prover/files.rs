//! Tablebases and books, each opened once.

use super::ProverError;
use super::notice::{tell_of_home, tell_of_table};
use super::tables::{TablePolicy, automatic_seeds, table_policy};
use crate::book::{Book, ProvenBounds, book_path, bounds_path, shipped_book, shipped_bounds};
use crate::tablebase::{TableSpec, Tablebase, file_size, table_path};
use kalahari_games::kalah::KalahSpec;
use kalahari_storage::{Damage, FileError, Trouble};
use std::collections::HashMap;
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Where a book is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookPlace {
    /// In one of the user's files.
    File(PathBuf),
    /// In the program.
    Shipped,
}

/// Tells a file from one that has replaced it.
type Stamp = (u64, Option<SystemTime>);

fn stamp(path: &Path) -> Option<Stamp> {
    let about = fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()))
}

/// Files that have been opened and checked.
struct Opened<T>(Mutex<Option<ByPath<T>>>);
type ByPath<T> = HashMap<PathBuf, (Stamp, Arc<T>)>;

impl<T> Opened<T> {
    const fn new() -> Self {
        Opened(Mutex::new(None))
    }

    /// The content of a file; `None` if there is no such file. It is opened again only if it has changed since.
    fn get<E>(
        &self,
        path: &Path,
        open: impl FnOnce(&Path) -> Result<Option<T>, E>,
    ) -> Result<Option<Arc<T>>, E> {
        let Some(stamp) = stamp(path) else {
            return open(path).map(|found| found.map(Arc::new));
        };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = all.get_or_insert_default();
        if let Some((known, content)) = all.get(path)
            && *known == stamp
        {
            return Ok(Some(Arc::clone(content)));
        }
        let content = open(path)?.map(Arc::new);
        if let Some(content) = &content {
            all.insert(path.to_owned(), (stamp, Arc::clone(content)));
        }
        Ok(content)
    }
}

/// Content that is part of the program, read once.
struct Shipped<T>(Mutex<Option<HashMap<KalahSpec, Arc<T>>>>);

impl<T> Shipped<T> {
    const fn new() -> Self {
        Shipped(Mutex::new(None))
    }

    /// What the program has for a game, if anything.
    fn get(
        &self,
        game: KalahSpec,
        read: impl FnOnce(KalahSpec) -> Result<Option<T>, FileError>,
    ) -> Result<Option<Arc<T>>, FileError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = all.get_or_insert_default();
        if let Some(known) = all.get(&game) {
            return Ok(Some(Arc::clone(known)));
        }
        let content = read(game)?.map(Arc::new);
        if let Some(content) = &content {
            all.insert(game, Arc::clone(content));
        }
        Ok(content)
    }
}

/// What was found in the place of a tablebase.
#[derive(Clone)]
pub(super) enum TableFile {
    /// A tablebase.
    Whole(Arc<Tablebase>),
    /// A damaged one, no larger than those that are built automatically: nothing is lost if a new one takes its place.
    Replaceable,
    /// A file that cannot be used, but that its owner may still want.
    Kept,
}

impl TableFile {
    /// How to treat a file that cannot be used.
    fn refused(spec: TableSpec, error: &FileError) -> Self {
        let Trouble::Damaged(damage) = &error.trouble else {
            return TableFile::Kept;
        };
        let found = fs::metadata(&error.path).map_or(u64::MAX, |about| about.len());
        let size = match damage {
            Damage::Length { expected, .. } => found.max(*expected),
            _ => found,
        };
        match file_size(spec, automatic_seeds(spec)) {
            Some(most) if size <= most => TableFile::Replaceable,
            _ => TableFile::Kept,
        }
    }
}

/// What is in the place of a family's tablebase; `None` if there is nothing, or the program uses none. A file that cannot be
/// used is [reported](super::Notice) once and then ignored: every value in it can be found in another way.
pub(super) fn table_file(home: &Path, spec: TableSpec) -> Option<TableFile> {
    static OPENED: Opened<TableFile> = Opened::new();
    if table_policy() == TablePolicy::Never {
        return None;
    }
    let open = |path: &Path| match Tablebase::open(path, Some(spec)) {
        Ok(table) => Ok::<_, Infallible>(Some(TableFile::Whole(Arc::new(table)))),
        Err(error) if error.is_missing() => Ok(None),
        // It is read again only after it has changed.
        Err(error) => {
            let file = TableFile::refused(spec, &error);
            let is_replaced =
                matches!(file, TableFile::Replaceable) && table_policy() == TablePolicy::Build;
            tell_of_table(home, spec, &error, is_replaced);
            Ok(Some(file))
        }
    };
    let Ok(found) = OPENED.get(&table_path(home, spec), open);
    found.map(|found| TableFile::clone(&found))
}

/// The tablebase on disk for a family of games, if there is one that can be used.
pub(super) fn tablebase_on_disk(home: &Path, spec: TableSpec) -> Option<Arc<Tablebase>> {
    match table_file(home, spec)? {
        TableFile::Whole(table) => Some(table),
        TableFile::Replaceable | TableFile::Kept => None,
    }
}

/// The opening book of a game, if there is one: the user's own under this home directory or the one that is part of the
/// program, whichever has more plies, and where it is. A game with the end by majority has its base rule's.
pub fn opening_book(
    game: KalahSpec,
    home: Option<&Path>,
) -> Result<Option<(Arc<Book>, BookPlace)>, ProverError> {
    let game = game.with_majority(false);
    let own = match home {
        Some(home) => {
            let path = book_path(home, game);
            let own = or_told(home, own_book(&path, game))?;
            own.map(|book| (book, BookPlace::File(path)))
        }
        None => None,
    };
    static SHIPPED: Shipped<Book> = Shipped::new();
    let shipped = SHIPPED.get(game, shipped_book)?;
    let shipped = shipped.map(|book| (book, BookPlace::Shipped));
    // If both have the same number of plies, `max_by_key` takes the last one: the user's own.
    let found = [shipped, own].into_iter().flatten();
    Ok(found.max_by_key(|(book, _)| book.plies()))
}

/// The bounds that long proofs have shown for a game's positions, if there are any: the user's own under this home directory
/// together with those that are part of the program. A game with the end by majority has its base rule's.
pub fn proven_bounds(
    game: KalahSpec,
    home: Option<&Path>,
) -> Result<Option<Arc<ProvenBounds>>, ProverError> {
    static OPENED: Opened<ProvenBounds> = Opened::new();
    static SHIPPED: Shipped<ProvenBounds> = Shipped::new();
    let game = game.with_majority(false);
    let shipped = SHIPPED.get(game, shipped_bounds)?;
    let open = |path: &Path| match ProvenBounds::open(path, Some(game)) {
        Ok(mut own) => {
            if let Some(shipped) = &shipped {
                // The user's own bounds take precedence.
                let _ = own.add_all(shipped);
            }
            Ok(Some(own))
        }
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(error),
    };
    let own = match home {
        Some(home) => or_told(home, OPENED.get(&bounds_path(home, game), open))?,
        None => None,
    };
    Ok(own.or(shipped))
}

/// What was found under a home directory. If nothing can be read there at all, that is reported, and the program continues as if
/// there were no book.
fn or_told<T>(home: &Path, found: Result<Option<T>, FileError>) -> Result<Option<T>, FileError> {
    match found {
        Err(FileError {
            trouble: Trouble::Io(problem),
            ..
        }) => {
            tell_of_home(home, &problem);
            Ok(None)
        }
        found => found,
    }
}

fn own_book(path: &Path, game: KalahSpec) -> Result<Option<Arc<Book>>, FileError> {
    static OPENED: Opened<Book> = Opened::new();
    let open = |path: &Path| match Book::open(path, Some(game)) {
        Ok(book) => Ok(Some(book)),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(error),
    };
    OPENED.get(path, open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_terms::Stop;

    #[test]
    fn a_file_is_opened_once_until_another_takes_its_place() {
        let home = tempfile::tempdir().expect("a directory");
        let spec: TableSpec = "kalah:3".parse().expect("a family");
        let open = || tablebase_on_disk(home.path(), spec);
        assert!(open().is_none());
        let save = |seeds| {
            let built = Tablebase::build(spec, seeds, &Stop::new()).expect("built");
            let path = table_path(home.path(), spec);
            built.save(&path).expect("saved");
        };
        save(6);
        let first = open().expect("there");
        assert!(Arc::ptr_eq(&first, &open().expect("there")));
        save(8);
        assert_eq!(
            (first.seeds(), open().map(|table| table.seeds())),
            (6, Some(8))
        );
    }

    #[test]
    fn the_deeper_book_is_taken() {
        let game: KalahSpec = "kalah:6x4:standard+majority".parse().expect("a game");
        let (book, place) = opening_book(game, None).expect("whole").expect("shipped");
        assert_eq!((book.plies(), place), (5, BookPlace::Shipped));
        let home = tempfile::tempdir().expect("a directory");
        let path = book_path(home.path(), game.with_majority(false));
        book.save(&path).expect("saved");
        let (_, place) = opening_book(game, Some(home.path()))
            .expect("whole")
            .expect("there");
        assert_eq!(place, BookPlace::File(path.clone()));
        fs::write(&path, b"no book").expect("written");
        let error = opening_book(game, Some(home.path()))
            .expect_err("refused")
            .to_string();
        assert!(error.contains("not a book; delete the file"), "{error}");
    }
}
