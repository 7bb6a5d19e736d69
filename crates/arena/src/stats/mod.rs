//! The statistics of matches, without external libraries: Elo, errors, sequential tests, ratings.

mod elo;
mod finite;
mod normal;
mod place;
mod ratings;
mod sprt;
mod tally;

pub use elo::{Elo, EloModel, NORMALIZED_UNIT, elo, expected_score, logistic_elo, los};
pub use normal::{Z95, normal_below};
pub use place::Scale;
pub use ratings::{Encounter, Fit, Rating, fit_ratings, rating_notes};
pub use sprt::{Decision, Sprt, SprtError};
pub use tally::{Sample, Tally, half_points};
