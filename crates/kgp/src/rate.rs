//! Limits how many lines a client may send.

use std::time::Instant;

/// An allowance that grows by `per_second` lines a second, up to `most`.
#[derive(Debug)]
pub(crate) struct Allowance {
    left: f64,
    most: f64,
    per_second: f64,
    counted: Instant,
}

impl Allowance {
    /// A full allowance: the lines of ten seconds.
    pub(crate) fn new(per_second: u32, now: Instant) -> Self {
        let most = f64::from(per_second) * 10.0;
        Allowance {
            left: most,
            most,
            per_second: per_second.into(),
            counted: now,
        }
    }

    /// Whether a line may be read now.
    pub(crate) fn has_one(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.counted).as_secs_f64();
        self.left = (self.left + passed * self.per_second).min(self.most);
        self.counted = now;
        self.left >= 1.0
    }

    /// Takes one line off the allowance.
    pub(crate) fn spend(&mut self) {
        self.left -= 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn bursts_are_allowed_and_floods_are_not() {
        let begin = Instant::now();
        let mut allowance = Allowance::new(2, begin);
        let mut spend = |now| {
            let has_one = allowance.has_one(now);
            if has_one {
                allowance.spend();
            }
            has_one
        };
        assert!((0..20).all(|_| spend(begin)));
        assert!(!spend(begin));
        let later = begin + Duration::from_secs(1);
        assert!(spend(later) && spend(later) && !spend(later));
    }
}
