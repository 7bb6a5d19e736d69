//! The vocabulary that searches, solvers, tuners and shells share, so that everything they exchange has a type.
//!
//! [`Limits`] say what may be spent, [`Stop`] carries the request to end early and the [`Clock`], [`Budget`] is the running
//! account of one search, to which others [`Charge`] their work, and a [`Score`] is a search's verdict on a position.
//! [`Program`] names the program that gave it.
#![forbid(unsafe_code)]

mod bounds;
mod budget;
mod charge;
mod clock;
mod duration;
mod failure;
mod limits;
mod program;
mod score;
mod stop;

pub use bounds::Bounds;
pub use budget::Budget;
pub use charge::Charge;
#[cfg(not(target_family = "wasm"))]
pub use clock::SystemClock;
pub use clock::{Clock, Standstill};
pub use duration::{DurationError, duration_text, format_duration, parse_duration};
pub use failure::Failure;
pub use limits::{GameClock, Limits};
pub use program::{Program, VERSION};
pub use score::{Score, Unit, Worth};
pub use stop::Stop;
