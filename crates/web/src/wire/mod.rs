//! The JSON that goes over the wire, one file a subject. `API.md` describes it for people.

pub(crate) mod arena;
pub(crate) mod line;
pub(crate) mod live;
pub(crate) mod meta;
pub(crate) mod puzzle;
pub(crate) mod refusals;
pub(crate) mod setup;
pub(crate) mod socket;
pub(crate) mod state;
