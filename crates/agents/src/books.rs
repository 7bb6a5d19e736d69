//! Opening books: those that come with the program, and those on this machine.

use kalahari_exact::book::{Book, BookFileError, book_path};
use kalahari_exact::tablebase::data_home;
use kalahari_games::kalah::KalahSpec;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A game and the content of a file of the folder `books` of the repository.
macro_rules! shipped {
    ($game:literal, $file:literal) => {
        ($game, include_bytes!(concat!("../../../books/", $file)))
    };
}

/// The books that are part of the program.
const SHIPPED: &[(&str, &[u8])] = &[
    shipped!("kalah:6x4:standard", "kalah-6x4-standard.book"),
    shipped!("kalah:6x4:empty-capture", "kalah-6x4-empty-capture.book"),
    shipped!("kalah:6x4:pre-move-empty", "kalah-6x4-pre-move-empty.book"),
    shipped!("kalah:6x5:standard", "kalah-6x5-standard.book"),
];

/// Where a book is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookPlace {
    /// In a file of the user's.
    File(PathBuf),
    /// In the program.
    Shipped,
}

/// The opening book of a game, if there is one: the user's own or the one that comes with the program, whichever has
/// more plies. A game with the end by majority has its base rule's. Each is read once. The error is a line that names
/// the file.
pub fn opening_book(game: KalahSpec) -> Result<Option<(Arc<Book>, BookPlace)>, String> {
    type Open = HashMap<String, (Arc<Book>, BookPlace)>;
    static OPEN: Mutex<Option<Open>> = Mutex::new(None);
    let game = game.with_majority(false);
    let own = data_home().map(|home| book_path(&home, game));
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let open = open.get_or_insert_default();
    let key = format!("{game} {own:?}");
    if let Some((book, place)) = open.get(&key) {
        return Ok(Some((Arc::clone(book), place.clone())));
    }
    let own = match own {
        Some(path) => own_book(&path, game)?.map(|book| (book, BookPlace::File(path))),
        None => None,
    };
    let shipped = shipped_book(game)?.map(|book| (book, BookPlace::Shipped));
    // Of equals the last.
    let found = [shipped, own].into_iter().flatten();
    let found = found.max_by_key(|(book, _)| book.plies());
    Ok(found.map(|(book, place)| {
        let found = (Arc::new(book), place);
        open.insert(key, (Arc::clone(&found.0), found.1.clone()));
        found
    }))
}

/// The games for which a book comes with the program.
pub fn shipped_books() -> impl Iterator<Item = KalahSpec> {
    SHIPPED.iter().filter_map(|(game, _)| game.parse().ok())
}

fn own_book(path: &Path, game: KalahSpec) -> Result<Option<Book>, String> {
    match Book::open(path, Some(game)) {
        Ok(book) => Ok(Some(book)),
        Err(BookFileError::Missing { .. }) => Ok(None),
        Err(error) => Err(format!("{error}; delete the file or build it again")),
    }
}

fn shipped_book(game: KalahSpec) -> Result<Option<Book>, String> {
    let wanted = game.to_string();
    let Some((_, bytes)) = SHIPPED.iter().find(|(name, _)| *name == wanted) else {
        return Ok(None);
    };
    let name = PathBuf::from(format!("the program's book of {game}"));
    let book = Book::read(&name, bytes, Some(game));
    book.map(Some).map_err(|error| error.to_string())
}
