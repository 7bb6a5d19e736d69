//! The roomy board: plain arrays, for games that the packed board cannot hold.
//!
//! ```text
//!            lane   0    1   ...  P-1  ...   11   12..14   15
//!    mover       +----+----+-----+----+----+----+-------+-----+
//!    opponent    | p0 | p1 | ... |    |  0 |  0 |   0   |store|     lanes of 16 bits
//!                +----+----+-----+----+----+----+-------+-----+
//! ```
//!
//! A sowing is one add, as on the packed board. With `n` seeds and `2P+1` houses to fall into, every
//! house gets `n / (2P+1)` seeds and the first `n % (2P+1)` houses after the origin one more, so a
//! small table serves any number of seeds.

use crate::Player;
use crate::kalah::board::{Shelf, empty_shelf};
use crate::kalah::{Board, CaptureRule, Effect, KalahSetup, MAX_PITS, MAX_TOTAL, Pit, Side};

/// A Kalah board of up to 12 pits a side and 480 seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide {
    mover: [u16; LANES],
    opponent: [u16; LANES],
    /// The player's number, as wide as a lane: a byte that is written and then copied together with its neighbour would
    /// stall on store forwarding.
    player: u16,
}

const LANES: usize = 16;
const STORE: usize = LANES - 1;

/// What a sowing of less than a lap adds, the emptying of its pit included (as a subtraction that wraps), and the place
/// of its last seed in sowing order.
#[derive(Clone, Debug)]
struct Sowing {
    mover: [u16; LANES],
    opponent: [u16; LANES],
    landing: usize,
}

/// The effects of every sowing on boards of one size.
#[derive(Clone, Debug)]
pub struct WideTables {
    pits: usize,
    /// Houses a seed can fall into: own pits, own store, the opponent's pits.
    houses: usize,
    /// Entry `pit * houses + seeds`.
    sowings: Vec<Sowing>,
    /// One seed into every house it can fall into.
    lap: [[u16; LANES]; 2],
    /// For every pit, the number of seeds that ends in the store without a lap; in all other lanes, more than any pit can hold.
    distances: [u16; LANES],
}

impl Wide {
    /// Spreads the seeds of a pit and gives the place of the last one in sowing order; captures and
    /// banking are still to come.
    ///
    /// Lanes are changed all at once. A single lane that is written and then read as part of a vector stalls on store
    /// forwarding, which took a third of a search's time.
    #[inline]
    fn spread(&self, tables: &WideTables, pit: usize) -> (Wide, usize) {
        let seeds = usize::from(self.mover[pit]);
        if seeds >= tables.houses {
            return self.spread_laps(tables, pit, seeds);
        }
        let sowing = &tables.sowings[pit * tables.houses + seeds];
        (self.sown(sowing), sowing.landing)
    }

    /// The same for sowings of a lap or more.
    fn spread_laps(&self, tables: &WideTables, pit: usize, seeds: usize) -> (Wide, usize) {
        let sowing = &tables.sowings[pit * tables.houses + seeds % tables.houses];
        let mut sown = self.sown(sowing);
        let laps = (seeds / tables.houses) as u16;
        sown.mover[pit] -= laps * tables.houses as u16;
        sown.mover = each(sown.mover, tables.lap[0], |n, one| n + laps * one);
        sown.opponent = each(sown.opponent, tables.lap[1], |n, one| n + laps * one);
        (sown, sowing.landing)
    }

    #[inline]
    fn sown(&self, sowing: &Sowing) -> Wide {
        Wide {
            mover: each(self.mover, sowing.mover, u16::wrapping_add),
            opponent: each(self.opponent, sowing.opponent, u16::wrapping_add),
            player: self.player,
        }
    }

    /// What a capture takes from the landing place and from the pit opposite to it.
    #[inline]
    fn capture(
        &self,
        sown: &Wide,
        landing: usize,
        pits: usize,
        rule: CaptureRule,
    ) -> Option<(u16, u16)> {
        if landing >= pits {
            return None;
        }
        let here = sown.mover[landing];
        let opposite = sown.opponent[pits - 1 - landing];
        let captures = match rule {
            CaptureRule::Standard => here == 1 && opposite > 0,
            CaptureRule::EmptyCapture => here == 1,
            CaptureRule::PreMoveEmpty => self.mover[landing] == 0 && opposite > 0,
        };
        captures.then_some((here, opposite))
    }

