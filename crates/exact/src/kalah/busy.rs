//! Positions that are being searched right now, so that parallel searches of the same window spread out.

use std::sync::atomic::{AtomicU64, Ordering};

/// Positions that some lane is searching right now. A slot holds the word of a key; if two positions share a slot or a
/// word, lanes only spread out less well.
#[derive(Debug)]
pub(crate) struct Busy(Vec<AtomicU64>);

impl Busy {
    pub(crate) fn new() -> Self {
        Busy((0..1 << 14).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, word: u64) -> &AtomicU64 {
        &self.0[(word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50) as usize]
    }

    pub(crate) fn is_busy(&self, word: u64) -> bool {
        self.slot(word).load(Ordering::Relaxed) == word
    }

    pub(crate) fn enter(&self, word: u64) {
        self.slot(word).store(word, Ordering::Relaxed);
    }

    pub(crate) fn leave(&self, word: u64) {
        self.slot(word).store(0, Ordering::Relaxed);
    }
}
