//! Whether this processor knows every instruction that the program was compiled with.
//!
//! The project's builds ask for `x86-64-v3`, the processors of 2013 and later (`.cargo/config.toml`). An older one would end
//! the program with an illegal instruction and no message, so programs check here first.

use std::error::Error;
use std::fmt;

/// The processor is too old for this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OldProcessor;

impl Error for OldProcessor {}

impl fmt::Display for OldProcessor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this build needs a processor of 2013 or later (x86-64-v3: AVX2, BMI2, FMA), but this one is older or hides these features; build from source without the flag in .cargo/config.toml",
        )
    }
}

/// Makes sure that this processor can run this build. It uses none of the newer instructions itself: call it first.
#[inline(never)]
pub fn check_processor() -> Result<(), OldProcessor> {
    match knows_v3() || !cfg!(all(target_arch = "x86_64", target_feature = "avx2")) {
        true => Ok(()),
        false => Err(OldProcessor),
    }
}

/// Asks the processor itself: the standard library trusts the flags that the compiler was given.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn knows_v3() -> bool {
    use std::arch::x86_64::__cpuid_count;
    /// FMA, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C.
    const FIRST: u32 = 1 << 12 | 1 << 20 | 1 << 22 | 1 << 23 | 1 << 27 | 1 << 28 | 1 << 29;
    /// BMI1, AVX2, BMI2.
    const SEVENTH: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    /// LZCNT.
    const EXTENDED: u32 = 1 << 5;
    let has = |leaf, below: u32, wanted: u32, of: fn(std::arch::x86_64::CpuidResult) -> u32| {
        __cpuid_count(below, 0).eax >= leaf && of(__cpuid_count(leaf, 0)) & wanted == wanted
    };
    has(1, 0, FIRST, |leaf| leaf.ecx)
        && has(7, 0, SEVENTH, |leaf| leaf.ebx)
        && has(0x8000_0001, 0x8000_0000, EXTENDED, |leaf| leaf.ecx)
}

#[cfg(not(target_arch = "x86_64"))]
fn knows_v3() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_runs_the_tests_can_run_them() {
        assert_eq!(check_processor(), Ok(()));
        // The library agrees where it does not trust the compiler's flags instead.
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        assert_eq!(knows_v3(), std::is_x86_feature_detected!("avx2"));
    }
}
