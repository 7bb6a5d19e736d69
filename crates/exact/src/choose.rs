//! Binomial coefficients, the arithmetic of every numbering here.

/// The number of ways to choose `k` of `n`, or `None` if the computation overflows 128 bits.
pub(crate) fn choose(n: usize, k: usize) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    (1..=k).try_fold(1_u128, |product, i| {
        Some(product.checked_mul((n - k + i) as u128)? / i as u128)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chooses() {
        assert_eq!(choose(5, 2), Some(10));
        assert_eq!(choose(2, 5), Some(0));
        assert_eq!(choose(84, 12), choose(84, 72));
        assert_eq!(choose(600, 300), None);
    }
}
