//! Trains the nets of `kalahari-net`.
//!
//! [`read`] takes [`Samples`] from the shards of `kalahari-dataset`: positions with the value of their seeds in play. A [`Training`] goes
//! through them round by round and trains a [`FloatNet`], which [`quantised`] turns into integers for the engine. Every number is a
//! function of the samples and the [`Settings`], so a training that is resumed gives the same net as one that was never interrupted.

#![forbid(unsafe_code)]

mod error;
mod float_net;
mod picture;
mod quantise;
mod read;
mod samples;
mod state;
mod training;

pub use error::TrainError;
pub use float_net::FloatNet;
pub use picture::{Curve, png, svg};
pub use quantise::{Difference, quantised};
pub use read::{Lesson, read};
pub use samples::{Sample, Samples};
pub use state::STATE_KIND;
pub use training::{Errors, Round, Settings, Training};
