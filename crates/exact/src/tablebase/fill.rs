//! Fills one level of a tablebase.
//!
//! Inside a level a move that banks nothing lowers the sum of both sides' potentials, and every other
//! move leads to a lower level. So the positions of one split of the seeds (`m` for one player, `n - m`
//! for the other) are filled in order of that sum, in *tiles*: all movers of one potential against all
//! opponents of one potential. Tiles of the same sum do not read each other and are filled in
//! parallel; so are different splits.
//!
//! ```text
//!                     opponent's potential
//!                     6    7    8    9        tiles of equal number are filled together
//!    mover's    4     0    1    2    3
//!    potential  5     1    2    3    4
//! ```
//!
//! In a tile, each mover in turn is held fixed, and each of its moves is carried out on the whole row
//! of opponents; the finished tile is transposed when it is written to the table.

use crate::Watch;
use crate::tablebase::layout::Layout;
use crate::tablebase::numbering::{Group, Numbering};
use crate::tablebase::plan::{Kind, NO_PIT, Plan, Plans};
use kalahari_games::kalah::CaptureRule;
use rayon::prelude::*;

/// What is needed to fill levels of one tablebase.
#[derive(Clone, Copy)]
pub(crate) struct Filler<'a> {
    pub(crate) numbering: &'a Numbering,
    pub(crate) layout: &'a Layout,
    pub(crate) plans: &'a Plans,
    pub(crate) rule: CaptureRule,
    /// Stops the work between tiles, and receives the number of positions filled.
    pub(crate) watch: Watch<'a>,
}

/// Steps with fewer positions than this are not worth sharing between threads.
const WORTH_SHARING: usize = 1 << 14;

/// The current level, written by many threads in disjoint tiles.
#[derive(Clone, Copy)]
struct Level {
    start: *mut u8,
    /// The place of the level's first byte in the whole table.
    offset: usize,
    len: usize,
}

// SAFETY: a `Level` is only an address; `read` and `write` state when it may be used.
unsafe impl Send for Level {}
// SAFETY: as above.
unsafe impl Sync for Level {}

impl Level {
    /// Bytes of the level.
    ///
    /// # Safety
    /// No thread may write to them while the slice lives.
    unsafe fn read(&self, at: usize, len: usize) -> &[u8] {
        let begin = at - self.offset;
        assert!(begin + len <= self.len);
        // SAFETY: inside the level, and the caller guarantees that no thread writes.
        unsafe { std::slice::from_raw_parts(self.start.add(begin), len) }
    }

    /// Bytes of the level, to be written.
    ///
    /// # Safety
    /// No other thread may read or write them while the slice lives.
    #[expect(
        clippy::mut_from_ref,
        reason = "the caller guarantees exclusive access"
    )]
    unsafe fn write(&self, at: usize, len: usize) -> &mut [u8] {
        let begin = at - self.offset;
        assert!(begin + len <= self.len);
        // SAFETY: inside the level, and the caller guarantees exclusive access.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(begin), len) }
    }
}

/// The positions of mover's seeds and opponent's seeds, in groups.
#[derive(Clone, Copy)]
struct Tile {
    mover_seeds: usize,
    opponent_seeds: usize,
    movers: Group,
    opponents: Group,
}

impl Tile {
    fn size(&self) -> usize {
        (self.movers.end - self.movers.start) * (self.opponents.end - self.opponents.start)
    }
}

