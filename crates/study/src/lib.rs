//! Learning from games: lines of moves played through, positions analysed move by move, games judged, puzzles.
//!
//! Nothing here is drawn or sent anywhere, and every figure says whether it is proven.

mod line;

pub use line::{Line, LineError, LineVisitor, Played};
