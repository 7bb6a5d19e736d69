//! The samples that a net learns from.

use kalahari_games::kalah::MAX_PITS;
use kalahari_net::{CONTENTS, Places, bucket};

/// A position and the value of its seeds in play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The contents of the pits, those of the player to move first, without gaps; the rest of the array is 0.
    pub pits: [u8; 2 * MAX_PITS],
    /// The seeds in play.
    pub seeds: u16,
    /// The margin that they are worth to the player to move, in seeds.
    pub target: f32,
}

impl Sample {
    /// A position given by its pits, those of the player to move first, equally many for both sides. Contents that a net does not distinguish
    /// become the same number.
    pub fn new(pits: &[u16], target: f32) -> Self {
        let mut sample = Sample {
            pits: [0; 2 * MAX_PITS],
            seeds: pits.iter().sum(),
            target,
        };
        for (place, &seeds) in sample.pits.iter_mut().zip(pits) {
            *place = seeds.min(CONTENTS as u16 - 1) as u8;
        }
        sample
    }

    /// The contents of its pits in the form that an integer net takes.
    pub fn places(&self, pits: usize) -> Places {
        let side = |from: usize| {
            let mut side = [0; 16];
            side[..pits].copy_from_slice(&self.pits[from..from + pits]);
            side
        };
        Places([side(0), side(pits)])
    }

    /// The bucket of output weights for it.
    #[inline]
    pub fn bucket(&self) -> usize {
        bucket(self.seeds.into())
    }
}

/// Positions to learn from, and positions of other games to test the net on.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Positions to learn from.
    pub seen: Vec<Sample>,
    /// Positions held out for testing.
    pub held_out: Vec<Sample>,
}

impl Samples {
    /// One game in this many is held out.
    const HELD_OUT: u64 = 20;

    /// Adds a position of a game. All positions of a game are either learned from or held out.
    pub fn add(&mut self, game: u64, sample: Sample) {
        let mut state = game;
        match kalahari_search::splitmix64(&mut state) % Self::HELD_OUT {
            0 => self.held_out.push(sample),
            _ => self.seen.push(sample),
        }
    }
}
