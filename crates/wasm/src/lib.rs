//! What is behind the page where there is no server: a request in, frames out, in the shapes of `kalahari-wire`.
//!
//! [`Room::hear`] is the one function. It has no rules, sentences or searches itself: questions are answered by
//! `wire`, thoughts by `agents` and `study`, and `wire` turns what they find into frames. A browser's worker calls it through
//! the `border`, which exists only there.
//!
//! A worker receives no messages during a call. So an analysis is made of short slices: [`Request::Step`] does one of them, and
//! messages are read in between. A move, a hint or a review is one call; a page that cannot wait for it ends the worker.

mod desk;
mod questions;
mod request;
mod room;

#[cfg(target_family = "wasm")]
mod border;

pub use questions::Ask as QuestionAsked;
pub use request::{Heard, Request};
pub use room::{Outside, Room};
