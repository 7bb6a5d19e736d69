//! Scrambles codes without losing any.
//!
//! In a table, some bits of a scrambled code are given by the place of the entry and all others are stored in the entry,
//! so that an entry belongs to exactly one position. Every step of the scramble can be undone: a *fold* (`x ^= x >> shift`
//! with a shift above 0) and a product with an odd number.

/// A bijection on the numbers below 2 to some number of bits: fold, multiply, fold, multiply, fold.
#[derive(Clone, Copy, Debug)]
pub struct Bijection {
    bits: u32,
    /// Ones in the lowest `bits` bits.
    mask: u128,
    /// The shift of the first fold; `bits` leaves it out.
    first: u32,
    /// The shift of the other folds.
    later: u32,
}

impl Bijection {
    /// The bijection for codes of any kind.
    pub const fn new(bits: u32) -> Self {
        let shift = bits / 2 + 1;
        Self::with_shifts(bits, shift, shift)
    }

    /// One without the first fold. That is enough for codes without gaps, such as ranks, of less than 64 bits.
    ///
    /// Files of saved tables depend on it: it must never change.
    pub const fn light(bits: u32) -> Self {
        assert!(bits < u64::BITS);
        Self::with_shifts(bits, bits, bits.div_ceil(2))
    }

    const fn with_shifts(bits: u32, first: u32, later: u32) -> Self {
        assert!(bits <= u128::BITS);
        let mask = match bits {
            0 => 0,
            _ => u128::MAX >> (u128::BITS - bits),
        };
        Bijection {
            bits,
            mask,
            first,
            later,
        }
    }

    /// How many bits codes have.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// Scrambles a code of at most 64 bits.
    #[inline]
    pub const fn mix(&self, code: u64) -> u64 {
        debug_assert!(self.bits <= u64::BITS);
        let mask = self.mask as u64;
        let mut x = code & mask;
        x ^= x >> self.first;
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        x ^= x >> self.later;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask;
        x ^ (x >> self.later)
    }

    /// Scrambles a code of more than 64 bits.
    #[inline]
    const fn mix_wide(&self, code: u128) -> u128 {
        let mut x = code & self.mask;
        x ^= x >> self.first;
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) & self.mask;
        x ^= x >> self.later;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93_9216_d5d9_8979_fb1b) & self.mask;
        x ^ (x >> self.later)
    }

    /// Scrambles a code of any length and splits it into its lowest `bucket_bits` bits, which choose a bucket, and
    /// the rest. Different codes differ in at least one of them.
    #[inline]
    pub const fn split(&self, code: u128, bucket_bits: u32) -> (usize, u128) {
        debug_assert!(bucket_bits <= self.bits);
        if self.bits <= u64::BITS {
            let x = self.mix(code as u64);
            let bucket = x & ((1 << bucket_bits) - 1);
            (bucket as usize, (x >> bucket_bits) as u128)
        } else {
            let x = self.mix_wide(code);
            let bucket = x & ((1 << bucket_bits) - 1);
            (bucket as usize, x >> bucket_bits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_code_has_its_own_place() {
        for make in [Bijection::new, Bijection::light] {
            for (bits, bucket_bits) in [(0, 0), (1, 1), (2, 1), (7, 3), (12, 0), (12, 12), (16, 5)]
            {
                let mix = make(bits);
                let places: HashSet<_> = (0..1_u128 << bits)
                    .map(|code| mix.split(code, bucket_bits))
                    .collect();
                assert_eq!(places.len(), 1 << bits);
                assert!(places.iter().all(|&(bucket, rest)| {
                    bucket < 1 << bucket_bits && rest < 1 << (bits - bucket_bits)
                }));
            }
        }
    }

    /// Undoes `x ^= x >> shift` for a shift above 0.
    fn unfold(mut x: u128, shift: u32) -> u128 {
        let folded = x;
        for _ in 0..u128::BITS.div_ceil(shift) {
            x = folded ^ x.checked_shr(shift).unwrap_or(0);
        }
        x
    }

    /// The number that undoes a product with an odd number, modulo 2 to the 128.
    fn inverse(odd: u128) -> u128 {
        (0..7).fold(odd, |x, _| {
            x.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(x)))
        })
    }

    #[test]
    fn wide_codes_can_be_had_back() {
        for bits in [65, 80, 100, 127, 128] {
            let mix = Bijection::new(bits);
            for n in 0..1000_u128 {
                let code = n.wrapping_mul(0x1234_5678_9abc_def1_0fed_cba9_8765_4321) & mix.mask;
                let (low, rest) = mix.split(code, 20);
                let mut x = rest << 20 | low as u128;
                x = unfold(x, mix.later);
                x = x.wrapping_mul(inverse(0xd6e8_feb8_6659_fd93_9216_d5d9_8979_fb1b)) & mix.mask;
                x = unfold(x, mix.later);
                x = x.wrapping_mul(inverse(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)) & mix.mask;
                assert_eq!(unfold(x, mix.first), code, "{bits}");
            }
        }
    }

    /// Files on disk depend on these numbers.
    #[test]
    fn the_numbers_of_saved_tables_stay() {
        let light = |bits, code| Bijection::light(bits).mix(code);
        assert_eq!(light(40, 0), 0);
        assert_eq!(light(40, 1), 0xe6_e03e_a130);
        assert_eq!(light(41, 123_456_789), 0x9f_61bf_73b7);
        assert_eq!(light(62, (1 << 62) - 1), 0x3431_b7a5_c64f_4ad9);
    }
}
