//! Binomial coefficients, the arithmetic of every numbering here.

/// The number of ways to choose `k` of `n`, or `None` if it needs more than 128 bits on the way.
pub(crate) fn choose(n: usize, k: usize) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    (1..=k).try_fold(1_u128, |product, i| {
        Some(product.checked_mul((n - k + i) as u128)? / i as u128)
    })
}

/// In how many ways `seeds` seeds lie in `pits` pits (at least one pit).
pub(crate) fn arrangements(pits: usize, seeds: usize) -> Option<u128> {
    choose(seeds + pits - 1, pits - 1)
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
        assert_eq!(arrangements(6, 10), Some(3003));
        assert_eq!(arrangements(1, 9), Some(1));
    }
}
