//! The fast board: a side in a word, a house in a byte.
//!
//! ```text
//!                 byte   7     6     5     4     3     2     1     0
//!    mover            +-----+-----+-----+-----+-----+-----+-----+-----+
//!    opponent         |store|     | pit5| pit4| pit3| pit2| pit1| pit0|      6 pits a side
//!                     +-----+-----+-----+-----+-----+-----+-----+-----+
//! ```
//!
//! The store is the highest byte for every number of pits; unused bytes stay zero. A game holds at
//! most 255 seeds, so no byte can overflow into its neighbour. Therefore
//!
//! - sowing is one add a word: the table knows what `n` seeds from pit `i` add everywhere, the
//!   emptying of pit `i` included (as a subtraction that wraps);
//! - passing the turn is an exchange of the two words;
//! - "no seeds in the pits" is `word << 8 == 0`.
//!
//! For example, 6 pits, pit 2 with 4 seeds: the mover's word changes by
//! `-(4 << 16) + 1<<24 + 1<<32 + 1<<40 + 1<<56`, the opponent's by 0, and the last seed lands in the store.

use crate::Player;
use crate::kalah::board::{Shelf, empty_shelf};
use crate::kalah::{Board, CaptureRule, Effect, KalahSetup, Pit, Ranking, Side};

/// A Kalah board of up to 7 pits a side and 255 seeds, in two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed {
    mover: u64,
    opponent: u64,
    player: Player,
}

const STORE: u32 = 56;
const PITS: u64 = (1 << STORE) - 1;
/// The highest bit of every pit.
const HIGH: u64 = 0x0080_8080_8080_8080;
/// All bits of every pit but the highest.
const LOW: u64 = 0x007f_7f7f_7f7f_7f7f;

/// What sowing a number of seeds from a pit adds, and where the last seed falls.
#[derive(Clone, Copy, Debug, Default)]
struct Sowing {
    mover: u64,
    opponent: u64,
    landing: Landing,
}

/// Where a last seed falls: a place from 0 to P-1 is one of the mover's pits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Landing(u32);

impl Landing {
    const STORE: Landing = Landing(7);
    const OPPONENT: Landing = Landing(8);

    #[inline]
    fn is_own_pit(self) -> bool {
        self.0 < Landing::STORE.0
    }
}

/// The effects of every sowing on boards of one size.
#[derive(Clone, Debug)]
pub struct PackedTables {
    /// Entry `8 * seeds + pit`. Few seeds, the common case, lie close together.
    sowings: Box<[Sowing; 8 * 256]>,
    /// The opposite of own pit `i` is the opponent's pit `last - i`.
    last: u32,
    /// In every pit's byte, the seeds that end in the store without a lap; `ff` in unused ones.
    distances: u64,
    /// A pit's seeds can lap only if they have one of these bits.
    lapping: u64,
}

impl PackedTables {
    #[inline]
    fn sowing(&self, pit: Pit, seeds: u64) -> &Sowing {
        &self.sowings[(8 * (seeds as usize & 0xff)) | (pit.index() & 7)]
    }
}

/// A board in the middle of a move: sown, not yet captured or banked.
struct Sown {
    mover: u64,
    opponent: u64,
    landing: Landing,
}

impl Packed {
    #[inline]
    fn sown(&self, tables: &PackedTables, pit: Pit) -> Sown {
        let seeds = (self.mover >> (8 * pit.index())) & 0xff;
        let sowing = tables.sowing(pit, seeds);
        Sown {
            mover: self.mover.wrapping_add(sowing.mover),
            opponent: self.opponent.wrapping_add(sowing.opponent),
            landing: sowing.landing,
        }
    }

    /// The seeds in the landing pit and opposite it, if the landing captures.
    #[inline]
    fn capture(&self, sown: &Sown, last: u32, rule: CaptureRule) -> Option<(u64, u64)> {
        if !sown.landing.is_own_pit() {
            return None;
        }
        let here = (sown.mover >> (8 * sown.landing.0)) & 0xff;
        let opposite = (sown.opponent >> (8 * (last - sown.landing.0))) & 0xff;
        let captures = match rule {
            CaptureRule::Standard => here == 1 && opposite != 0,
            CaptureRule::EmptyCapture => here == 1,
            CaptureRule::PreMoveEmpty => {
                (self.mover >> (8 * sown.landing.0)) & 0xff == 0 && opposite != 0
            }
        };
        captures.then_some((here, opposite))
    }

    #[inline]
    fn side(&self, side: Side) -> u64 {
        match side {
            Side::Mover => self.mover,
            Side::Opponent => self.opponent,
        }
    }
}

/// All seeds of a side's pits.
#[inline]
fn pit_sum(side: u64) -> u64 {
    (side & PITS).wrapping_mul(0x0101_0101_0101_0101) >> 56
}

