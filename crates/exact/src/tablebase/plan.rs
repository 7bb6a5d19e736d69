//! What each move does to whole rows of positions.
//!
//! Hold the mover's arrangement fixed and let the opponent's run over many: what a move does to the mover's
//! side is the same for all of them, and the opponent's side changes through a table that is the same
//! for every mover. So a move is planned once for each arrangement and carried out on rows.

use crate::tablebase::numbering::{Numbering, byte_sum};
use kalahari_games::kalah::CaptureRule;
use rayon::prelude::*;

/// No opposite pit: the move captures nothing.
pub(crate) const NO_PIT: u8 = u8::MAX;

/// The kinds of moves, by what they read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The pit is empty: no move.
    #[default]
    None,
    /// All seeds stay in the mover's pits, the last one in a pit that held seeds.
    Quiet,
    /// All seeds stay in the mover's pits, the last one in an empty pit: a capture if the rule says so.
    Capture,
    /// One seed is banked, `beyond` (1 to P) seeds fall on the other side.
    Beyond,
    /// The last seed is banked: another turn.
    Again,
    /// The sowing comes back to the mover's side; everything else is in the plan.
    Lap,
    /// As `Lap`, ending in the store: another turn.
    LapAgain,
}

/// One move of one arrangement.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) kind: Kind,
    /// Seeds banked by sowing and, in a lap that captures, the mover's own seeds captured.
    pub(crate) banked: u8,
    /// Seeds that fall on the other side.
    pub(crate) beyond: u8,
    /// The other side's pit that a capture empties, or [`NO_PIT`].
    pub(crate) opposite: u8,
    /// Seeds left on the mover's side in the arrangement `own`.
    pub(crate) own_seeds: u8,
    /// The number of the mover's arrangement afterwards. For `Kind::Capture`: if nothing is captured.
    pub(crate) own: u32,
    /// For `Kind::Capture`: the number of the mover's arrangement if something is captured (one seed fewer).
    pub(crate) bare: u32,
}

/// Every plan, and what sowing and captures do to the other side's numbers.
#[derive(Debug)]
pub(crate) struct Plans {
    pits: usize,
    rule: CaptureRule,
    /// Arrangements with fewer seeds than this are planned.
    sizes: usize,
    /// Entry `pits * (first(k) + number) + pit`.
    plans: Vec<Plan>,
    /// `increments[j - 1][first(k) + number]`: the number with one more seed in each of the pits 0 to j-1, as far as
    /// arrangements of `k + j` seeds are planned.
    increments: Vec<Vec<u32>>,
    /// `captures[pit][first(k) + number]`: the number with that pit emptied.
    captures: Vec<Vec<u32>>,
}

impl Plans {
    /// Plans for no arrangement yet.
    pub(crate) fn new(pits: usize, rule: CaptureRule) -> Self {
        Plans {
            pits,
            rule,
            sizes: 0,
            plans: Vec::new(),
            increments: vec![Vec::new(); pits],
            captures: vec![Vec::new(); pits],
        }
    }

    /// Plans the moves of all arrangements that are numbered.
    pub(crate) fn grow(&mut self, numbering: &Numbering) {
        for k in self.sizes..=numbering.seeds() {
            self.add_size(numbering, k);
        }
        self.sizes = numbering.seeds() + 1;
    }

    fn add_size(&mut self, numbering: &Numbering, k: usize) {
        let (pits, rule) = (self.pits, self.rule);
        let words = numbering.words(k);
        // Sowing adds seeds, so its effect on arrangements with fewer seeds is known only now.
        let increments = self.increments.par_iter_mut().enumerate();
        increments.for_each(|(i, numbers)| {
            let added = i + 1;
            let ones = 0x0101_0101_0101_0101_u64 >> (64 - 8 * added);
            if let Some(before) = k.checked_sub(added) {
                let number = |&word: &u64| numbering.number(k, word + ones) as u32;
                numbers.extend(numbering.words(before).iter().map(number));
            }
        });
        let captures = self.captures.par_iter_mut().enumerate();
        captures.for_each(|(pit, numbers)| {
            numbers.extend(words.iter().map(|&word| {
                let taken = word & (0xff << (8 * pit));
                numbering.number(k - (taken >> (8 * pit)) as usize, word - taken) as u32
            }));
        });
        let plans = words
            .par_iter()
            .flat_map_iter(|&word| (0..pits).map(move |pit| plan(numbering, rule, word, pit)));
        self.plans.par_extend(plans);
    }

    /// The plans of the arrangement `first(k) + number`, one a pit.
    #[inline]
    pub(crate) fn of(&self, arrangement: usize) -> &[Plan] {
        &self.plans[self.pits * arrangement..self.pits * (arrangement + 1)]
    }

    /// What `beyond` seeds (1 to P) do to the numbers, indexed by `first(k) + number`.
    #[inline]
    pub(crate) fn increments(&self, beyond: usize) -> &[u32] {
        &self.increments[beyond - 1]
    }

    /// What emptying a pit does to the numbers, indexed by `first(k) + number`.
    #[inline]
    pub(crate) fn captures(&self, pit: usize) -> &[u32] {
        &self.captures[pit]
    }
}

fn plan(numbering: &Numbering, rule: CaptureRule, word: u64, pit: usize) -> Plan {
    let pits = numbering.pits();
    let seeds = (word >> (8 * pit) & 0xff) as usize;
    if seeds == 0 {
        return Plan::default();
    }
    let mut own = word - ((seeds as u64) << (8 * pit));
    let (mut banked, mut beyond, mut house) = (0, 0, pit);
    for _ in 0..seeds {
        house = (house + 1) % (2 * pits + 1);
        match house {
            house if house < pits => own += 1 << (8 * house),
            house if house == pits => banked += 1,
            _ => beyond += 1,
        }
    }
    let own_seeds = byte_sum(own);
    let number = |word| numbering.number(byte_sum(word), word) as u32;
    let planned = Plan {
        kind: Kind::None,
        banked,
        beyond,
        opposite: NO_PIT,
        own_seeds: own_seeds as u8,
        own: number(own),
        bare: 0,
    };
    let lap = seeds > 2 * pits - pit;
    if house == pits {
        let kind = if lap { Kind::LapAgain } else { Kind::Again };
        return Plan { kind, ..planned };
    }
    if house > pits {
        let kind = if lap { Kind::Lap } else { Kind::Beyond };
        return Plan { kind, ..planned };
    }
    let here = own >> (8 * house) & 0xff;
    let empty = match rule {
        CaptureRule::PreMoveEmpty => word >> (8 * house) & 0xff == 0,
        CaptureRule::Standard | CaptureRule::EmptyCapture => here == 1,
    };
    let opposite = (pits - 1 - house) as u8;
    let bare = own - (here << (8 * house));
    match (lap, empty) {
        (false, false) => Plan {
            kind: Kind::Quiet,
            ..planned
        },
        (false, true) => Plan {
            kind: Kind::Capture,
            opposite,
            bare: number(bare),
            ..planned
        },
        (true, false) => Plan {
            kind: Kind::Lap,
            ..planned
        },
        // Every pit of the other side has just got a seed, so there is something to capture.
        (true, true) => Plan {
            kind: Kind::Lap,
            banked: banked + here as u8,
            opposite,
            own_seeds: (own_seeds - here as usize) as u8,
            own: number(bare),
            ..planned
        },
    }
}
