//! Opening books of proven values: the exact future margin of every position near the start of a game.
//!
//! A book of K plies knows every position that can be reached from the start in at most K moves; a move that
//! earns an extra turn counts like any other. Stores and the player's name are left out, so transpositions
//! are one position. Only the *frontier* has to be solved and stored: the positions that take exactly K moves
//! to reach. The value of every other position follows from those of its moves. Positions are not stored,
//! either: [`Walk`] meets them in a fixed order, and a file is the list of the frontier's values in that order.
//!
//! Where exact values would take too long, [`ProvenBounds`] keeps proven bounds of single positions.

mod bounds;
mod build;
mod file;
mod journal;
mod lookup;
mod shipped;
mod verify;
mod walk;

pub use bounds::{Contradiction, NoSuchBound, ProvenBounds, bounds_path};
pub use build::{BookBuild, BookBuildError, solve_frontier};
pub use file::{BookInfo, book_path};
pub use lookup::Book;
pub(crate) use shipped::{shipped_book, shipped_bounds};
pub use shipped::{shipped_books, shipped_books_of_bounds};
pub use verify::{BookVerifyError, verify};
pub use walk::{MOST_BOOK_PLIES, MOST_BOOK_POSITIONS, Walk, WalkError};