impl Filler<'_> {
    /// Fills level `n` from all lower ones. If told to stop, the level is left in an unspecified state.
    pub(crate) fn level(&self, n: usize, lower: &[u8], level: &mut [u8]) {
        let count = |k| self.numbering.count(k);
        let here = self.layout.level(n);
        level[..count(n)].fill((n as u8).wrapping_neg());
        let finished = self.layout.block(n, 0) - here;
        level[finished..].fill(n as u8);
        let ends = if n > 0 { 2 * count(n) as u64 } else { 1 };
        (self.watch.done)(ends);
        let level = Level {
            start: level.as_mut_ptr(),
            offset: here,
            len: level.len(),
        };
        let mut splits: Vec<usize> = (1..=n / 2).collect();
        splits.sort_by_key(|&m| std::cmp::Reverse(count(m) * count(n - m)));
        splits
            .par_iter()
            .with_max_len(1)
            .for_each(|&m| self.split(m, n - m, lower, level));
    }

    /// Fills the blocks (m, o) and (o, m).
    fn split(&self, m: usize, o: usize, lower: &[u8], level: Level) {
        let mut steps: Vec<Vec<Tile>> = Vec::new();
        let sides: &[(usize, usize)] = if m == o { &[(m, o)] } else { &[(m, o), (o, m)] };
        for &(mover_seeds, opponent_seeds) in sides {
            for &movers in self.numbering.groups(mover_seeds) {
                for &opponents in self.numbering.groups(opponent_seeds) {
                    let step = movers.potential + opponents.potential;
                    if steps.len() <= step {
                        steps.resize_with(step + 1, Vec::new);
                    }
                    steps[step].push(Tile {
                        mover_seeds,
                        opponent_seeds,
                        movers,
                        opponents,
                    });
                }
            }
        }
        for step in steps {
            if self.watch.stop.look() {
                return;
            }
            let size: usize = step.iter().map(Tile::size).sum();
            if size < WORTH_SHARING {
                let mut scratch = Scratch::default();
                for tile in &step {
                    self.tile(tile, lower, level, &mut scratch);
                }
            } else {
                step.par_iter()
                    .for_each_init(Scratch::default, |scratch, tile| {
                        self.tile(tile, lower, level, scratch);
                    });
            }
            (self.watch.done)(size as u64);
        }
    }

    fn tile(&self, tile: &Tile, lower: &[u8], level: Level, scratch: &mut Scratch) {
        let Tile {
            mover_seeds,
            opponent_seeds,
            movers,
            opponents,
        } = *tile;
        if self.watch.stop.is_requested() {
            return;
        }
        let width = opponents.end - opponents.start;
        let height = movers.end - movers.start;
        let (rows, aside) = scratch.clean(height * width);
        for (row, best) in rows.chunks_exact_mut(width).enumerate() {
            let mover = movers.start + row;
            let arrangement = self.numbering.first(mover_seeds) + mover;
            for plan in self.plans.of(arrangement) {
                self.carry_out(plan, tile, lower, level, (row, best), aside);
            }
        }
        let count = self.numbering.count(mover_seeds);
        let block = self.layout.block(mover_seeds, opponent_seeds);
        let mut column = 0;
        while column < width {
            let columns = SQUARE.min(width - column);
            // The movers' values against each of these opponents.
            let mut out: [&mut [u8]; SQUARE] = std::array::from_fn(|i| match i < columns {
                true => {
                    let at = block + (opponents.start + column + i) * count + movers.start;
                    // SAFETY: this tile is the only one that holds these positions, and tiles of the same
                    // step read only those of earlier steps.
                    unsafe { level.write(at, height) }
                }
                false => Default::default(),
            });
            turn_over(rows, width, column, &mut out[..columns]);
            for (i, out) in out[..columns].iter_mut().enumerate() {
                let opponent = opponents.start + column + i;
                self.extra_turns(tile, opponent, &aside.extra_turns, lower, out);
            }
            column += columns;
        }
    }

    /// Raises the values of a tile's movers against one opponent by the moves that earn another turn. A move is given by the
    /// row of its mover and the mover's arrangement afterwards. All of them lead to positions in a single row of the table.
    #[inline(always)]
    fn extra_turns(
        &self,
        tile: &Tile,
        opponent: usize,
        moves: &[(usize, usize)],
        lower: &[u8],
        out: &mut [u8],
    ) {
        if moves.is_empty() {
            return;
        }
        // One seed is banked, all others stay on the mover's side.
        let own_seeds = tile.mover_seeds - 1;
        let count = self.numbering.count(own_seeds);
        let at = self.layout.block(own_seeds, tile.opponent_seeds) + opponent * count;
        let values = &lower[at..at + count];
        for &(row, own) in moves {
            let value = (values[own] as i8).wrapping_add(1);
            out[row] = (out[row] as i8).max(value) as u8;
        }
    }

    /// Raises the best values of a row of opponents by one move of the mover. A move that earns another turn is put aside: such
    /// moves are carried out later for the whole tile.
    #[inline]
    fn carry_out(
        &self,
        plan: &Plan,
        tile: &Tile,
        lower: &[u8],
        level: Level,
        (number, best): (usize, &mut [i8]),
        aside: &mut Aside,
    ) {
        let k = tile.opponent_seeds;
        let width = best.len();
        let begin = tile.opponents.start;
        let first = self.numbering.first(k) + begin;
        let count = |k| self.numbering.count(k);
        let own = plan.own as usize;
        let own_seeds = usize::from(plan.own_seeds);
        // The row of positions with the mover's side as it is after the move and the opponent to move.
        let row = |seeds: usize, own_seeds: usize, own: usize| {
            self.layout.block(seeds, own_seeds) + own * count(seeds)
        };
        match plan.kind {
            Kind::None => {}
            Kind::Again => aside.extra_turns.push((number, own)),
            Kind::Quiet => {
                // SAFETY: the potential of the mover's side is lower now: these bytes belong to an earlier step, and no
                // thread writes to them.
                let values = unsafe { level.read(row(k, own_seeds, own) + begin, width) };
                for (best, &value) in best.iter_mut().zip(values) {
                    *best = (*best).max((value as i8).wrapping_neg());
                }
            }
            Kind::Beyond => {
                let beyond = usize::from(plan.beyond);
                let at = row(k + beyond, own_seeds, own);
                let values = &lower[at..at + count(k + beyond)];
                let numbers = &self.plans.increments(beyond)[first..first + width];
                for (best, &number) in best.iter_mut().zip(numbers) {
                    let value = values[number as usize] as i8;
                    *best = (*best).max(1_i8.wrapping_sub(value));
                }
            }
            Kind::Capture if self.rule.banks_without_prey() => {
                self.capture::<true>(plan, tile, lower, level, best, &mut aside.rows);
            }
            Kind::Capture => {
                self.capture::<false>(plan, tile, lower, level, best, &mut aside.rows);
            }
            Kind::Lap | Kind::LapAgain => self.lap(plan, tile, lower, best),
        }
    }

    /// A move that ends in an empty pit of the mover; `ALWAYS` if its last seed is banked even with nothing opposite.
    fn capture<const ALWAYS: bool>(
        &self,
        plan: &Plan,
        tile: &Tile,
        lower: &[u8],
        level: Level,
        best: &mut [i8],
        rows: &mut [usize; 64],
    ) {
        let k = tile.opponent_seeds;
        let (begin, width) = (tile.opponents.start, best.len());
        let count = |k| self.numbering.count(k);
        let own_seeds = usize::from(plan.own_seeds);
        let opposite = usize::from(plan.opposite);
        // Where the rows begin after taking 0, 1, 2, ... seeds from the opposite pit.
        for (taken, row) in rows.iter_mut().enumerate().take(k + 1) {
            let left = k - taken;
            *row = self.layout.block(left, own_seeds - 1) + plan.bare as usize * count(left);
        }
        let at = self.layout.block(k, own_seeds) + plan.own as usize * count(k) + begin;
        // SAFETY: the potential of the mover's side is lower now: these bytes belong to an earlier step, and no
        // thread writes to them.
        let quiet = unsafe { level.read(at, width) };
        let first = self.numbering.first(k) + begin;
        let numbers = &self.plans.captures(opposite)[first..first + width];
        let words = &self.numbering.words(k)[begin..begin + width];
        for (((best, &number), &word), &quiet) in best.iter_mut().zip(numbers).zip(words).zip(quiet)
        {
            let taken = (word >> (8 * opposite)) as usize & 63;
            let value = lower[rows[taken] + number as usize] as i8;
            let captured = (1 + taken as i8).wrapping_sub(value);
            let value = match taken == 0 && !ALWAYS {
                true => (quiet as i8).wrapping_neg(),
                false => captured,
            };
            *best = (*best).max(value);
        }
    }

    fn lap(&self, plan: &Plan, tile: &Tile, lower: &[u8], best: &mut [i8]) {
        let pits = self.numbering.pits();
        let own_seeds = usize::from(plan.own_seeds);
        let count = |k| self.numbering.count(k);
        let arrangement = |k: usize, number: usize| self.numbering.first(k) + number;
        for (best, opponent) in best.iter_mut().zip(tile.opponents.start..) {
            let (mut k, mut number) = (tile.opponent_seeds, opponent);
            let mut beyond = usize::from(plan.beyond);
            while beyond > 0 {
                let seeds = beyond.min(pits);
                number = self.plans.increments(seeds)[arrangement(k, number)] as usize;
                k += seeds;
                beyond -= seeds;
            }
            let mut banked = plan.banked as i8;
            if plan.opposite != NO_PIT {
                let pit = usize::from(plan.opposite);
                let taken = (self.numbering.words(k)[number] >> (8 * pit)) as usize & 0xff;
                number = self.plans.captures(pit)[arrangement(k, number)] as usize;
                k -= taken;
                banked += taken as i8;
            }
            let own = plan.own as usize;
            let value = if plan.kind == Kind::LapAgain {
                let at = self.layout.block(own_seeds, k) + number * count(own_seeds) + own;
                banked.wrapping_add(lower[at] as i8)
            } else {
                let at = self.layout.block(k, own_seeds) + own * count(k) + number;
                banked.wrapping_sub(lower[at] as i8)
            };
            *best = (*best).max(value);
        }
    }
}

