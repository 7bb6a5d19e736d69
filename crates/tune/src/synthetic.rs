//! Measures how well the methods find a known optimum: results come from a function and a random generator, not from games.
//!
//! The *regret* of a point is how much less often it wins than the optimum.

use crate::clop::Clop;
use crate::lines::Line;
use crate::regression::{Sample, fit};
use crate::spsa::Spsa;
use kalahari_search::{Rng, splitmix64};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A function with a known optimum, for any number of parameters from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The logit is a round paraboloid: exactly what the methods assume.
    Quadratic,
    /// The logit is a paraboloid, twelve times as steep along the diagonal as across it. With one parameter it is
    /// [`Quadratic`](Function::Quadratic).
    Correlated,
    /// The logit rises gently to the optimum at 0.5 and falls eight times as steeply beyond it.
    Asymmetric,
    /// The logit is low and flat up to the optimum at 0, jumps there, and falls gently beyond it.
    Step,
}

impl Function {
    /// All functions.
    pub const ALL: [Function; 4] = [
        Function::Quadratic,
        Function::Correlated,
        Function::Asymmetric,
        Function::Step,
    ];

    /// The name of the function.
    pub const fn name(self) -> &'static str {
        match self {
            Function::Quadratic => "quadratic",
            Function::Correlated => "correlated",
            Function::Asymmetric => "asymmetric",
            Function::Step => "step",
        }
    }

    /// The probability of winning at a point.
    pub fn chance(self, x: &[f64]) -> f64 {
        let dims = x.len().max(1) as f64;
        let off = |i: usize| x[i] - if i.is_multiple_of(2) { 0.3 } else { -0.3 };
        let each = |part: fn(f64) -> f64| x.iter().map(|&x| part(x)).sum::<f64>() / dims;
        let round = || (0..x.len()).map(|i| off(i).powi(2)).sum::<f64>();
        let below = match self {
            Function::Quadratic => 4.0 * round() / dims,
            Function::Correlated => {
                let along = (0..x.len()).map(off).sum::<f64>().powi(2) / dims;
                match x.len() {
                    1 => 4.0 * along,
                    _ => (along * 11.0 + round()) / dims,
                }
            }
            Function::Asymmetric => each(|x| (1.0 - 2.0 * x).max(16.0 * x - 8.0)),
            Function::Step => each(|x| if x < 0.0 { 2.5 } else { x }),
        };
        1.0 / (1.0 + (below - 1.0).exp())
    }

    /// How much less often a point wins than the optimum.
    pub fn regret(self, x: &[f64]) -> f64 {
        // At the optimum the logit is 1 for every function.
        1.0 / (1.0 + (-1.0_f64).exp()) - self.chance(x)
    }
}

/// A way to find the optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    /// [`Clop`].
    Clop,
    /// Uniformly random samples, one quadratic fit at the end, and its highest point.
    Uniform,
    /// [`Spsa`] from the middle, with `c_end` = 0.15 and `r_end` = 0.1 (up to 1,000 samples) or 0.02.
    Spsa,
}

impl Contender {
    /// All contenders.
    pub const ALL: [Contender; 3] = [Contender::Clop, Contender::Uniform, Contender::Spsa];

    /// The name of the contender.
    pub const fn name(self) -> &'static str {
        match self {
            Contender::Clop => "CLOP",
            Contender::Uniform => "uniform",
            Contender::Spsa => "SPSA",
        }
    }
}

/// The regrets of one run, or their average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regrets {
    /// The mean regret of the samples played.
    pub played: f64,
    /// The regret of the recommendation.
    pub recommended: f64,
}

/// Plays one sample and returns its result.
fn sample(function: Function, x: Vec<f64>, luck: &mut Rng) -> Sample {
    let won = luck.unit() < function.chance(&x);
    Sample {
        x,
        wins: u32::from(won),
        draws: 0,
        losses: u32::from(!won),
    }
}

/// One run, with its regrets after each of these numbers of samples, which must increase.
pub fn run(
    function: Function,
    contender: Contender,
    dims: usize,
    looks: &[u32],
    rng_seed: u64,
) -> Vec<Regrets> {
    let mut state = rng_seed;
    let mut luck = Rng::new(splitmix64(&mut state));
    match contender {
        Contender::Spsa => looks
            .iter()
            .map(|&samples| spsa(function, dims, samples, rng_seed, &mut luck))
            .collect(),
        _ => {
            let mut clop = Clop::new(dims, rng_seed);
            let mut total = 0.0;
            let mut found = Vec::new();
            for number in 0..looks.last().copied().unwrap_or_default() {
                let x = match contender {
                    Contender::Clop => clop.propose(u64::from(number)),
                    _ => (0..dims).map(|_| 2.0 * luck.unit() - 1.0).collect(),
                };
                total += function.regret(&x);
                clop.add(sample(function, x, &mut luck));
                if looks.contains(&(number + 1)) {
                    let best = match contender {
                        Contender::Clop => clop.estimate().map(|estimate| estimate.point),
                        _ => {
                            let samples = clop.samples();
                            Some(fit(dims, samples, &vec![1.0; samples.len()], None).highest())
                        }
                    };
                    found.push(Regrets {
                        played: total / f64::from(number + 1),
                        recommended: best.map_or(f64::NAN, |best| function.regret(&best)),
                    });
                }
            }
            found
        }
    }
}

