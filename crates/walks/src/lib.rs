//! Longest walks: what Isolation becomes once the pieces are separated.
//!
//! ```text
//!     1 . # . .        Nobody can reach a cell of the other side any more. Player 0 has four
//!     . . # . .        cells to walk over, player 1 eight: how long each can walk is all
//!     . # o . .        that is left of the game.
//!     # x # 2 .
//! ```
//!
//! From then on neither piece can disturb the other: in `trail` the final margin is the lead plus the difference of
//! the two longest walks; in `queen` and `knight` the mover wins exactly when their longest walk is longer than the
//! opponent's. In `classic` a player can remove cells of the other's side, so none of this holds there.
//!
//! [`Walks`] finds longest walks or bounds of them, [`Endgame`] turns them into final margins. Both stop when they are
//! told to and return what is proven by then.

#![forbid(unsafe_code)]

mod blocks;
mod endgame;
mod memo;
mod walks;

pub use endgame::{Endgame, Sides};
pub use walks::{Span, Walks};
