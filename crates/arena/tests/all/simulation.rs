//! Sequential tests on simulated matches: how often do they err?

use kalahari_arena::stats::{Decision, Sprt, Tally, expected_score};
use kalahari_games::Verdict;
use kalahari_search::Rng;

const MATCHES: u32 = 10_000;
/// No match goes on forever; one that is still undecided after this many pairs counts as an error.
const MOST_PAIRS: u32 = 20_000;

/// A game between agents whose true score is `score`; `draws` is the probability of a draw.
fn game(rng: &mut Rng, score: f64, draws: f64) -> Verdict {
    let luck = rng.unit();
    if luck < score - draws / 2.0 {
        Verdict::Win
    } else if luck < score + draws / 2.0 {
        Verdict::Draw
    } else {
        Verdict::Loss
    }
}

/// A pair from an opening that favours one side: the two games pull in opposite directions.
fn pair(rng: &mut Rng, score: f64) -> [Verdict; 2] {
    const DRAWS: f64 = 0.1;
    let lopsided = (rng.unit() - 0.5) * 0.5;
    [
        game(rng, score + lopsided, DRAWS),
        game(rng, score - lopsided, DRAWS),
    ]
}

/// How often the test accepts the wrong hypothesis when the true difference is `elo`.
fn wrong(sprt: &Sprt, elo: f64, truth: Decision, rng_seed: u64) -> f64 {
    let score = expected_score(elo);
    let mut rng = Rng::new(rng_seed);
    let mut errors = 0;
    for _ in 0..MATCHES {
        let mut tally = Tally::default();
        let mut decision = None;
        for _ in 0..MOST_PAIRS {
            let scores = pair(&mut rng, score);
            scores.iter().for_each(|&verdict| tally.add(verdict));
            tally.add_pair(scores);
            decision = sprt.decision(sprt.llr(&tally));
            if decision.is_some() {
                break;
            }
        }
        errors += u32::from(decision != Some(truth));
    }
    f64::from(errors) / f64::from(MATCHES)
}

fn check(elo: f64, truth: Decision, rng_seed: u64) {
    let sprt: Sprt = "elo0=0,elo1=40,alpha=0.05,beta=0.1"
        .parse()
        .expect("a test");
    let (alpha, beta) = sprt.errors();
    let bound = match truth {
        Decision::H0 => alpha / (1.0 - beta),
        Decision::H1 => beta / (1.0 - alpha),
    };
    let three_errors = 3.0 * (bound * (1.0 - bound) / f64::from(MATCHES)).sqrt();
    let wrong = wrong(&sprt, elo, truth, rng_seed);
    println!("true difference {elo}: wrong {wrong}, bound {bound} + {three_errors}");
    assert!(
        wrong <= bound + three_errors,
        "{wrong} > {bound} + {three_errors}"
    );
    // A real test sometimes errs.
    assert!(wrong > 0.3 * bound, "{wrong} is suspiciously low");
}

#[test]
fn no_difference_is_seldom_taken_for_one() {
    check(0.0, Decision::H0, 1);
}

#[test]
fn a_difference_is_seldom_missed() {
    check(40.0, Decision::H1, 2);
}
