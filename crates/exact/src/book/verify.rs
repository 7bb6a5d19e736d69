//! Checks books with a prover: any of their positions, not only those stored.

use super::lookup::Book;
use super::walk::{Walk, WalkError};
use crate::Watch;
use crate::prover::{Prover, ProverError, Wanted};
use kalahari_games::kalah::{Kalah, Packed};
use kalahari_games::{Game, Typed};
use thiserror::Error;

/// What is wrong with a book whose checksums are right.
#[derive(Debug, Error)]
pub enum BookVerifyError {
    /// A value is not what the solver proves.
    #[error("position {position}: the book says {found:?}, the solver {expected}")]
    Wrong {
        /// The position's text.
        position: String,
        /// The final margin in the book.
        found: Option<i32>,
        /// The final margin that the solver proves.
        expected: i32,
    },
    /// There is no such book.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// Nothing can be solved.
    #[error(transparent)]
    Prover(#[from] ProverError),
}

/// Solves positions of a book again and compares: all of them, or `sample` of them evenly spread, chosen by `rng_seed`. The
/// prover is one of the book's game that uses no book. Returns how many were compared; fewer than wanted if it was stopped.
pub fn verify(
    book: &Book,
    prover: &mut Prover,
    sample: Option<u64>,
    rng_seed: u64,
    watch: Watch<'_>,
) -> Result<u64, BookVerifyError> {
    let walk = Walk::of(book.game(), book.plies())?;
    let positions: Vec<&Packed> = walk.inner().iter().chain(walk.frontier()).collect();
    let all = positions.len() as u64;
    let count = sample.unwrap_or(all).min(all);
    for i in 0..count {
        // One out of every all / count consecutive positions.
        let stretch = (i * all / count, (i + 1) * all / count);
        let within = scattered(rng_seed, i) % (stretch.1 - stretch.0);
        let position = positions[(stretch.0 + within) as usize];
        let erased = Kalah::<Packed>::erase_position(*position);
        let proof = prover.prove(&erased, &Wanted::VALUE, watch.stop)?;
        let Some(expected) = proof.bounds.exact() else {
            return Ok(i);
        };
        let found = book.final_margin(walk.game(), position);
        if found != Some(expected) {
            return Err(BookVerifyError::Wrong {
                position: walk.game().position_text(position),
                found,
                expected,
            });
        }
        (watch.done)(1);
    }
    Ok(count)
}

/// A number that looks random (splitmix64).
fn scattered(rng_seed: u64, i: u64) -> u64 {
    let mut x = rng_seed.wrapping_add((i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
