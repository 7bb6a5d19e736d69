//! One null window: is the future margin of a position at least `beta`?
//!
//! All values here are future margins, stores left out. With `n` seeds in the pits a future margin lies in
//! `-n..=n` and has the parity of `n`.

use crate::kalah::Techniques;
use crate::kalah::table::{Known, NO_MOVE, Table};
use crate::kalah::word_table::prefetch;
use crate::tablebase::Tablebase;
use kalahari_games::kalah::{Board, Kalah, MAX_PITS, Pit, Side};
use kalahari_games::{Game, Player};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What the threads of a search share.
pub(crate) struct Shared<'a, B: Board, T: Table> {
    pub(crate) game: &'a Kalah<B>,
    pub(crate) table: &'a T,
    pub(crate) tablebase: Option<&'a Tablebase>,
    pub(crate) techniques: Techniques,
    /// Set from outside: give up for good.
    pub(crate) stop: &'a AtomicBool,
    /// Set by the thread that has the answer: the others can give up this window.
    pub(crate) answered: AtomicBool,
    pub(crate) nodes: &'a AtomicU64,
    pub(crate) busy: Busy,
}

/// Positions that some thread is searching right now. A slot holds the word of a key; when two positions share a
/// slot or a word, threads only miss a chance to help each other.
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

/// A thread of a search.
pub(crate) struct Searcher<'a, B: Board, T: Table> {
    shared: &'a Shared<'a, B, T>,
    tablebase_seeds: usize,
    parallel: bool,
    nodes: u64,
    reported: u64,
}

/// A move that is still open.
#[derive(Clone, Copy)]
struct Child<B, K> {
    position: B,
    key: K,
    /// Where the tablebase has it, if it does.
    place: usize,
    /// What the mover gains over the opponent by the move itself.
    gain: i32,
    seeds: i32,
    order: i32,
    pit: u8,
    best: u8,
    again: bool,
    finished: bool,
}

/// The sum of the seeds in the pits.
pub(crate) fn seeds_in_pits<B: Board>(position: &B) -> u32 {
    position.total() - position.store(Side::Mover) - position.store(Side::Opponent)
}

impl<'a, B: Board, T: Table> Searcher<'a, B, T> {
    pub(crate) fn new(shared: &'a Shared<'a, B, T>, parallel: bool) -> Self {
        Searcher {
            shared,
            tablebase_seeds: shared.tablebase.map_or(0, Tablebase::seeds),
            parallel,
            nodes: 0,
            reported: 0,
        }
    }

    /// A bound of the future margin: at least `beta` and then a lower one, or below `beta` and then an upper
    /// one. `None` if the search was stopped.
    pub(crate) fn window(mut self, position: &B, beta: i32) -> Option<i32> {
        let seeds = seeds_in_pits(position) as i32;
        let result = if position.is_finished() {
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
        };
        self.report();
        result
    }

    /// Adds the nodes since the last report to the shared count.
    fn report(&mut self) {
        let new = self.nodes - self.reported;
        self.shared.nodes.fetch_add(new, Ordering::Relaxed);
        self.reported = self.nodes;
    }

    fn probe(&self, position: &B) -> Option<i32> {
        self.shared.tablebase?.future_margin(self.shared.game, position)
    }

