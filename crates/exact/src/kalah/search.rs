//! One null window: is the future margin of a position at least `beta`?
//!
//! All values here are future margins, stores left out. With `n` seeds in the pits a future margin lies in
//! `-n..=n` and has the parity of `n`.

use crate::effort::{Account, Effort};
use crate::kalah::Techniques;
use crate::kalah::meter::{METERED, Meter};
use crate::kalah::ordering::{Guess, SEED, gain};
use crate::kalah::table::{Known, NO_MOVE, Table};
use crate::tablebase::Tablebase;
use kalahari_games::Game;
use kalahari_games::kalah::{Board, Kalah, MAX_PITS, Pit, Side};
use kalahari_storage::prefetch;
use std::cmp::Reverse;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What the threads of a search share.
pub(crate) struct Shared<'a, B: Board, T: Table> {
    pub(crate) game: &'a Kalah<B>,
    pub(crate) table: &'a T,
    pub(crate) tablebase: Option<&'a Tablebase>,
    pub(crate) techniques: Techniques,
    pub(crate) guess: &'a Guess,
    /// What the proof may spend and has spent.
    pub(crate) effort: &'a Effort,
    /// Set by the thread that has the answer: the others can give up this window.
    pub(crate) answered: AtomicBool,
    pub(crate) busy: &'a Busy,
}

/// Positions that some thread is searching right now. A slot holds the word of a key; when two positions share a
/// slot or a word, threads only miss a chance to help each other.
#[derive(Debug)]
pub(crate) struct Busy(Vec<AtomicU64>);

impl Busy {
    pub(crate) fn new() -> Self {
        Busy((0..1 << 14).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, word: u64) -> &AtomicU64 {
        &self.0[(word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50) as usize]
    }

    fn is_busy(&self, word: u64) -> bool {
        self.slot(word).load(Ordering::Relaxed) == word
    }

    fn enter(&self, word: u64) {
        self.slot(word).store(word, Ordering::Relaxed);
    }

    fn leave(&self, word: u64) {
        self.slot(word).store(0, Ordering::Relaxed);
    }
}

/// A position with at least this many seeds more than the tablebase is worth marking as busy.
const WORTH_MARKING: usize = 8;

// How far to look ahead when moves are put in order: not at all up to `LOOK_ABOVE` seeds above the tablebase, then a turn
// further every `LOOK_STEP` seeds. Measured together with the two bonuses below on kalah:6x4.
const LOOK_ABOVE: i32 = 4;
const LOOK_STEP: i32 = 4;
/// So many positions looked at ahead are at most the work of a node.
const LOOKS_A_NODE: u64 = 64;
/// What a seed banked by a move counts. More than a guessed seed: fewer seeds on the board make shorter proofs.
const GAIN: i32 = 9 * SEED / 2;
/// What an extra turn counts beyond its guess.
const EXTRA_TURN: i32 = 200;

/// A thread of a search.
pub(crate) struct Searcher<'a, B: Board, T: Table> {
    shared: &'a Shared<'a, B, T>,
    tablebase_seeds: usize,
    parallel: bool,
    account: Account<'a>,
    /// The ply of the position that is searched; kept only in the first ones, and only if somebody watches this thread.
    ply: usize,
    meter: Option<&'a Meter>,
}

/// A move that is still open.
#[derive(Clone, Copy)]
struct Child<B, K> {
    position: B,
    key: K,
    /// What the mover gains over the opponent by the move itself.
    gain: i32,
    seeds: i32,
    order: i32,
    pit: u8,
    best: u8,
    again: bool,
    finished: bool,
}

impl<'a, B: Board, T: Table> Searcher<'a, B, T> {
    /// A thread that tells a meter how far it is, if there is one.
    pub(crate) fn new(
        shared: &'a Shared<'a, B, T>,
        parallel: bool,
        meter: Option<&'a Meter>,
    ) -> Self {
        Searcher {
            shared,
            tablebase_seeds: shared.tablebase.map_or(0, Tablebase::seeds),
            parallel,
            account: shared.effort.account(),
            ply: 0,
            meter,
        }
    }

    /// A bound of the future margin: at least `beta` and then a lower one, or below `beta` and then an upper
    /// one. `None` if the search was stopped.
    pub(crate) fn window(mut self, position: &B, beta: i32) -> Option<i32> {
        let seeds = position.seeds_in_play() as i32;
        if position.is_finished() {
            Some(0)
        } else if beta <= -seeds {
            Some(-seeds)
        } else if beta > seeds {
            Some(seeds)
        } else if let Some(exact) = self.probe(position) {
            Some(exact)
        } else {
            let key = self.shared.table.key(position);
            match self.shared.table.get(key) {
                Some(known) if known.lower >= beta => Some(known.lower),
                Some(known) if known.upper < beta => Some(known.upper),
                known => {
                    let best = known.map_or(NO_MOVE, |known| known.best);
                    self.search(position, key, seeds, beta, best)
                }
            }
        }
    }