    /// The board with every seed banked if a side has none left.
    #[inline]
    fn banked_if_over(self) -> Wide {
        match has_seeds(&self.mover) && has_seeds(&self.opponent) {
            true => self,
            false => self.banked(),
        }
    }

    fn banked(mut self) -> Wide {
        for side in [&mut self.mover, &mut self.opponent] {
            let store = side[STORE] + pit_sum(side);
            *side = [0; LANES];
            side[STORE] = store;
        }
        self
    }

    #[inline]
    fn side(&self, side: Side) -> &[u16; LANES] {
        match side {
            Side::Mover => &self.mover,
            Side::Opponent => &self.opponent,
        }
    }
}

#[inline]
fn each(a: [u16; LANES], b: [u16; LANES], f: impl Fn(u16, u16) -> u16) -> [u16; LANES] {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

/// A bit for every lane.
const BITS: [u16; LANES] = {
    let mut lanes = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        lanes[lane] = 1 << lane;
        lane += 1;
    }
    lanes
};

/// All bits in the lanes of pits.
const PITS: [u16; LANES] = {
    let mut lanes = [0; LANES];
    let mut lane = 0;
    while lane < MAX_PITS {
        lanes[lane] = u16::MAX;
        lane += 1;
    }
    lanes
};

/// Whether any pit of a side holds seeds.
#[inline]
fn has_seeds(side: &[u16; LANES]) -> bool {
    any_bit(*side, PITS) != 0
}

/// The lanes, each masked, combined by OR.
#[inline]
fn any_bit(lanes: [u16; LANES], mask: [u16; LANES]) -> u16 {
    each(lanes, mask, |n, mask| n & mask)
        .into_iter()
        .fold(0, |any, n| any | n)
}

#[inline]
fn pit_sum(side: &[u16; LANES]) -> u16 {
    side[..MAX_PITS].iter().sum()
}

impl Board for Wide {
    type Tables = WideTables;
    type Pits = FilledPits;

    const MAX_PITS: usize = MAX_PITS;
    const MAX_TOTAL: u32 = MAX_TOTAL;

