//! Zeroed memory straight from the system.

use memmap2::{MmapMut, MmapRaw};
use std::alloc::{self, Layout};
use std::io;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Memory is aligned to at least a cache line, wherever it comes from.
const ALIGNMENT: usize = 64;

/// A fixed number of bytes, zero at first. Pages that are never touched cost nothing where the system maps memory.
///
/// The memory is in large pages where the system has them: a random access then rarely misses the TLB, which makes the
/// engine a quarter faster.
#[derive(Debug)]
pub struct Pages {
    /// Where the bytes of `memory` begin.
    start: NonNull<u8>,
    length: usize,
    memory: Memory,
}

/// Where the memory came from and goes back to. It is accessed only through [`Pages::start`].
#[derive(Debug)]
enum Memory {
    /// The system. The map gives itself back.
    Mapped { _map: MmapRaw },
    /// The allocator, where the system does not map memory.
    Allocated(Layout),
}

// SAFETY: `Pages` owns its memory as a `Vec<u8>` does, and lends it only by the rules of borrowing.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

impl Pages {
    /// This many bytes, or an error if there is no room for them, even where the system would promise them.
    pub fn try_new(length: usize) -> io::Result<Self> {
        crate::room_for(length as u64)?;
        Self::mapped(length).or_else(|_| Self::allocated(length))
    }

    fn mapped(length: usize) -> io::Result<Self> {
        let map = MmapRaw::from(MmapMut::map_anon(length)?);
        #[cfg(all(target_os = "linux", not(miri)))]
        // Without large pages everything still works. (Miri does not know them.)
        let _ = map.advise(memmap2::Advice::HugePage);
        let start = NonNull::new(map.as_mut_ptr()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Pages {
            start,
            length,
            memory: Memory::Mapped { _map: map },
        })
    }

    fn allocated(length: usize) -> io::Result<Self> {
        let layout = Layout::from_size_align(length.max(1), ALIGNMENT)
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        // SAFETY: the layout has a size above zero.
        let start = unsafe { alloc::alloc_zeroed(layout) };
        Ok(Pages {
            start: NonNull::new(start).ok_or(io::ErrorKind::OutOfMemory)?,
            length,
            memory: Memory::Allocated(layout),
        })
    }

    /// Where the bytes begin: aligned to a cache line, good for reads and writes of [`len`](slice::len) bytes as
    /// long as `self` lives.
    #[inline]
    pub(crate) fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// The number of bytes, without borrowing them.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length
    }
}

impl Deref for Pages {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: `start` has `length` bytes, all of them written (zero at least), as long as `self` lives; they
        // change only through `&mut self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl DerefMut for Pages {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `deref`, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if let Memory::Allocated(layout) = self.memory {
            // SAFETY: `start` was allocated with this layout and is given back once.
            unsafe { alloc::dealloc(self.start.as_ptr(), layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_zero_aligned_and_keep_what_is_written() {
        for make in [Pages::try_new, Pages::mapped, Pages::allocated] {
            for length in [0, 1, 4096, 100_001] {
                let mut pages = make(length).expect("room");
                assert_eq!(pages.len(), length);
                assert_eq!(pages.start().as_ptr() as usize % ALIGNMENT, 0);
                assert!(pages.iter().all(|&byte| byte == 0));
                pages.fill(7);
                assert!(pages.iter().all(|&byte| byte == 7));
            }
        }
    }

    #[test]
    fn too_much_is_an_error() {
        for length in [usize::MAX, isize::MAX as usize, 1 << 60] {
            assert!(Pages::try_new(length).is_err());
        }
    }
}
