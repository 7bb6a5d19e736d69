//! Learning from games: lines of moves played through, positions analysed move by move, games judged, puzzles.
//!
//! Nothing here is drawn or sent anywhere, and every figure says whether it is proven.

mod analysis;
mod line;
pub mod puzzle;
mod review;
pub mod turnstile;
mod value;

pub use analysis::{Analysis, Deepened, MoveValue};
pub use line::{Line, LineError, LineVisitor, Played};
pub use review::{JudgedMove, Judgement, Review, review};
pub use value::{Measure, Value};
