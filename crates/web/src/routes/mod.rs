//! The handlers of requests, one file a subject.

pub(crate) mod line;
pub(crate) mod meta;
pub(crate) mod setup;