    fn shelf() -> &'static Shelf<WideTables> {
        static SHELF: Shelf<WideTables> = empty_shelf();
        &SHELF
    }

    fn tables(pits: usize) -> WideTables {
        assert!(
            (1..=MAX_PITS).contains(&pits),
            "no wide board of {pits} pits"
        );
        let houses = 2 * pits + 1;
        // Drops one seed into a house, given by its place in sowing order.
        let drop = |[mover, opponent]: &mut [[u16; LANES]; 2], place: usize| match place {
            place if place < pits => mover[place] += 1,
            place if place == pits => mover[STORE] += 1,
            place => opponent[place - pits - 1] += 1,
        };
        let sowing = |pit: usize, seeds: usize| {
            let mut sides = [[0; LANES]; 2];
            (1..=seeds).for_each(|n| drop(&mut sides, (pit + n) % houses));
            let [mut mover, opponent] = sides;
            mover[pit] = mover[pit].wrapping_sub(seeds as u16);
            Sowing {
                mover,
                opponent,
                landing: (pit + seeds) % houses,
            }
        };
        let mut lap = [[0; LANES]; 2];
        (0..houses).for_each(|place| drop(&mut lap, place));
        let distance = |lane: usize| pits.checked_sub(lane).filter(|&distance| distance > 0);
        WideTables {
            pits,
            houses,
            sowings: (0..pits)
                .flat_map(|pit| (0..houses).map(move |seeds| (pit, seeds)))
                .map(|(pit, seeds)| sowing(pit, seeds))
                .collect(),
            lap,
            distances: std::array::from_fn(|lane| distance(lane).map_or(u16::MAX, |n| n as u16)),
        }
    }

    fn from_setup(setup: &KalahSetup) -> Self {
        let half = setup.houses.len() / 2;
        let side = |houses: &[u16]| {
            let mut side = [0; LANES];
            side[..half - 1].copy_from_slice(&houses[..half - 1]);
            side[STORE] = houses[half - 1];
            side
        };
        let sides = [side(&setup.houses[..half]), side(&setup.houses[half..])];
        Wide {
            mover: sides[setup.player.index()],
            opponent: sides[(!setup.player).index()],
            player: setup.player.index() as u16,
        }
        .banked_if_over()
    }

    #[inline]
    fn player(&self) -> Player {
        Player::BOTH[usize::from(self.player & 1)]
    }

    #[inline]
    fn pit(&self, side: Side, pit: usize) -> u32 {
        u32::from(self.side(side)[pit])
    }

    #[inline]
    fn capped_pits(&self, side: Side, most: u8) -> [u8; 16] {
        self.side(side).map(|n| n.min(most.into()) as u8)
    }

    #[inline]
    fn store(&self, side: Side) -> u32 {
        u32::from(self.side(side)[STORE])
    }

    #[inline]
    fn filled_pits(&self) -> FilledPits {
        let filled = self.mover.map(|n| if n > 0 { u16::MAX } else { 0 });
        FilledPits(any_bit(filled, each(BITS, PITS, |bit, pit| bit & pit)))
    }

    #[inline]
    fn count_filled_pits(&self) -> u32 {
        self.mover[..MAX_PITS]
            .iter()
            .map(|&n| u32::from(n > 0))
            .sum()
    }

    #[inline]
    fn extra_turn_pits(&self, tables: &WideTables) -> FilledPits {
        let lanes = each(self.mover, tables.distances, |n, distance| {
            if n == distance { u16::MAX } else { 0 }
        });
        if usize::from(any_bit(self.mover, PITS)) < tables.houses {
            return FilledPits(any_bit(lanes, BITS));
        }
        let ends_in_store = |pit: usize| {
            let seeds = usize::from(self.mover[pit]);
            seeds >= tables.houses && seeds % tables.houses == tables.pits - pit
        };
        let mask = any_bit(lanes, BITS);
        FilledPits((0..tables.pits).fold(mask, |mask, pit| {
            mask | (u16::from(ends_in_store(pit)) << pit)
        }))
    }

    #[inline]
    fn is_finished(&self) -> bool {
        !has_seeds(&self.mover)
    }

    #[inline]
    fn seeds_in_play(&self) -> u32 {
        u32::from(pit_sum(&self.mover) + pit_sum(&self.opponent))
    }

    #[inline]
    fn total(&self) -> u32 {
        let seeds = self.mover.iter().chain(&self.opponent);
        seeds.map(|&n| u32::from(n)).sum()
    }

    #[inline]
    fn sow(&self, tables: &WideTables, rule: CaptureRule, pit: Pit) -> Self {
        let (mut sown, landing) = self.spread(tables, pit.index());
        if let Some((here, opposite)) = self.capture(&sown, landing, tables.pits, rule) {
            let across = tables.pits - 1 - landing;
            let [here_lane, across_lane] = [landing, across].map(|lane| 1 << lane);
            sown.mover = each(sown.mover, BITS, |n, lane| {
                let stays = if lane == here_lane { 0 } else { n };
                stays
                    + if lane == 1 << STORE {
                        here + opposite
                    } else {
                        0
                    }
            });
            sown.opponent = each(
                sown.opponent,
                BITS,
                |n, lane| {
                    if lane == across_lane { 0 } else { n }
                },
            );
        }
        let sown = sown.banked_if_over();
        if landing == tables.pits {
            return sown;
        }
        Wide {
            mover: sown.opponent,
            opponent: sown.mover,
            player: sown.player ^ 1,
        }
    }

    fn effect(&self, tables: &WideTables, rule: CaptureRule, pit: Pit) -> Effect {
        let (sown, landing) = self.spread(tables, pit.index());
        let capture = self.capture(&sown, landing, tables.pits, rule);
        Effect {
            extra_turn: landing == tables.pits,
            captured: capture.map_or(0, |(here, opposite)| u32::from(here + opposite)),
        }
    }
}

/// Goes through some pits of a wide board, lowest first.
#[derive(Clone, Debug, Default)]
pub struct FilledPits(u16);

impl Iterator for FilledPits {
    type Item = Pit;

    #[inline]
    fn next(&mut self) -> Option<Pit> {
        let pit = self.0.trailing_zeros();
        self.0 &= self.0.checked_sub(1)?;
        Some(Pit(pit as u8))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for FilledPits {
    #[inline]
    fn next_back(&mut self) -> Option<Pit> {
        let highest = self.0.checked_ilog2()?;
        self.0 ^= 1 << highest;
        Some(Pit(highest as u8))
    }
}
