//! What the page asks and the answers that it gets, as data: positions, steps, values and reasons. The page makes its own sentences; only
//! a refusal also has one, in English, for clients other than the page. Both back ends of the page, a server and a worker in the
//! browser, answer in these shapes; `crates/web/API.md` describes them for people.
//!
//! Questions that need no search are answered here ([`line::read`], [`setup::read`], [`puzzle`]). What a search has
//! found becomes frames in [`found`], and [`work`] is what a search is asked for and which frames answer it.

#![forbid(unsafe_code)]

mod figures;
pub mod found;
pub mod frames;
pub mod line;
pub mod meta;
pub mod opponents;
mod paste;
mod problem;
pub mod puzzle;
mod record;
pub mod room;
pub mod setup;
pub mod show;
pub mod state;
mod who;
pub mod work;

pub use figures::{AxisMark, Figure, Unit};
pub use problem::{Problem, WireResult};
pub use who::Who;
