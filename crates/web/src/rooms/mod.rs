//! Rooms: two people at two devices play one game, and others watch.

mod clock;
mod hall;
mod keep;
mod name;
mod room;

pub(crate) use hall::{Hall, Watching};
pub use keep::KeepError;
pub(crate) use keep::{Keep, Kept, read as read_kept};
pub(crate) use room::Deed;
