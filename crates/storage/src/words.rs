//! Memory for a table that threads share without locks.

use crate::Pages;
use std::io;
use std::sync::atomic::AtomicU64;

/// A fixed number of atomic words, zero at first, in [`Pages`].
#[derive(Debug)]
pub struct Words {
    /// Accessed as bytes only by `zero`, which borrows them exclusively.
    pages: Pages,
}

impl Words {
    /// This many words, or an error if there is no room for them.
    pub fn try_new(count: usize) -> io::Result<Self> {
        let bytes = count.checked_mul(size_of::<AtomicU64>());
        let bytes = bytes.ok_or(io::ErrorKind::OutOfMemory)?;
        let pages = Pages::try_new(bytes)?;
        Ok(Words { pages })
    }

    /// The words.
    #[inline]
    pub fn as_slice(&self) -> &[AtomicU64] {
        let start = self.pages.start().cast::<AtomicU64>();
        let count = self.pages.length() / size_of::<AtomicU64>();
        // SAFETY: pages are aligned to a cache line and live as long as `self`, any bits are a valid AtomicU64, and
        // while words are borrowed nothing accesses the bytes in another way.
        unsafe { std::slice::from_raw_parts(start.as_ptr(), count) }
    }

    /// Makes every word zero again.
    pub fn zero(&mut self) {
        self.pages.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn threads_share_words_until_they_are_zeroed() {
        let mut words = Words::try_new(1000).expect("room");
        assert_eq!(words.as_slice().len(), 1000);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let words = words.as_slice();
                scope.spawn(move || {
                    for word in words {
                        word.fetch_add(1 << (16 * thread), Relaxed);
                    }
                });
            }
        });
        let all = |words: &Words, value| words.as_slice().iter().all(|w| w.load(Relaxed) == value);
        assert!(all(&words, 0x0001_0001_0001_0001));
        words.zero();
        assert!(all(&words, 0));
    }

    #[test]
    fn no_words_are_fine_and_too_many_are_an_error() {
        assert!(Words::try_new(0).expect("room").as_slice().is_empty());
        assert!(Words::try_new(usize::MAX).is_err());
        assert!(Words::try_new(usize::MAX / 8).is_err());
    }
}