    fn probe(&self, position: &B) -> Option<i32> {
        self.shared
            .tablebase?
            .future_margin(self.shared.game, position)
    }

    /// [`window`](Self::window) for a position in play that neither tables nor its seeds decide.
    fn search(
        &mut self,
        position: &B,
        key: T::Key,
        seeds: i32,
        beta: i32,
        first: u8,
    ) -> Option<i32> {
        let shared = self.shared;
        if self.account.count_node() || shared.answered.load(Ordering::Relaxed) {
            return None;
        }
        let begun = self.account.nodes();
        // What the seeds on the board and the tables say of each move: decided moves fall off the list.
        // The tablebase comes first, since it decides most, and its answer may save looking into the table.
        let mut best = -seeds;
        let mut open = [const { MaybeUninit::<Child<B, T::Key>>::uninit() }; MAX_PITS];
        let mut count = 0;
        let mut places = [(0_usize, 0_i32, false); MAX_PITS];
        let mut place_count = 0;
        for pit in position.filled_pits() {
            let mut child = self.child(position, pit);
            if child.finished {
                if child.gain >= beta {
                    return Some(child.gain);
                }
                best = best.max(child.gain);
                continue;
            }
            if child.seeds as usize <= self.tablebase_seeds
                && let Some(place) = self.place(&child.position)
            {
                places[place_count] = (place, child.gain, child.again);
                place_count += 1;
                continue;
            }
            if shared.techniques.range_cuts {
                if child.gain - child.seeds >= beta {
                    return Some(child.gain - child.seeds);
                }
                if child.gain + child.seeds < beta {
                    best = best.max(child.gain + child.seeds);
                    continue;
                }
            }
            child.key = shared.table.key(&child.position);
            if shared.techniques.prefetch {
                shared.table.prefetch(child.key);
            }
            open[count].write(child);
            count += 1;
        }
        if let Some(tablebase) = shared.tablebase {
            for &(place, gain, again) in &places[..place_count] {
                let exact = tablebase.margin_at(place);
                let value = if again { gain + exact } else { gain - exact };
                if value >= beta {
                    return Some(value);
                }
                best = best.max(value);
            }
        }
        // SAFETY: the first `count` have been written, and a `MaybeUninit` is laid out like its content.
        let open = unsafe { &mut *(&raw mut open[..count] as *mut [Child<B, T::Key>]) };
        let mut decided = 0_u32;
        if shared.techniques.early_cutoffs {
            for (i, child) in open.iter_mut().enumerate() {
                let (low, high) = self.bounds(child);
                if low >= beta {
                    let pit = child.pit;
                    self.put(key, low, beta, pit, seeds, begun);
                    return Some(low);
                }
                if high < beta {
                    best = best.max(high);
                    decided |= 1 << i;
                }
            }
        }
        let mut order = [0_u8; MAX_PITS];
        let mut order_count = 0;
        for i in (0..open.len()).filter(|i| decided & (1 << i) == 0) {
            order[order_count] = i as u8;
            order_count += 1;
        }
        let order = &mut order[..order_count];
        // The move of an earlier window needs no rivals: the others are put in order only if it fails.
        let known = order.iter().position(|&i| open[i as usize].pit == first);
        if let Some(known) = known {
            order.swap(0, known);
        }
        let settled = usize::from(known.is_some());

        let mark = self.parallel && seeds as usize >= self.tablebase_seeds + WORTH_MARKING;
        let mut put_off = 0_u32;
        for pass in 0..2 {
            for turn in 0..order.len() {
                if pass == 0 && turn == settled {
                    self.arrange(seeds, open, &mut order[settled..]);
                }
                let i = order[turn];
                let child = &mut open[i as usize];
                if pass == 1 && put_off & (1 << i) == 0 {
                    continue;
                }
                let word = shared.table.word(child.key);
                if pass == 0 && mark && turn > 0 && shared.busy.is_busy(word) {
                    put_off |= 1 << i;
                    continue;
                }
                if pass == 1 || !shared.techniques.early_cutoffs {
                    // Another thread, or another move of this position, may have decided it meanwhile.
                    let (low, high) = self.bounds(child);
                    if low >= beta {
                        let pit = child.pit;
                        self.put(key, low, beta, pit, seeds, begun);
                        return Some(low);
                    }
                    if high < beta {
                        best = best.max(high);
                        continue;
                    }
                }
                if mark {
                    shared.busy.enter(word);
                }
                let window = match child.again {
                    true => beta - child.gain,
                    // The opponent must not get more than gain - beta.
                    false => child.gain - beta + 1,
                };
                if let (Some(meter), true) = (self.meter, self.ply < METERED) {
                    if self.ply == 0 {
                        meter.root(order.iter().map(|&i| open[i as usize].pit));
                    }
                    meter.at(self.ply, turn, order.len());
                }
                let child = &open[i as usize];
                self.ply += 1;
                let found =
                    self.search(&child.position, child.key, child.seeds, window, child.best);
                self.ply -= 1;
                if mark {
                    shared.busy.leave(word);
                }
                let value = match child.again {
                    true => child.gain + found?,
                    false => child.gain - found?,
                };
                if value >= beta {
                    let pit = child.pit;
                    self.put(key, value, beta, pit, seeds, begun);
                    return Some(value);
                }
                best = best.max(value);
            }
            if put_off == 0 {
                break;
            }
        }
        self.put(key, best, beta, NO_MOVE, seeds, begun);
        Some(best)
    }