/// Tiles are transposed in squares of this many bytes a side.
const SQUARE: usize = 8;

/// Writes columns of a tile from `column` on, at most [`SQUARE`] of them, as rows.
#[inline(always)]
fn turn_over(rows: &[i8], width: usize, column: usize, out: &mut [&mut [u8]]) {
    let height = rows.len() / width;
    let mut row = 0;
    while out.len() == SQUARE && row + SQUARE <= height {
        let square = std::array::from_fn(|i| {
            let begin = (row + i) * width + column;
            rows[begin..begin + SQUARE]
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte as u8))
        });
        for (out, word) in out.iter_mut().zip(transposed(square)) {
            out[row..row + SQUARE].copy_from_slice(&word.to_le_bytes());
        }
        row += SQUARE;
    }
    // The rest, which does not fill a square.
    let first = row * width + column;
    for (i, out) in out.iter_mut().enumerate() {
        let values = rows.iter().skip(first + i).step_by(width);
        for (byte, &value) in out[row..].iter_mut().zip(values) {
            *byte = value as u8;
        }
    }
}

/// A transposed square of bytes, a row in a word: first halves are exchanged, then quarters, then single bytes.
#[inline(always)]
fn transposed(mut rows: [u64; 8]) -> [u64; 8] {
    const LOW_HALVES: [u64; 3] = [
        0x0000_0000_ffff_ffff,
        0x0000_ffff_0000_ffff,
        0x00ff_00ff_00ff_00ff,
    ];
    for (step, mask) in [4, 2, 1].into_iter().zip(LOW_HALVES) {
        for i in (0..8).filter(|i| i & step == 0) {
            let (low, high) = (rows[i], rows[i + step]);
            rows[i] = low & mask | (high & mask) << (8 * step);
            rows[i + step] = low >> (8 * step) & mask | high & !mask;
        }
    }
    rows
}

