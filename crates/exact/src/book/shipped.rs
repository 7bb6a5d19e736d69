//! The opening books that are part of the program.

use super::bounds::ProvenBounds;
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

const SHIPPED_BOUNDS: &[(&str, &[u8])] =
    &[shipped!("kalah:6x6:standard", "kalah-6x6-standard.bounds")];

/// The games for which a book of bounds is part of the program.
pub fn shipped_books_of_bounds() -> impl Iterator<Item = KalahSpec> {
    SHIPPED_BOUNDS
        .iter()
        .filter_map(|(game, _)| game.parse().ok())
}

/// The program's book of bounds of a game, if there is one.
pub(crate) fn shipped_bounds(game: KalahSpec) -> Result<Option<ProvenBounds>, FileError> {
    let Some(bytes) = content(SHIPPED_BOUNDS, game) else {
        return Ok(None);
    };
    let name = format!("the program's bounds of {game}");
    ProvenBounds::read(Path::new(&name), bytes, Some(game)).map(Some)
}

/// The content shipped for a game.
fn content(
    shipped: &'static [(&'static str, &'static [u8])],
    game: KalahSpec,
) -> Option<&'static [u8]> {
    let wanted = game.to_string();
    let found = shipped.iter().find(|(name, _)| *name == wanted);
    found.map(|(_, bytes)| *bytes)
}

/// The games for which a book is part of the program.
pub fn shipped_books() -> impl Iterator<Item = KalahSpec> {
    SHIPPED.iter().filter_map(|(game, _)| game.parse().ok())
}

/// The program's book of a game, if there is one.
pub(crate) fn shipped_book(game: KalahSpec) -> Result<Option<Book>, FileError> {
    let Some(bytes) = content(SHIPPED, game) else {
        return Ok(None);
    };
    let name = format!("the program's book of {game}");
    Book::read(Path::new(&name), bytes, Some(game)).map(Some)
}
