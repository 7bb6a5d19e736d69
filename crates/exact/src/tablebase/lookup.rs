//! A tablebase in use.

use crate::tablebase::TableSpec;
use crate::tablebase::halved::Halved;
use crate::tablebase::layout::Layout;
use crate::tablebase::numbering::{Numbering, byte_sum};
use kalahari_games::kalah::{Board, Kalah, Side};
use kalahari_storage::{FileBytes, Pages, prefetch};
use std::io;
use std::sync::OnceLock;

/// The exact future margins of all positions of a family with at most [`seeds`](Tablebase::seeds) seeds.
#[derive(Debug)]
pub struct Tablebase {
    pub(super) spec: TableSpec,
    pub(super) seeds: usize,
    pub(super) numbering: Numbering,
    pub(super) layout: Layout,
    pub(super) bytes: Bytes,
    /// The same at half the size, once it was asked for.
    pub(super) halved: OnceLock<Halved>,
}

/// Where the bytes are kept. In a file they are followed by checksums, which are not looked up.
#[derive(Debug)]
pub(super) enum Bytes {
    Memory(Pages),
    File { file: FileBytes, start: usize },
}

impl Bytes {
    #[inline]
    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Memory(pages) => pages,
            Bytes::File { file, start } => &file[*start..],
        }
    }
}

impl Tablebase {
    /// The family of positions.
    pub fn spec(&self) -> TableSpec {
        self.spec
    }

    /// Positions with at most this many seeds in the pits are known.
    #[inline]
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// How many positions are known, finished ones included.
    pub fn positions(&self) -> u64 {
        self.layout.level(self.seeds + 1) as u64
    }

    /// Whether the bytes are mapped from a file.
    pub fn is_on_disk(&self) -> bool {
        matches!(self.bytes, Bytes::File { .. })
    }

    /// Makes a copy of half the size in memory, which solvers use from now on; the bytes themselves are read only for margins
    /// far from zero. Useful for a table on disk that is larger than the memory: bytes that are not read take no memory.
    ///
    /// An error if there is no room for it.
    pub fn halve(&self) -> io::Result<()> {
        if self.halved.get().is_none() {
            // If another thread was faster, this copy is dropped.
            let _ = self.halved.set(Halved::new(self)?);
        }
        Ok(())
    }

    /// The copy of half the size, if there is one.
    #[inline]
    pub(crate) fn halved(&self) -> Option<&Halved> {
        self.halved.get()
    }

    /// The future margin of a position as its mover sees it, stores left out, or `None` if it has too
    /// many seeds or belongs to another family.
    ///
    /// A finished position has the future margin 0: its seeds are in the stores.
    #[inline]
    pub fn future_margin<B: Board>(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        let spec = game.kalah_spec();
        if spec.pits() != self.spec.pits() || spec.rule() != self.spec.rule() {
            return None;
        }
        let side = |side| position.pit_bytes(side, self.spec.pits());
        self.margin_of_words(side(Side::Mover)?, side(Side::Opponent)?)
    }

    /// The final margin of a position, stores included, as its mover sees it; otherwise as
    /// [`future_margin`](Self::future_margin).
    #[inline]
    pub fn final_margin<B: Board>(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        let future = self.future_margin(game, position)?;
        Some(game.store_margin(position) + future)
    }

    /// The future margin of two sides given as pits in bytes, pit 0 lowest, nothing above the last pit.
    #[inline]
    pub(crate) fn margin_of_words(&self, mover: u64, opponent: u64) -> Option<i32> {
        let place = self.place(mover, opponent)?;
        Some(self.margin_at(place))
    }

    /// Where the byte of a position is, or `None` if it has too many seeds.
    #[inline]
    pub(crate) fn place(&self, mover: u64, opponent: u64) -> Option<usize> {
        let (m, o) = (byte_sum(mover), byte_sum(opponent));
        if m + o > self.seeds {
            return None;
        }
        Some(self.place_of(m, mover, o, opponent))
    }

    /// Where the byte of a position is whose sides hold `m` and `o` seeds, at most `seeds` in all.
    #[inline]
    pub(crate) fn place_of(&self, m: usize, mover: u64, o: usize, opponent: u64) -> usize {
        let row = self.numbering.number(o, opponent) * self.numbering.count(m);
        self.layout.block(m, o) + row + self.numbering.number(m, mover)
    }

    /// Starts to load the byte at a place into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        prefetch(&self.bytes.as_slice()[place]);
    }

    /// The margin at a place that [`place`](Self::place) gave.
    #[inline]
    pub(crate) fn margin_at(&self, place: usize) -> i32 {
        i32::from(self.bytes.as_slice()[place] as i8)
    }

    /// The bytes of all positions, in the order of the layout.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes.as_slice()[..self.layout.level(self.seeds + 1)]
    }

    /// How many positions have each margin, lowest margin first.
    pub fn distribution(&self) -> Vec<(i32, u64)> {
        let mut counts = [0_u64; 256];
        for &byte in self.bytes() {
            counts[usize::from(byte)] += 1;
        }
        let margins = i32::from(i8::MIN)..=i32::from(i8::MAX);
        margins
            .map(|margin| (margin, counts[usize::from(margin as i8 as u8)]))
            .filter(|&(_, count)| count > 0)
            .collect()
    }
}
