//! Memory for a table: zeroed words that are touched only when they are used.

use memmap2::MmapMut;
use std::sync::atomic::AtomicU64;

/// A fixed number of atomic words, zero at first.
#[derive(Debug)]
pub(super) struct Words {
    memory: Memory,
}

#[derive(Debug)]
enum Memory {
    /// Straight from the system, in large pages where it has them: looking up a random word then
    /// rarely waits for the page table, which makes the engine a quarter faster.
    Mapped(MmapMut),
    /// Where the system does not give any.
    Allocated(Vec<AtomicU64>),
}

impl Words {
    pub(super) fn new(count: usize) -> Self {
        let memory = match MmapMut::map_anon(count * size_of::<AtomicU64>()) {
            Ok(map) => {
                #[cfg(target_os = "linux")]
                // Without large pages everything still works.
                let _ = map.advise(memmap2::Advice::HugePage);
                Memory::Mapped(map)
            }
            Err(_) => Memory::Allocated((0..count).map(|_| AtomicU64::new(0)).collect()),
        };
        Words { memory }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[AtomicU64] {
        match &self.memory {
            Memory::Mapped(map) => {
                // SAFETY: a mapping is page-aligned, any bits are a valid AtomicU64, and the only
                // other access, `zero`, needs the words exclusively.
                let (before, words, _) = unsafe { map.align_to::<AtomicU64>() };
                debug_assert!(before.is_empty());
                words
            }
            Memory::Allocated(words) => words,
        }
    }

    /// Makes every word zero again.
    pub(super) fn zero(&mut self) {
        match &mut self.memory {
            Memory::Mapped(map) => map.fill(0),
            Memory::Allocated(words) => words.iter_mut().for_each(|word| *word.get_mut() = 0),
        }
    }
}

/// Fetches a word's cache line.
#[inline]
pub(super) fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is harmless, and this one is a live reference. Without it
        // every look-up waits for memory: the engine visits a third fewer nodes a second.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}
