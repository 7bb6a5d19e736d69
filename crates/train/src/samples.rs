//! What a net learns from.

use kalahari_games::kalah::MAX_PITS;
use kalahari_net::{CONTENTS, Places, bucket};

/// A position and what became of its seeds in play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The contents of the pits, the mover's first; those the board does not have are 0.
    pub pits: [u8; 2 * MAX_PITS],
    /// The seeds in play.
    pub seeds: u16,
    /// The margin that the mover got of them, in seeds.
    pub target: f32,
}

impl Sample {
    /// A position by its pits, the mover's first, both sides alike. What a net does not tell apart is made one.
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

    /// The contents of its pits as a net in integers takes them.
    pub fn places(&self, pits: usize) -> Places {
        let side = |from: usize| {
            let mut side = [0; 16];
            side[..pits].copy_from_slice(&self.pits[from..from + pits]);
            side
        };
        Places([side(0), side(pits)])
    }

    /// Which weights serve it.
    #[inline]
    pub fn bucket(&self) -> usize {
        bucket(self.seeds.into())
    }
}

/// Positions to learn from, and others, of other games, to see how well that went.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// To learn from.
    pub seen: Vec<Sample>,
    /// Held out.
    pub held_out: Vec<Sample>,
}

impl Samples {
    /// One game in so many is held out.
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
