//! The normal distribution, as far as match statistics need it.

/// Half the width, in standard errors, of an interval that covers 95%.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The share of a normal distribution below `x` standard deviations. Accurate to 1e-12 or better.
pub fn normal_below(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    let tail = upper_tail(x.abs());
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// The share above `x`, for `x` not negative.
fn upper_tail(x: f64) -> f64 {
    if x > 38.0 {
        return 0.0;
    }
    let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    if x < 3.0 {
        // The series x + x^3/3 + x^5/15 + ... , times the density, is the share between 0 and x.
        let (mut term, mut sum, mut odd) = (x, x, 1.0);
        while term > 1e-17 * sum {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    // The continued fraction 1/(x + 1/(x + 2/(x + 3/...))), evaluated from the innermost term.
    let fraction = (1..=120).rev().fold(x, |rest, k| x + f64::from(k) / rest);
    density / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_shares() {
        // Values from printed tables.
        for (x, share) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (2.999, 0.9986456634662729),
            (3.001, 0.998654527174915),
            (-5.0, 2.866_515_718_791_94e-7),
        ] {
            assert!(
                (normal_below(x) - share).abs() < 2e-11,
                "{x}: {}",
                normal_below(x)
            );
        }
        assert!((normal_below(Z95) - 0.975).abs() < 1e-12);
        assert_eq!(normal_below(100.0), 1.0);
        assert_eq!(normal_below(-100.0), 0.0);
    }
}
