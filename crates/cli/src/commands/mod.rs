//! One file a command.

pub(crate) mod games;
pub(crate) mod perft;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tablebase;
