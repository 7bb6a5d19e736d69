//! Looking ahead in memory.

/// Starts to load the beginning of a place into the cache, where the processor can do so. Without it every lookup in a
/// large table waits for memory, and the engine visits a third fewer nodes a second.
#[inline]
pub fn prefetch<T: ?Sized>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing, so any address is allowed.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_place_may_be_looked_ahead_at() {
        let words = [1_u64, 2, 3];
        prefetch(&words);
        prefetch(&words[2..]);
        prefetch(&words[3..]);
        prefetch("");
        prefetch(&());
        assert_eq!(words, [1, 2, 3]);
    }
}
