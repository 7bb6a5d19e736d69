//! The opening books that are part of the program.

use super::lookup::Book;
use kalahari_games::kalah::KalahSpec;
use kalahari_storage::FileError;
use std::path::Path;

/// A game and the content of a file of the folder `books` of this crate.
macro_rules! shipped {
    ($game:literal, $file:literal) => {
        ($game, include_bytes!(concat!("../../books/", $file)))
    };
}

const SHIPPED: &[(&str, &[u8])] = &[
    shipped!("kalah:6x4:standard", "kalah-6x4-standard.book"),
    shipped!("kalah:6x4:empty-capture", "kalah-6x4-empty-capture.book"),
    shipped!("kalah:6x4:pre-move-empty", "kalah-6x4-pre-move-empty.book"),
    shipped!("kalah:6x5:standard", "kalah-6x5-standard.book"),
];

/// The games for which a book is part of the program.
pub fn shipped_books() -> impl Iterator<Item = KalahSpec> {
    SHIPPED.iter().filter_map(|(game, _)| game.parse().ok())
}

/// The program's book of a game, if there is one.
pub(crate) fn shipped_book(game: KalahSpec) -> Result<Option<Book>, FileError> {
    let wanted = game.to_string();
    let Some((_, bytes)) = SHIPPED.iter().find(|(name, _)| *name == wanted) else {
        return Ok(None);
    };
    let name = format!("the program's book of {game}");
    Book::read(Path::new(&name), bytes, Some(game)).map(Some)
}