fn spsa(function: Function, dims: usize, samples: u32, rng_seed: u64, luck: &mut Rng) -> Regrets {
    let line = Line {
        name: "x".to_owned(),
        integer: false,
        start: 0.0,
        min: -1.0,
        max: 1.0,
        c_end: 0.15,
        r_end: if samples <= 1_000 { 0.1 } else { 0.02 },
    };
    let iterations = samples / 2;
    let mut spsa = Spsa::new(vec![line; dims], iterations, rng_seed);
    let mut total = 0.0;
    for k in 0..iterations {
        let [plus, minus] = spsa.sides(k);
        total += function.regret(&plus) + function.regret(&minus);
        let wins = [plus, minus].map(|x| f64::from(sample(function, x, luck).wins));
        spsa.follow(k, wins[0] - wins[1]);
    }
    Regrets {
        played: total / f64::from(2 * iterations.max(1)),
        recommended: function.regret(spsa.theta()),
    }
}

/// The average of many runs on `threads` threads, for each number of samples. Runs differ only by their seed,
/// so the answer does not depend on the threads.
pub fn average(
    function: Function,
    contender: Contender,
    dims: usize,
    looks: &[u32],
    repetitions: u32,
    threads: usize,
) -> Vec<Regrets> {
    let next = AtomicU64::new(0);
    let runs = Mutex::new(vec![Vec::new(); repetitions as usize]);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= u64::from(repetitions) {
                        return;
                    }
                    let found = run(function, contender, dims, looks, number + 1);
                    if let Ok(mut runs) = runs.lock() {
                        runs[number as usize] = found;
                    }
                }
            });
        }
    });
    let runs = runs.into_inner().unwrap_or_default();
    let count = f64::from(repetitions.max(1));
    (0..looks.len())
        .map(|look| {
            let mut sum = Regrets::default();
            for run in runs.iter().filter_map(|run| run.get(look)) {
                sum.played += run.played / count;
                sum.recommended += run.recommended / count;
            }
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optima_are_at_the_documented_points() {
        let mut rng = Rng::new(1);
        for function in Function::ALL {
            let best = |dims: usize| -> Vec<f64> {
                let at = |i: usize| match function {
                    Function::Asymmetric => 0.5,
                    Function::Step => 0.0,
                    _ if i.is_multiple_of(2) => 0.3,
                    _ => -0.3,
                };
                (0..dims).map(at).collect()
            };
            for dims in 1..=4 {
                assert!(function.regret(&best(dims)).abs() < 1e-12);
                for _ in 0..1_000 {
                    let x: Vec<f64> = (0..dims).map(|_| 2.0 * rng.unit() - 1.0).collect();
                    assert!(function.regret(&x) >= 0.0, "{function:?} {x:?}");
                }
            }
        }
    }

    /// The small version of the table in docs/tuning.md.
    #[test]
    fn clop_beats_uniform_samples() {
        for function in Function::ALL {
            for dims in [1, 2] {
                let average = |who| average(function, who, dims, &[1_000], 8, 2)[0];
                let (clop, uniform) = (average(Contender::Clop), average(Contender::Uniform));
                assert!(
                    2.0 * clop.played < uniform.played,
                    "{function:?} {dims}: {clop:?} {uniform:?}"
                );
            }
        }
        let average = |who| average(Function::Asymmetric, who, 1, &[1_000], 8, 2)[0];
        let (clop, uniform) = (average(Contender::Clop), average(Contender::Uniform));
        assert!(
            2.0 * clop.recommended < uniform.recommended,
            "{clop:?} {uniform:?}"
        );
    }

    #[test]
    fn spsa_comes_near() {
        let found = average(Function::Quadratic, Contender::Spsa, 2, &[1_000], 20, 2)[0];
        let start = Function::Quadratic.regret(&[0.0, 0.0]);
        assert!(found.recommended < start / 2.0, "{found:?}, {start}");
    }
}
