//! The handlers of requests, one file per subject.

pub(crate) mod arena;
pub(crate) mod invite;
pub(crate) mod line;
pub(crate) mod live;
pub(crate) mod meta;
pub(crate) mod puzzles;
pub(crate) mod rooms;
pub(crate) mod setup;
