//! Isolation: walk, block cells, be the last player who can move.
//!
//! ```text
//!       a b c d e
//!     1 1 . . . .        player 0 stands on a1
//!     2 x . . o .        x and o: cells the players left, blocked forever
//!     3 . . # o .        #: blocked, but left by no player
//!     4 . . . . 2        player 1 stands on e4
//! ```
//!
//! Four rules share one board of bits; a board of at most 64 cells is one `u64`, of at most 128 a
//! `u128`, and 16x16 is [`Wide256`].

mod bits;
mod cell;
mod geometry;
mod moves;
mod position;
mod rules;
mod setup;
mod spec;
mod story;
mod symmetry;

pub use bits::{Bits, Ones, Wide256};
pub use cell::Cell;
pub use moves::{IsolationMove, Moves};
pub use position::IsolationPosition;
pub use rules::Isolation;
pub use setup::{CellState, IsolationSetup};
pub use spec::{IsolationRule, IsolationSpec, MAX_SIDE};
pub use symmetry::{Essence, NOWHERE, Symmetries};
