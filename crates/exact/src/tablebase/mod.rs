//! Kalah tablebases: the exact future margin of every position with few seeds on the board.
//!
//! The *future margin* is what the player to move will bank from now on minus what the opponent will,
//! both playing best. It does not depend on the stores, lies between `-n` and `n` for `n` seeds in the
//! pits, and fits into a byte. One byte a position is all that is stored.

mod build;
mod file;
mod fill;
mod halved;
mod layout;
mod lookup;
mod numbering;
mod plan;
mod spec;
mod verify;

pub use build::{BuildError, building_memory};
pub use file::{FileInfo, file_size, table_path};
pub(crate) use halved::Coded;
pub use layout::position_count;
pub use lookup::Tablebase;
pub use spec::{MAX_TABLE_PITS, MAX_TABLE_SEEDS, TableSpec};
pub use verify::{Verified, VerifyError};
