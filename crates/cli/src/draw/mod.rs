//! Boards drawn in plain text.

mod isolation;
mod kalah;

pub(crate) use isolation::isolation;
pub(crate) use kalah::kalah;
