//! How moves are judged by what they give away.

use kalahari_study::{Judgement, Measure, Value};

fn seeds(amount: f64, proven: bool) -> Value {
    Value {
        amount,
        measure: Measure::Seeds,
        proven,
    }
}

#[test]
fn a_move_is_judged_by_the_seeds_it_gives_away() {
    for (lost, expected) in [
        (0.0, Judgement::Best),
        (0.4, Judgement::Best),
        (0.5, Judgement::Inaccuracy),
        (1.9, Judgement::Inaccuracy),
        (2.0, Judgement::Mistake),
        (5.9, Judgement::Mistake),
        (6.0, Judgement::Blunder),
        (-3.0, Judgement::Best),
    ] {
        let judged = Judgement::of(seeds(10.0, false), seeds(10.0 - lost, false));
        assert_eq!(judged, expected, "{lost}");
    }
}

#[test]
fn a_proven_result_counts_more_than_its_margin() {
    let of = |best: f64, played: f64| Judgement::of(seeds(best, true), seeds(played, true));
    assert_eq!(of(1.0, 0.0), Judgement::Mistake);
    assert_eq!(of(0.0, -1.0), Judgement::Mistake);
    assert_eq!(of(1.0, -1.0), Judgement::Blunder);
    assert_eq!(of(9.0, 8.0), Judgement::Inaccuracy);
    assert_eq!(of(3.0, 3.0), Judgement::Best);
}

#[test]
fn different_measures_are_compared_by_prospects() {
    let value = |amount, measure, proven| Value {
        amount,
        measure,
        proven,
    };
    let win = value(1.0, Measure::Result, true);
    let loss = value(-1.0, Measure::Result, true);
    let even = value(0.0, Measure::Points, false);
    assert_eq!(Judgement::of(win, even), Judgement::Blunder);
    assert_eq!(Judgement::of(win, loss), Judgement::Blunder);
    assert_eq!(Judgement::of(even, win), Judgement::Best);
    assert!(win.compare(even).is_gt() && loss.compare(even).is_lt());
    assert_eq!(win.turned().prospect(), -1.0);
}
