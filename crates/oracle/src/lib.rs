//! Slow, plain programs that the fast code is tested against.
//!
//! Nothing here is clever, and nothing shares code with what it checks: [`ArrayKalah`] walks its
//! seeds one by one around a plain array, [`GridIsolation`] looks at its cells one by
//! one, [`LonelyWalk`] tries every walk, [`IsolationProof`] tries every game, and [`Negamax`] looks at everything.

#![forbid(unsafe_code)]

mod array_kalah;
mod grid_isolation;
mod isolation_proof;
mod kalah_negamax;
mod lonely_walk;
mod negamax;

pub use array_kalah::ArrayKalah;
pub use grid_isolation::{GridIsolation, GridMove};
pub use isolation_proof::IsolationProof;
pub use kalah_negamax::KalahNegamax;
pub use lonely_walk::LonelyWalk;
pub use negamax::{Negamax, is_small};