/// A thread's buffers for a tile: the best values so far, and what else is needed.
#[derive(Default)]
struct Scratch(Vec<i8>, Aside);

struct Aside {
    /// The moves that earn another turn: the row of the mover, and its arrangement afterwards.
    extra_turns: Vec<(usize, usize)>,
    /// A buffer for the beginnings of rows; its old content means nothing.
    rows: [usize; 64],
}

impl Default for Aside {
    fn default() -> Self {
        Aside {
            extra_turns: Vec::new(),
            rows: [0; 64],
        }
    }
}

impl Scratch {
    /// A buffer of this many values, all as low as possible, and no moves.
    fn clean(&mut self, size: usize) -> (&mut [i8], &mut Aside) {
        self.0.clear();
        self.0.resize(size, i8::MIN);
        self.1.extra_turns.clear();
        (&mut self.0, &mut self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_turned_over() {
        for (height, width) in [(1, 1), (3, 9), (8, 8), (17, 30), (40, 7)] {
            let rows: Vec<i8> = (0..height * width).map(|n| (n * 37) as i8).collect();
            let mut turned = vec![0_u8; height * width];
            let mut outs: Vec<&mut [u8]> = turned.chunks_exact_mut(height).collect();
            for (n, out) in outs.chunks_mut(SQUARE).enumerate() {
                turn_over(&rows, width, SQUARE * n, out);
            }
            for (i, &byte) in turned.iter().enumerate() {
                assert_eq!(byte as i8, rows[i % height * width + i / height]);
            }
        }
    }
}