    /// Puts moves of a position with `seeds` seeds in the order in which they are to be tried.
    fn arrange(&mut self, seeds: i32, open: &mut [Child<B, T::Key>], order: &mut [u8]) {
        if order.len() < 2 {
            return;
        }
        let techniques = self.shared.techniques;
        let above = seeds - self.tablebase_seeds as i32;
        let turns = ((above - LOOK_ABOVE) / LOOK_STEP).max(0) as u32;
        let turns = turns.min(techniques.longest_look);
        let looked_at = (self.shared.game.pits() as u64).pow(turns);
        self.account.is_work_of(looked_at / LOOKS_A_NODE);
        let mut best = i32::MIN / 4;
        for &i in &*order {
            let child = &mut open[i as usize];
            child.order = if !techniques.ordering {
                child.pit.into()
            } else if !techniques.look_ahead {
                let again = if child.again { 100 } else { 0 };
                again + 20 * child.gain + i32::from(child.pit)
            } else {
                // How much worse than the best so far a move is need not be known.
                let (game, position) = (self.shared.game, &child.position);
                let sure = GAIN * child.gain + if child.again { EXTRA_TURN } else { 0 };
                let least = best - sure;
                let (low, high) = match child.again {
                    true => (least, i32::MAX / 4),
                    false => (i32::MIN / 4, -least),
                };
                let guess = self.shared.guess.ahead(game, position, turns, low, high);
                sure + if child.again { guess } else { -guess }
            };
            best = best.max(child.order);
        }
        order.sort_unstable_by_key(|&i| Reverse(open[i as usize].order));
    }

    /// Where the tablebase has a position, on its way here.
    #[inline]
    fn place(&self, position: &B) -> Option<usize> {
        let tablebase = self.shared.tablebase?;
        let pits = self.shared.game.pits();
        let mover = position.pit_bytes(Side::Mover, pits)?;
        let opponent = position.pit_bytes(Side::Opponent, pits)?;
        let place = tablebase.place(mover, opponent)?;
        if self.shared.techniques.prefetch {
            prefetch(&tablebase.bytes()[place..]);
        }
        Some(place)
    }

    /// Plays a move. Its key and its place in the order are left open.
    #[inline]
    fn child(&self, position: &B, pit: Pit) -> Child<B, T::Key> {
        let shared = self.shared;
        let after = shared.game.play_unchecked(position, pit);
        let again = after.player() == position.player();
        let gain = gain(shared.game, position, &after, again);
        Child {
            position: after,
            key: T::Key::default(),
            gain,
            seeds: after.seeds_in_play() as i32,
            order: 0,
            pit: pit.0,
            best: NO_MOVE,
            again,
            finished: after.is_finished(),
        }
    }

    /// What the table knows of the value of a move, as the mover sees it; also notes the best reply.
    #[inline]
    fn bounds(&self, child: &mut Child<B, T::Key>) -> (i32, i32) {
        let (mut low, mut high) = self.outer(child.seeds);
        if let Some(known) = self.shared.table.get(child.key) {
            low = known.lower;
            high = known.upper;
            child.best = known.best;
        }
        match child.again {
            true => (child.gain + low, child.gain + high),
            false => (child.gain - high, child.gain - low),
        }
    }

    /// What the number of seeds alone says of a future margin; nothing but what fits an entry if that is switched off.
    #[inline]
    fn outer(&self, seeds: i32) -> (i32, i32) {
        match self.shared.techniques.range_cuts {
            true => (-seeds, seeds),
            false => (-T::WIDEST, T::WIDEST),
        }
    }

    fn put(&self, key: T::Key, value: i32, beta: i32, best: u8, seeds: i32, begun: u64) {
        let work = self.account.nodes() - begun;
        let weight = (64 - work.leading_zeros()).clamp(1, 15) as u8;
        let (lowest, highest) = self.outer(seeds);
        let known = match value >= beta {
            true => Known {
                lower: value,
                upper: highest,
                best,
            },
            false => Known {
                lower: lowest,
                upper: value,
                best,
            },
        };
        self.shared.table.put(key, known, weight);
    }
}
