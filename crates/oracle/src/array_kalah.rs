//! Kalah by the letter of `book/src/players/rules.md`, on an array in board order.

use kalahari_games::kalah::{CaptureRule, KalahSetup, KalahSpec};
use kalahari_games::{Outcome, Player};

/// A Kalah position: houses in board order, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayKalah {
    spec: KalahSpec,
    houses: [u16; 26],
    player: usize,
    over: bool,
}

impl ArrayKalah {
    /// The start of a game.
    pub fn start(spec: KalahSpec) -> Self {
        let pits = spec.pits();
        let mut houses = [0; 26];
        for pit in 0..pits {
            houses[pit] = spec.seeds() as u16;
            houses[pits + 1 + pit] = spec.seeds() as u16;
        }
        ArrayKalah {
            spec,
            houses,
            player: 0,
            over: false,
        }
    }

    /// The position of a setup.
    pub fn from_setup(spec: KalahSpec, setup: &KalahSetup) -> Self {
        let mut houses = [0; 26];
        houses[..setup.houses.len()].copy_from_slice(&setup.houses);
        let mut position = ArrayKalah {
            spec,
            houses,
            player: setup.player.index(),
            over: false,
        };
        position.end_if_over();
        position
    }

    /// The houses in board order and the player to move.
    pub fn setup(&self) -> KalahSetup {
        KalahSetup {
            houses: self.houses[..2 * self.spec.pits() + 2].to_vec(),
            player: Player::BOTH[self.player],
        }
    }

    fn first_pit(&self) -> usize {
        self.player * (self.spec.pits() + 1)
    }

    /// Whether the mover's pit `pit` may be sown.
    pub fn is_legal(&self, pit: usize) -> bool {
        !self.over && pit < self.spec.pits() && self.houses[self.first_pit() + pit] > 0
    }

    /// Sows the mover's pit `pit`, which must be legal.
    pub fn play(&mut self, pit: usize) {
        let pits = self.spec.pits();
        let own_store = self.first_pit() + pits;
        let other_store = (1 - self.player) * (pits + 1) + pits;
        let last_house = 2 * pits + 1;
        let origin = self.first_pit() + pit;
        let before = self.houses;

        let mut seeds = self.houses[origin];
        self.houses[origin] = 0;
        let mut house = origin;
        while seeds > 0 {
            house = if house == last_house { 0 } else { house + 1 };
            if house != other_store {
                self.houses[house] += 1;
                seeds -= 1;
            }
        }

        let own_pit = (self.first_pit()..own_store).contains(&house);
        if own_pit {
            let opposite = 2 * pits - house;
            let counts_as_empty = match self.spec.rule() {
                CaptureRule::PreMoveEmpty => before[house] == 0,
                CaptureRule::Standard | CaptureRule::EmptyCapture => self.houses[house] == 1,
            };
            let may_be_empty = match self.spec.rule() {
                CaptureRule::EmptyCapture => true,
                CaptureRule::Standard | CaptureRule::PreMoveEmpty => false,
            };
            if counts_as_empty && (may_be_empty || self.houses[opposite] > 0) {
                self.houses[own_store] += self.houses[house] + self.houses[opposite];
                self.houses[house] = 0;
                self.houses[opposite] = 0;
            }
        }
        if house != own_store {
            self.player = 1 - self.player;
        }
        self.end_if_over();
    }

    fn end_if_over(&mut self) {
        let pits = self.spec.pits();
        let mut sums = [0, 0];
        for pit in 0..pits {
            sums[0] += self.houses[pit];
            sums[1] += self.houses[pits + 1 + pit];
        }
        if sums[0] == 0 || sums[1] == 0 {
            for pit in 0..pits {
                self.houses[pit] = 0;
                self.houses[pits + 1 + pit] = 0;
            }
            self.houses[pits] += sums[0];
            self.houses[2 * pits + 1] += sums[1];
            self.over = true;
        }
        if self.spec.majority() {
            let total: u16 = self.houses.iter().sum();
            let most = self.houses[pits].max(self.houses[2 * pits + 1]);
            if 2 * most > total {
                self.over = true;
            }
        }
    }

    /// How the game ended, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let pits = self.spec.pits();
        let margin = i32::from(self.houses[pits]) - i32::from(self.houses[2 * pits + 1]);
        self.over
            .then_some(Outcome::from_margin(Player::First, margin))
    }

    /// How many of the mover's pits may be sown.
    pub fn count_moves(&self) -> u64 {
        if self.over {
            return 0;
        }
        let first = self.first_pit();
        let own = &self.houses[first..first + self.spec.pits()];
        own.iter().filter(|&&seeds| seeds > 0).count() as u64
    }

    /// The number of move sequences of exactly `depth` moves; the last move is counted, not played.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(),
            _ => (0..self.spec.pits())
                .filter(|&pit| self.is_legal(pit))
                .map(|pit| {
                    let mut child = *self;
                    child.play(pit);
                    child.perft(depth - 1)
                })
                .sum(),
        }
    }
}
