//! The options of a solver.

use crate::tablebase::{MAX_TABLE_PITS, MAX_TABLE_SEEDS, Tablebase, position_count};
use std::sync::Arc;

/// What a solver may use.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Bytes for the table of proven bounds.
    pub memory: u64,
    /// A tablebase of the game's family.
    pub tablebase: Option<Arc<Tablebase>>,
    /// Techniques to use; all of them unless measuring.
    pub techniques: Techniques,
}

/// The parts of the search that can be switched off to see what they are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Look up all moves before searching any (enhanced transposition cutoffs), where that pays.
    pub early_cutoffs: bool,
    /// Give up when the seeds on the board cannot reach the window.
    pub range_cuts: bool,
    /// Try good and cheap moves first; otherwise from right to left.
    pub ordering: bool,
    /// Order moves by a guess after a short look ahead; otherwise extra turns first, then captures.
    pub look_ahead: bool,
    /// The most turns to look ahead: a long look pays off where most of the work is far below.
    pub longest_look: u32,
    /// Prefetch table entries before they are needed.
    pub prefetch: bool,
    /// The number of searches of the same window that a thread works on in turn while the others wait for memory.
    pub lanes: usize,
}

impl Default for Techniques {
    fn default() -> Self {
        Techniques {
            early_cutoffs: true,
            range_cuts: true,
            ordering: true,
            look_ahead: true,
            longest_look: 4,
            prefetch: true,
            lanes: 2,
        }
    }
}

/// The number of seeds of the in-memory tablebase that pays off for the value of a position with `seeds` seeds in the pits,
/// or for the values of all its moves.
pub fn suggested_tablebase(pits: usize, seeds: u32, every_move: bool) -> Option<usize> {
    if pits > MAX_TABLE_PITS {
        return None;
    }
    // Measured with 6 pits: 19 seeds (141 million positions) for 48, 25 (1.85 billion) for 60.
    let budget: u64 = match seeds {
        0..=16 => 20_000,
        17..=24 => 1_000_000,
        25..=30 => 10_000_000,
        31..=36 => 30_000_000,
        37..=44 => 100_000_000,
        45..=52 => 150_000_000,
        53..=56 => 900_000_000,
        57..=64 => 1_900_000_000,
        _ => 4_000_000_000,
    };
    // All moves take five to ten times the nodes of the value: a tablebase with two more seeds soon pays off.
    let budget = match every_move && (45..=64).contains(&seeds) {
        true => budget / 10 * 26,
        false => budget,
    };
    let affordable = |n: usize| position_count(pits, n).is_some_and(|count| count < budget);
    (1..=MAX_TABLE_SEEDS.min(seeds as usize))
        .rev()
        .find(|&n| affordable(n))
}

/// The bytes for a table of proven bounds that suit a position with `seeds` seeds in the pits. More would only
/// cost the time to touch them.
pub fn suggested_memory(pits: usize, seeds: u32) -> u64 {
    if pits > 7 {
        // Entries of large boards are large and are all initialised at once, whether they are needed or not.
        return 256 << 20;
    }
    // The number of positions with at most this many seeds, if it can be computed.
    let positions = position_count(pits, seeds as usize).unwrap_or(u64::MAX);
    match positions {
        0..=1_000_000 => 4 << 20,
        1_000_001..=1_000_000_000 => 16 << 20,
        1_000_000_001..=100_000_000_000 => 64 << 20,
        100_000_000_001..=500_000_000_000 => 128 << 20,
        500_000_000_001..=2_000_000_000_000 => 128 << 20,
        2_000_000_000_001..=8_000_000_000_000 => 512 << 20,
        8_000_000_000_001..=20_000_000_000_000 => 1 << 30,
        _ => 4 << 30,
    }
}
