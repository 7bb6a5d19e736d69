//! How moves are judged by what they give away.

use kalahari_games::{Player, Verdict};
use kalahari_study::{Judgement, Loss};
use kalahari_terms::{Score, Worth};

/// The mover's estimate of the final margin.
fn seeds(amount: f64) -> Score {
    Score::estimate(Player::First, Worth::Seeds(amount))
}

/// The mover's proven margin.
fn margin(margin: i32) -> Score {
    Score::proven(Player::First, Worth::Margin(margin))
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
        let judged = Judgement::of(seeds(10.0), seeds(10.0 - lost));
        assert_eq!(judged, expected, "{lost}");
    }
}

#[test]
fn a_proven_result_counts_more_than_its_margin() {
    let of = |best, played| Judgement::of(margin(best), margin(played));
    assert_eq!(of(1, 0), Judgement::Mistake);
    assert_eq!(of(0, -1), Judgement::Mistake);
    assert_eq!(of(1, -1), Judgement::Blunder);
    assert_eq!(of(9, 8), Judgement::Inaccuracy);
    assert_eq!(of(3, 3), Judgement::Best);
}

#[test]
fn margins_and_estimates_of_them_count_alike() {
    assert_eq!(Loss::of(margin(4), seeds(1.5)), Loss::Margin(2.5));
    assert_eq!(Loss::of(seeds(4.5), margin(5)), Loss::Margin(0.0));
    let cells = |cells| Score::estimate(Player::First, Worth::Cells(cells));
    assert_eq!(Loss::of(cells(3.0), cells(1.0)), Loss::Points(2.0));
}

#[test]
fn different_measures_are_compared_by_prospects() {
    let result = |verdict| Score::proven(Player::First, Worth::Result(verdict));
    let win = result(Verdict::Win);
    let loss = result(Verdict::Loss);
    let even = Score::estimate(Player::First, Worth::Points(0.0));
    assert_eq!(Judgement::of(win, even), Judgement::Blunder);
    assert_eq!(Judgement::of(win, loss), Judgement::Blunder);
    assert_eq!(Judgement::of(even, win), Judgement::Best);
    assert_eq!(Loss::of(win, loss), Loss::Result(2.0));
    assert_eq!(Loss::of(win, even), Loss::Result(1.0));
    assert!(win.compare(even).is_gt() && loss.compare(even).is_lt());
    assert_eq!(win.seen_by(Player::Second).prospect(), -1.0);
}
