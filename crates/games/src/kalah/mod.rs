//! Kalah: sow, bank, capture, move again.
//!
//! ```text
//!         12  11  10   9   8   7         player 1's pits, sown right to left on the page
//!    13                            6     13 = player 1's store, 6 = player 0's store
//!          0   1   2   3   4   5         player 0's pits
//! ```
//!
//! [`Kalah`] is the game, over one of two boards: [`Packed`] (bytes in two words, up to 7 pits and
//! 255 seeds) or [`Wide`] (everything else). Both lay the houses out as the mover sees them.

mod board;
mod packed;
mod pit;
mod ranking;
mod rules;
mod setup;
mod spec;
mod story;
mod wide;

pub use board::{Board, Shelf, Side};
pub use packed::Packed;
pub use pit::Pit;
pub use ranking::{Ranker, Ranking};
pub use rules::{Effect, Kalah};
pub use setup::KalahSetup;
pub use spec::{CaptureRule, KalahSpec, MAX_PITS, MAX_SEEDS, MAX_TOTAL};
pub use wide::Wide;
