//! Scrambles codes without losing any: a bijection on numbers of some bits.

/// A bijection on numbers below 2 to the `bits`, and its split into bucket and rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mix {
    bits: u32,
    bucket_bits: u32,
}

impl Mix {
    pub(super) fn new(bits: u32, bucket_bits: u32) -> Self {
        debug_assert!(bucket_bits <= bits && bits <= 128);
        Mix { bits, bucket_bits }
    }

    /// The bucket and the rest of a code. Different codes differ in at least one of them.
    #[inline]
    pub(super) fn split(&self, code: u128) -> (usize, u128) {
        if self.bits <= 64 {
            // A shift by half the bits and a product with an odd number can both be undone.
            let mask = u64::MAX >> (64 - self.bits);
            let half = self.bits / 2 + 1;
            let mut x = code as u64 & mask;
            x ^= x >> half;
            x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
            x ^= x >> half;
            x = x.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask;
            x ^= x >> half;
            let bucket = x & ((1 << self.bucket_bits) - 1);
            (bucket as usize, u128::from(x >> self.bucket_bits))
        } else {
            let mask = u128::MAX >> (128 - self.bits);
            let half = self.bits / 2 + 1;
            let mut x = code & mask;
            x ^= x >> half;
            x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) & mask;
            x ^= x >> half;
            x = x.wrapping_mul(0xd6e8_feb8_6659_fd93_9216_d5d9_8979_fb1b) & mask;
            x ^= x >> half;
            let bucket = x & ((1 << self.bucket_bits) - 1);
            (bucket as usize, x >> self.bucket_bits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_code_has_its_own_place() {
        for (bits, bucket_bits) in [(1, 1), (7, 3), (12, 0), (12, 12), (16, 5)] {
            let mix = Mix::new(bits, bucket_bits);
            let places: HashSet<_> = (0..1_u128 << bits).map(|code| mix.split(code)).collect();
            assert_eq!(places.len(), 1 << bits);
            assert!(places.iter().all(|&(bucket, rest)| {
                bucket < 1 << bucket_bits && rest < 1 << (bits - bucket_bits)
            }));
        }
    }
}
