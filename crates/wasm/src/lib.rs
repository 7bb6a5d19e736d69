//! What stands behind the page where there is no server: a request in, frames out, in the shapes of `kalahari-wire`.
//!
//! [`Room::hear`] is the one function. It knows no rule, no sentence and no search of its own: questions are answered by
//! `wire`, thoughts by `agents` and `study`, what is said of them again by `wire`. A browser's worker calls it through
//! the `border`, which exists only there.
//!
//! A worker hears nothing during a call. So an analysis is made of short slices: [`Request::Step`] thinks one of them, and what is
//! asked in between is heard. A move, a hint or a review is one call; who cannot wait for it ends the worker.

mod desk;
mod questions;
mod request;
mod room;

#[cfg(target_family = "wasm")]
mod border;

pub use questions::Ask as QuestionAsked;
pub use request::{Heard, Request};
pub use room::{Outside, Room};
