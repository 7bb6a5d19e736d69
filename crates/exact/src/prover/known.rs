//! Proven values that need no search, for searches to look up.

use super::ProverError;
use super::files::opening_book;
use super::tables::{TablePolicy, TableSlot, table_for_play, table_policy};
use crate::book::Book;
use crate::tablebase::TableSpec;
use kalahari_games::kalah::{Board, Kalah, KalahSpec};
use std::path::Path;
use std::sync::Arc;

/// Which sources of proven values a search may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The tablebase on disk.
    pub tablebase: bool,
    /// The opening book.
    pub book: bool,
}

impl Sources {
    /// All there are.
    pub const ALL: Sources = Sources {
        tablebase: true,
        book: true,
    };
}

/// The final margins of Kalah positions that a tablebase on disk or an opening book knows.
#[derive(Clone, Debug)]
pub struct KnownValues {
    book: Option<Arc<Book>>,
    /// Empty where none is used; it may be filled later.
    tablebase: TableSlot,
}

impl KnownValues {
    /// What is known about a game's positions; `None` if nothing is. With the end by majority nothing is known, since final
    /// margins differ there. Files are looked for under `home`; without one, only the program's own books are used.
    pub fn open(
        game: KalahSpec,
        sources: Sources,
        home: Option<&Path>,
    ) -> Result<Option<Self>, ProverError> {
        if game.majority() {
            return Ok(None);
        }
        let family = TableSpec::of_game(game).filter(|_| sources.tablebase);
        let tablebase = match family {
            Some(family) => table_for_play(home, family),
            None => TableSlot::default(),
        };
        let may_come = family.is_some() && table_policy() == TablePolicy::Build;
        let book = match sources.book {
            true => opening_book(game, home)?.map(|(book, _)| book),
            false => None,
        };
        let known = KnownValues { book, tablebase };
        let knows = known.book.is_some() || known.tablebase.get().is_some() || may_come;
        Ok(knows.then_some(known))
    }

    /// The final margin of a position as its mover sees it, if it is known.
    #[inline]
    pub fn margin<B: Board>(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        if let Some(book) = &self.book
            && let Some(margin) = book.final_margin(game, position)
        {
            return Some(margin);
        }
        let tablebase = self.tablebase.get()?;
        if position.seeds_in_play() as usize > tablebase.seeds() {
            return None;
        }
        tablebase.final_margin(game, position)
    }

    /// The tablebase, which may become available later.
    pub fn tablebase(&self) -> &TableSlot {
        &self.tablebase
    }

    /// Whether lookups pay off in a search below `root`. A tablebase may be hit anywhere, but a book helps only if it knows
    /// every move of the root, and then the search is soon done. Otherwise use the values
    /// [without the book](KnownValues::without_book).
    pub fn knows_below<B: Board>(&self, game: &Kalah<B>, root: &B) -> bool {
        match &self.book {
            Some(book) => book.moves(game, root).is_some(),
            None => self.tablebase.get().is_some(),
        }
    }

    /// The same without the book.
    #[must_use]
    pub fn without_book(&self) -> Self {
        KnownValues {
            book: None,
            tablebase: self.tablebase.clone(),
        }
    }
}
