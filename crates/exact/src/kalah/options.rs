//! How a solver goes about its work.

use crate::tablebase::{MAX_TABLE_PITS, Tablebase, position_count};
use std::sync::Arc;

/// What a solver may use.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Bytes for the table of proven bounds.
    pub memory: u64,
    /// Threads, at least one.
    pub threads: usize,
    /// A tablebase of the game's family.
    pub tablebase: Option<Arc<Tablebase>>,
    /// Techniques to use; all of them unless measuring.
    pub techniques: Techniques,
}

/// The parts of the search that can be switched off to see what they are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Look all moves up before searching any (enhanced transposition cutoffs).
    pub early_cutoffs: bool,
    /// Give up when the seeds on the board cannot reach the window.
    pub range_cuts: bool,
    /// Try extra turns first, then captures, then from right to left; otherwise from right to left.
    pub ordering: bool,
    /// Bring table entries near before they are needed.
    pub prefetch: bool,
}

impl Default for Techniques {
    fn default() -> Self {
        Techniques {
            early_cutoffs: true,
            range_cuts: true,
            ordering: true,
            prefetch: true,
        }
    }
}

/// The tablebase that pays off in memory for a position with `seeds` seeds in the pits: its number of seeds.
pub fn suggested_tablebase(pits: usize, seeds: u32) -> Option<usize> {
    if pits > MAX_TABLE_PITS {
        return None;
    }
    let seeds = seeds as usize;
    let wanted = match seeds {
        0..=24 => seeds / 2,
        25..=48 => 12 + (seeds - 24) / 4,
        49..=60 => 18 + (seeds - 48) / 2,
        _ => 24,
    };
    let affordable = |n: usize| position_count(pits, n).is_some_and(|count| count < 1 << 31);
    (1..=wanted).rev().find(|&n| affordable(n))
}

/// The bytes for a table of proven bounds that suit a position with `seeds` seeds in the pits.
pub fn suggested_memory(seeds: u32) -> u64 {
    match seeds {
        0..=24 => 16 << 20,
        25..=36 => 64 << 20,
        37..=44 => 256 << 20,
        45..=50 => 1 << 30,
        51..=56 => 4 << 30,
        _ => 8 << 30,
    }
}
