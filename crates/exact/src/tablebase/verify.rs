//! Checks a tablebase position by position with the rules of the game.

use crate::Watch;
use crate::tablebase::Tablebase;
use kalahari_games::kalah::{Board, Kalah, KalahSetup, KalahSpec, Packed};
use kalahari_games::{Game, Player};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// A position whose byte contradicts its successors.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("position {position}: the table says {stored}, its successors say {expected}")]
pub struct VerifyError {
    /// The position with empty stores, player 0 to move.
    pub position: String,
    /// The future margin in the table.
    pub stored: i32,
    /// The future margin that follows from the table's own values of the successors.
    pub expected: i32,
}

/// What a check has covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Positions recomputed.
    pub positions: u64,
}

/// How many positions of a sample are checked between two looks at the request to stop.
const LOOK_EVERY: u64 = 512;

/// Checks one position after the other without a new allocation for each.
struct Checker<'a> {
    table: &'a Tablebase,
    game: Kalah<Packed>,
    setup: KalahSetup,
}

impl Checker<'_> {
    fn check(&mut self, mover: u64, opponent: u64) -> Result<(), VerifyError> {
        let pits = self.table.spec.pits();
        for pit in 0..pits {
            self.setup.houses[pit] = (mover >> (8 * pit) & 0xff) as u16;
            self.setup.houses[pits + 1 + pit] = (opponent >> (8 * pit) & 0xff) as u16;
        }
        let position = Packed::from_setup(&self.setup);
        let margin = |position: &Packed| {
            let future = self
                .table
                .future_margin(&self.game, position)
                .unwrap_or(i32::MIN / 2);
            let margin = self.game.store_margin(position) + future;
            if position.player() == Player::First {
                margin
            } else {
                -margin
            }
        };
        let expected = self
            .game
            .moves(&position)
            .map(|pit| margin(&self.game.play_unchecked(&position, pit)))
            .max()
            .unwrap_or_else(|| self.game.store_margin(&position));
        let stored = self
            .table
            .margin_of_words(mover, opponent)
            .unwrap_or(i32::MIN);
        if stored == expected {
            return Ok(());
        }
        Err(VerifyError {
            position: self.setup.to_string(),
            stored,
            expected,
        })
    }
}

impl Tablebase {
    fn checker(&self) -> Option<Checker<'_>> {
        let spec = KalahSpec::new(self.spec.pits(), 1, self.spec.rule())?;
        Some(Checker {
            table: self,
            game: Kalah::new(spec).ok()?.with_any_total(),
            setup: KalahSetup {
                houses: vec![0; 2 * self.spec.pits() + 2],
                player: Player::First,
            },
        })
    }

    /// Recomputes every position from its successors; fewer if it is stopped.
    pub fn verify(&self, watch: Watch<'_>) -> Result<Verified, VerifyError> {
        let done = AtomicU64::new(0);
        let blocks: Vec<(usize, usize)> = (0..=self.seeds)
            .flat_map(|n| (0..=n).map(move |m| (m, n - m)))
            .collect();
        for (m, o) in blocks {
            // Beginning a block costs more than a look at the request to stop.
            if watch.stop.look() {
                break;
            }
            let check_row = |checker: &mut Option<Checker<'_>>, &opponent: &u64| {
                if watch.stop.look() {
                    return Ok(());
                }
                let Some(checker) = checker else {
                    return Ok(());
                };
                let movers = self.numbering.words(m);
                for &mover in movers {
                    checker.check(mover, opponent)?;
                }
                done.fetch_add(movers.len() as u64, Ordering::Relaxed);
                (watch.done)(movers.len() as u64);
                Ok(())
            };
            let opponents = self.numbering.words(o);
            opponents
                .par_iter()
                .map_init(|| self.checker(), check_row)
                .collect::<Result<(), _>>()?;
        }
        Ok(Verified {
            positions: done.load(Ordering::Relaxed),
        })
    }

    /// Recomputes `count` positions chosen by a portable generator (xorshift64*) from `rng_seed`, or all if there are no more
    /// than that; fewer if it is stopped.
    pub fn verify_sample(
        &self,
        count: u64,
        rng_seed: u64,
        watch: Watch<'_>,
    ) -> Result<Verified, VerifyError> {
        if count >= self.positions() {
            return self.verify(watch);
        }
        let mut state = rng_seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = |end: u64| {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            let random = state.wrapping_mul(0x2545_F491_4F6C_DD1D);
            ((u128::from(random) * u128::from(end)) >> 64) as usize
        };
        let Some(mut checker) = self.checker() else {
            return Ok(Verified::default());
        };
        for checked in 0..count {
            if checked % LOOK_EVERY == 0 && watch.stop.look() {
                return Ok(Verified { positions: checked });
            }
            let place = below(self.positions());
            let n = (0..=self.seeds)
                .rfind(|&n| self.layout.level(n) <= place)
                .unwrap_or(0);
            let m = (0..=n)
                .rfind(|&m| self.layout.block(m, n - m) <= place)
                .unwrap_or(0);
            let within = place - self.layout.block(m, n - m);
            let movers = self.numbering.words(m);
            let opponent = self.numbering.words(n - m)[within / movers.len()];
            checker.check(movers[within % movers.len()], opponent)?;
            (watch.done)(1);
        }
        Ok(Verified { positions: count })
    }
}