/// The side with every seed in its store.
#[inline]
fn banked(side: u64) -> u64 {
    (side & !PITS).wrapping_add(pit_sum(side) << STORE)
}

/// All bits if something holds, none if not.
#[inline]
fn all_ones_if(holds: bool) -> u64 {
    u64::from(holds).wrapping_neg()
}

/// The highest bit of every pit of a side that holds seeds.
#[inline]
fn filled(side: u64) -> u64 {
    (((side & LOW) + LOW) | side) & HIGH
}

impl Board for Packed {
    type Tables = PackedTables;
    type Pits = FilledPits;

    const MAX_PITS: usize = 7;
    const MAX_TOTAL: u32 = 255;

    fn shelf() -> &'static Shelf<PackedTables> {
        static SHELF: Shelf<PackedTables> = empty_shelf();
        &SHELF
    }

    fn tables(pits: usize) -> PackedTables {
        assert!(
            (1..=Self::MAX_PITS).contains(&pits),
            "no packed board of {pits} pits"
        );
        let mut sowings = Box::new([Sowing::default(); 8 * 256]);
        for pit in 0..pits {
            for seeds in 1..256_usize {
                sowings[8 * seeds + pit] = sowing(pits, pit, seeds);
            }
        }
        PackedTables {
            sowings,
            last: pits as u32 - 1,
            distances: (0..7).fold(0, |word, pit| {
                let distance = if pit < pits { pits - pit } else { 0xff };
                word | ((distance as u64) << (8 * pit))
            }),
            // From 4 pits on a lap takes at least 9 seeds.
            lapping: if pits >= 4 {
                0x00f8_f8f8_f8f8_f8f8
            } else {
                PITS
            },
        }
    }

    fn from_setup(setup: &KalahSetup) -> Self {
        let half = setup.houses.len() / 2;
        let word = |houses: &[u16]| {
            let pits = (0..).zip(&houses[..half - 1]);
            let store = u64::from(houses[half - 1]) << STORE;
            pits.fold(store, |word, (i, &seeds)| {
                word | (u64::from(seeds) << (8 * i))
            })
        };
        let sides = [word(&setup.houses[..half]), word(&setup.houses[half..])];
        let board = Packed {
            mover: sides[setup.player.index()],
            opponent: sides[(!setup.player).index()],
            player: setup.player,
        };
        if board.mover & PITS == 0 || board.opponent & PITS == 0 {
            return Packed {
                mover: banked(board.mover),
                opponent: banked(board.opponent),
                ..board
            };
        }
        board
    }

    #[inline]
    fn player(&self) -> Player {
        self.player
    }

    #[inline]
    fn pit(&self, side: Side, pit: usize) -> u32 {
        (self.side(side) >> (8 * pit)) as u32 & 0xff
    }

    #[inline]
    fn pit_bytes(&self, side: Side, _pits: usize) -> Option<u64> {
        Some(self.side(side) & PITS)
    }

    #[inline]
    fn capped_pits(&self, side: Side, most: u8) -> [u8; 16] {
        let pits = (self.side(side) & PITS).to_le_bytes().map(|n| n.min(most));
        std::array::from_fn(|lane| if lane < 8 { pits[lane] } else { 0 })
    }

    #[inline]
    fn store(&self, side: Side) -> u32 {
        (self.side(side) >> STORE) as u32
    }

    #[inline]
    fn filled_pits(&self) -> FilledPits {
        FilledPits(filled(self.mover))
    }

    #[inline]
    fn count_filled_pits(&self) -> u32 {
        filled(self.mover).count_ones()
    }

    #[inline]
    fn extra_turn_pits(&self, tables: &PackedTables) -> FilledPits {
        // A byte that equals its distance becomes zero; everything else counts as filled.
        let direct = HIGH & !filled((self.mover ^ tables.distances) & PITS);
        if self.mover & tables.lapping == 0 {
            return FilledPits(direct);
        }
        let others = filled(self.mover) & !direct;
        let ends_in_store = FilledPits(others)
            .filter(|pit| {
                let seeds = (self.mover >> (8 * pit.index())) & 0xff;
                tables.sowing(*pit, seeds).landing == Landing::STORE
            })
            .fold(direct, |mask, pit| mask | (0x80 << (8 * pit.index())));
        FilledPits(ends_in_store)
    }

    #[inline]
    fn is_finished(&self) -> bool {
        self.mover & PITS == 0
    }

    #[inline]
    fn total(&self) -> u32 {
        (pit_sum(self.mover) + pit_sum(self.opponent)) as u32
            + self.store(Side::Mover)
            + self.store(Side::Opponent)
    }

    #[inline]
    fn seeds_in_play(&self) -> u32 {
        (pit_sum(self.mover) + pit_sum(self.opponent)) as u32
    }

    #[inline]
    fn rank(&self, ranking: &Ranking) -> u128 {
        // Times 1 in every byte: byte i becomes the sum of bytes 0 to i.
        const ONES: u64 = 0x0101_0101_0101_0101;
        let mover = (self.mover & PITS).wrapping_mul(ONES);
        let all = mover >> STORE;
        let opponent = (self.opponent & PITS)
            .wrapping_mul(ONES)
            .wrapping_add(all.wrapping_mul(ONES));
        ranking.rank_of_byte_sums(mover, opponent)
    }

    #[inline]
    fn sow(&self, tables: &PackedTables, rule: CaptureRule, pit: Pit) -> Self {
        let sown = self.sown(tables, pit);
        let Sown {
            mut mover,
            mut opponent,
            landing,
        } = sown;
        if let Some((here, opposite)) = self.capture(&sown, tables.last, rule) {
            mover -= here << (8 * landing.0);
            opponent -= opposite << (8 * (tables.last - landing.0));
            mover += (here + opposite) << STORE;
        }
        if mover & PITS == 0 || opponent & PITS == 0 {
            mover = banked(mover);
            opponent = banked(opponent);
        }
        if landing == Landing::STORE {
            Packed {
                mover,
                opponent,
                player: self.player,
            }
        } else {
            Packed {
                mover: opponent,
                opponent: mover,
                player: !self.player,
            }
        }
    }

    #[inline]
    fn sow_branchless(&self, tables: &PackedTables, rule: CaptureRule, pit: Pit) -> Self {
        let sown = self.sown(tables, pit);
        // If the last seed does not land in one of the mover's pits, the values read here are not used.
        let bits_of = |pit: u32| pit.wrapping_mul(8) & 63;
        let here_at = bits_of(sown.landing.0);
        let opposite_at = bits_of(tables.last.wrapping_sub(sown.landing.0));
        let here = (sown.mover >> here_at) & 0xff;
        let opposite = (sown.opponent >> opposite_at) & 0xff;
        let captures = match rule {
            CaptureRule::Standard => (here == 1) & (opposite != 0),
            CaptureRule::EmptyCapture => here == 1,
            CaptureRule::PreMoveEmpty => ((self.mover >> here_at) & 0xff == 0) & (opposite != 0),
        };
        let taken = all_ones_if(captures & sown.landing.is_own_pit());
        let mut mover = sown.mover.wrapping_sub((here << here_at) & taken);
        let mut opponent = sown
            .opponent
            .wrapping_sub((opposite << opposite_at) & taken);
        mover = mover.wrapping_add(((here + opposite) << STORE) & taken);
        // This happens once a game, so the branch is predictable.
        if mover & PITS == 0 || opponent & PITS == 0 {
            mover = banked(mover);
            opponent = banked(opponent);
        }
        let passes = sown.landing != Landing::STORE;
        let exchanged = (mover ^ opponent) & all_ones_if(passes);
        Packed {
            mover: mover ^ exchanged,
            opponent: opponent ^ exchanged,
            player: if passes { !self.player } else { self.player },
        }
    }

    #[inline]
    fn effect(&self, tables: &PackedTables, rule: CaptureRule, pit: Pit) -> Effect {
        let sown = self.sown(tables, pit);
        Effect {
            extra_turn: sown.landing == Landing::STORE,
            captured: self
                .capture(&sown, tables.last, rule)
                .map_or(0, |(here, opposite)| (here + opposite) as u32),
        }
    }
}