    /// [`window`](Self::window) for a position in play that neither tables nor its seeds decide.
    fn search(&mut self, position: &B, key: T::Key, seeds: i32, beta: i32, first: u8) -> Option<i32> {
        self.nodes += 1;
        let begun = self.nodes;
        if self.nodes & 0xfff == 0 {
            self.report();
        }
        if self.shared.stop.load(Ordering::Relaxed) || self.shared.answered.load(Ordering::Relaxed) {
            return None;
        }
        let shared = self.shared;
        let mut children = [const { None::<Child<B, T::Key>> }; MAX_PITS];
        let mut count = 0;
        for pit in position.filled_pits() {
            children[count] = Some(self.child(position, pit, first));
            count += 1;
        }
        let children = &mut children[..count];

        // What the tables and the number of seeds say of each move. Decided moves are taken off the list.
        let mut best = -seeds;
        let mut open = [0_usize; MAX_PITS];
        let mut open_count = 0;
        for (i, slot) in children.iter_mut().enumerate() {
            let Some(child) = slot else { continue };
            let (low, high) = self.bounds(child, shared.techniques.early_cutoffs);
            if low >= beta {
                self.put(key, low, beta, child.pit, seeds, begun);
                return Some(low);
            }
            if high < beta {
                best = best.max(high);
            } else {
                open[open_count] = i;
                open_count += 1;
            }
        }
        let open = &mut open[..open_count];
        let order = |i: &usize| children[*i].as_ref().map_or(0, |child| -child.order);
        open.sort_unstable_by_key(order);

        let mark = self.parallel && seeds as usize >= self.tablebase_seeds + WORTH_MARKING;
        let mut put_off = 0_u32;
        for pass in 0..2 {
            for (turn, &i) in open.iter().enumerate() {
                let Some(child) = &children[i] else { continue };
                if pass == 1 && put_off & (1 << i) == 0 {
                    continue;
                }
                let word = shared.table.word(child.key);
                if pass == 0 && mark && turn > 0 && shared.busy.is_busy(word) {
                    put_off |= 1 << i;
                    continue;
                }
                if pass == 1 || !shared.techniques.early_cutoffs {
                    // Another thread has probably finished it meanwhile.
                    let mut child = *child;
                    let (low, high) = self.bounds(&mut child, true);
                    if low >= beta {
                        self.put(key, low, beta, child.pit, seeds, begun);
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
                let found = self.search(&child.position, child.key, child.seeds, window, child.best);
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

    /// Plays a move and brings what the tables say of it near.
    #[inline]
    fn child(&self, position: &B, pit: Pit, first: u8) -> Child<B, T::Key> {
        let shared = self.shared;
        let after = shared.game.play_unchecked(position, pit);
        let again = after.player() == position.player();
        let margin = |board: &B, player: Player| {
            let margin = shared.game.store_margin(board);
            if board.player() == player { margin } else { -margin }
        };
        let gain = margin(&after, position.player()) - margin(position, position.player());
        let seeds = seeds_in_pits(&after);
        let mut place = usize::MAX;
        let key = if seeds as usize <= self.tablebase_seeds
            && let Some(tablebase) = shared.tablebase
        {
            let pits = shared.game.pits();
            let side = |side| after.pit_bytes(side, pits);
            if let (Some(mover), Some(opponent)) = (side(Side::Mover), side(Side::Opponent))
                && let Some(found) = tablebase.place(mover, opponent)
            {
                place = found;
                if shared.techniques.prefetch {
                    prefetch(&tablebase.bytes()[place..]);
                }
            }
            T::Key::default()
        } else {
            let key = shared.table.key(&after);
            if shared.techniques.prefetch {
                shared.table.prefetch(key);
            }
            key
        };
        let order = if !shared.techniques.ordering {
            pit.0.into()
        } else if pit.0 == first {
            10_000
        } else {
            let again = if again { 1000 } else { 0 };
            again + 20 * gain + i32::from(pit.0)
        };
        Child {
            position: after,
            key,
            place,
            gain,
            seeds: seeds as i32,
            order,
            pit: pit.0,
            best: NO_MOVE,
            again,
            finished: after.is_finished(),
        }
    }

    /// What is proven of the value of a move, as the mover sees it.
    #[inline]
    fn bounds(&self, child: &mut Child<B, T::Key>, look: bool) -> (i32, i32) {
        let (mut low, mut high) = match self.shared.techniques.range_cuts {
            true => (-child.seeds, child.seeds),
            false => (-1000, 1000),
        };
        if child.finished {
            (low, high) = (0, 0);
        } else if let Some(tablebase) = self.shared.tablebase
            && child.place != usize::MAX
        {
            let exact = tablebase.margin_at(child.place);
            (low, high) = (exact, exact);
        } else if look
            && let Some(known) = self.shared.table.get(child.key)
        {
            low = low.max(known.lower);
            high = high.min(known.upper);
            child.best = known.best;
        }
        match child.again {
            true => (child.gain + low, child.gain + high),
            false => (child.gain - high, child.gain - low),
        }
    }

    fn put(&self, key: T::Key, value: i32, beta: i32, best: u8, seeds: i32, begun: u64) {
        let work = self.nodes - begun;
        let weight = (64 - work.leading_zeros()).clamp(1, 15) as u8;
        let known = match value >= beta {
            true => Known {
                lower: value,
                upper: seeds,
                best,
            },
            false => Known {
                lower: -seeds,
                upper: value,
                best,
            },
        };
        self.shared.table.put(key, known, weight);
    }
}