/// The change that sowing `seeds` seeds from `pit` makes, seed by seed.
fn sowing(pits: usize, pit: usize, seeds: usize) -> Sowing {
    let mut change = Sowing {
        mover: (seeds as u64).wrapping_neg() << (8 * pit),
        ..Sowing::default()
    };
    // Houses a seed can fall into, in sowing order: own pits, own store, the opponent's pits.
    let mut house = pit;
    for _ in 0..seeds {
        house = (house + 1) % (2 * pits + 1);
        let (word, byte, landing) = if house < pits {
            (&mut change.mover, house, Landing(house as u32))
        } else if house == pits {
            (&mut change.mover, 7, Landing::STORE)
        } else {
            (&mut change.opponent, house - pits - 1, Landing::OPPONENT)
        };
        *word = word.wrapping_add(1 << (8 * byte));
        change.landing = landing;
    }
    change
}

/// Goes through some pits of a packed board, lowest first: those whose byte has its highest bit set.
#[derive(Clone, Debug, Default)]
pub struct FilledPits(u64);

impl Iterator for FilledPits {
    type Item = Pit;

    #[inline]
    fn next(&mut self) -> Option<Pit> {
        if self.0 == 0 {
            return None;
        }
        let pit = Pit((self.0.trailing_zeros() / 8) as u8);
        self.0 &= self.0 - 1;
        Some(pit)
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
        if self.0 == 0 {
            return None;
        }
        let highest = u64::BITS - 1 - self.0.leading_zeros();
        self.0 ^= 1 << highest;
        Some(Pit((highest / 8) as u8))
    }
}
