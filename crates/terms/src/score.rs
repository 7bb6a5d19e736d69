//! What a search says about a position.

use crate::Bounds;
use kalahari_games::{Player, Verdict};
use std::cmp::Ordering;

/// What a position or a move is worth to one of the players, and whether that is proven.
///
/// It is made in one place, where the position was evaluated, and taken apart in one place, where it is shown or stored.
/// Nothing in between needs to know what is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    worth: Worth,
    proven: bool,
    player: Player,
}

/// What a score measures, and how much. Positive is good for the score's player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// The final margin, in seeds or cells. If unproven, a line of play that ends so was seen, but not every reply to it.
    Margin(i32),
    /// Who wins. If unproven, as above.
    Result(Verdict),
    /// An estimate of the final margin in seeds.
    Seeds(f64),
    /// An estimate in cells, which says little about the final margin.
    Cells(f64),
    /// An estimate on the evaluation's own scale.
    Points(f64),
    /// An estimated share of wins, 0 to 1.
    Share(f64),
}

/// The unit of a score, with its name for records and JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// [`Worth::Margin`].
    Margin,
    /// [`Worth::Result`].
    Result,
    /// [`Worth::Seeds`].
    Seeds,
    /// [`Worth::Cells`].
    Cells,
    /// [`Worth::Points`].
    Points,
    /// [`Worth::Share`].
    Share,
}

impl Unit {
    /// All of them.
    pub const ALL: [Unit; 6] = [
        Unit::Margin,
        Unit::Result,
        Unit::Seeds,
        Unit::Cells,
        Unit::Points,
        Unit::Share,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Margin => "margin",
            Unit::Result => "result",
            Unit::Seeds => "seeds",
            Unit::Cells => "cells",
            Unit::Points => "points",
            Unit::Share => "winshare",
        }
    }

    /// The worth of this amount; `None` if there is no such amount, such as half a result.
    pub fn worth(self, amount: f64) -> Option<Worth> {
        let whole = || (amount.fract() == 0.0 && amount.abs() < 1e6).then_some(amount as i32);
        match self {
            _ if !amount.is_finite() => None,
            Unit::Margin => whole().map(Worth::Margin),
            Unit::Result => whole()
                .filter(|sign| sign.abs() <= 1)
                .map(|sign| Worth::Result(Verdict::of_margin(sign))),
            Unit::Seeds => Some(Worth::Seeds(amount)),
            Unit::Cells => Some(Worth::Cells(amount)),
            Unit::Points => Some(Worth::Points(amount)),
            Unit::Share => (0.0..=1.0)
                .contains(&amount)
                .then_some(Worth::Share(amount)),
        }
    }
}

impl Worth {
    /// What a game that ends with this margin is worth: the margin, or only the result where its rules count no points
    /// (see [`Game::has_margins`](kalahari_games::Game::has_margins)).
    pub const fn of_end(margin: i32, has_margins: bool) -> Self {
        match has_margins {
            true => Worth::Margin(margin),
            false => Worth::Result(Verdict::of_margin(margin)),
        }
    }

    /// Its unit.
    pub const fn unit(self) -> Unit {
        match self {
            Worth::Margin(_) => Unit::Margin,
            Worth::Result(_) => Unit::Result,
            Worth::Seeds(_) => Unit::Seeds,
            Worth::Cells(_) => Unit::Cells,
            Worth::Points(_) => Unit::Points,
            Worth::Share(_) => Unit::Share,
        }
    }

    /// How much of it, as a plain number; [`Unit::worth`] reads it back.
    pub fn amount(self) -> f64 {
        match self {
            Worth::Margin(margin) => f64::from(margin),
            Worth::Result(verdict) => f64::from(verdict.sign()),
            Worth::Seeds(amount)
            | Worth::Cells(amount)
            | Worth::Points(amount)
            | Worth::Share(amount) => amount,
        }
    }

    /// The same for the other player.
    fn turned(self) -> Self {
        // Adding 0.0 turns -0.0 into 0.0.
        match self {
            Worth::Margin(margin) => Worth::Margin(-margin),
            Worth::Result(verdict) => Worth::Result(verdict.turned()),
            Worth::Seeds(amount) => Worth::Seeds(-amount + 0.0),
            Worth::Cells(amount) => Worth::Cells(-amount + 0.0),
            Worth::Points(amount) => Worth::Points(-amount + 0.0),
            Worth::Share(share) => Worth::Share(1.0 - share),
        }
    }
}

impl Score {
    /// A proven value, as `player` sees it.
    pub const fn proven(player: Player, worth: Worth) -> Self {
        Score {
            worth,
            proven: true,
            player,
        }
    }

    /// An estimate, as `player` sees it.
    pub const fn estimate(player: Player, worth: Worth) -> Self {
        Score {
            worth,
            proven: false,
            player,
        }
    }

    /// Nothing is known: even chances.
    pub const fn unknown(player: Player) -> Self {
        Score::estimate(player, Worth::Share(0.5))
    }

    /// The score's amount and unit, as its player sees it.
    pub const fn worth(self) -> Worth {
        self.worth
    }

    /// Whether it is proven rather than estimated.
    pub const fn is_proven(self) -> bool {
        self.proven
    }

    /// Whose view it is.
    pub const fn player(self) -> Player {
        self.player
    }

    /// The same as `player` sees it.
    #[must_use]
    pub fn seen_by(self, player: Player) -> Self {
        match self.player == player {
            true => self,
            false => Score {
                worth: self.worth.turned(),
                player,
                ..self
            },
        }
    }

    /// The same, but not proven.
    #[must_use]
    pub const fn unproven(self) -> Self {
        Score {
            proven: false,
            ..self
        }
    }

    /// The same, clamped to proven bounds of the final margin, as the score's player sees it: an estimate is brought between
    /// the bounds, and if they are equal it is proven. Estimates that do not count seeds stay as they are.
    #[must_use]
    pub fn within(self, bounds: Bounds) -> Self {
        if self.proven {
            return self;
        }
        if let Some(margin) = bounds.exact() {
            return Score::proven(self.player, Worth::Margin(margin));
        }
        let (lower, upper) = (bounds.lower, bounds.upper.max(bounds.lower));
        let worth = match self.worth {
            Worth::Margin(margin) => Worth::Margin(margin.clamp(lower, upper)),
            Worth::Seeds(seeds) => Worth::Seeds(seeds.clamp(lower.into(), upper.into())),
            other => other,
        };
        Score { worth, ..self }
    }

    /// The final margin in seeds, known or estimated; `None` if the score counts something else.
    pub fn seeds(self) -> Option<f64> {
        match self.worth {
            Worth::Margin(margin) => Some(margin.into()),
            Worth::Seeds(seeds) => Some(seeds),
            _ => None,
        }
    }

    /// How much, as a plain number in the unit of [`worth`](Score::worth).
    pub fn amount(self) -> f64 {
        self.worth.amount()
    }

    /// Who wins for certain.
    pub fn proven_verdict(self) -> Option<Verdict> {
        match self.worth {
            Worth::Margin(margin) if self.proven => Some(Verdict::of_margin(margin)),
            Worth::Result(verdict) if self.proven => Some(verdict),
            _ => None,
        }
    }

    /// The proven final margin; `None` if only the result is proven.
    pub fn proven_margin(self) -> Option<i32> {
        match self.worth {
            Worth::Margin(margin) if self.proven => Some(margin),
            _ => None,
        }
    }

    /// How good it is, from -1 (lost) to 1 (won): to draw it, and to compare scores of different units.
    pub fn prospect(self) -> f64 {
        /// Estimates this large are most likely right about the winner.
        const CLEAR: f64 = 8.0;
        let certainty = if self.proven { 1.0 } else { 0.99 };
        match self.worth {
            Worth::Margin(margin) => certainty * f64::from(margin.signum()),
            Worth::Result(verdict) => certainty * f64::from(verdict.sign()),
            Worth::Seeds(amount) | Worth::Cells(amount) | Worth::Points(amount) => {
                0.98 * (amount / CLEAR).tanh()
            }
            Worth::Share(share) => 0.98 * (2.0 * share - 1.0),
        }
    }

    /// Compares with another score: the greater one is better for this score's player. Scores of the same unit, and margins
    /// with estimates in seeds, are compared as numbers, scores of different units by their prospects.
    pub fn compare(self, other: Score) -> Ordering {
        let other = other.seen_by(self.player);
        let alike = |score: Score| match score.worth {
            Worth::Margin(_) | Worth::Seeds(_) => Unit::Seeds,
            worth => worth.unit(),
        };
        // A margin in cells is never compared with an estimate in seeds: a game has one or the other.
        match alike(self) == alike(other) {
            true => self.amount().total_cmp(&other.amount()),
            false => self.prospect().total_cmp(&other.prospect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_held_to_what_is_proven() {
        let bounds = |lower, upper| Bounds { lower, upper };
        let guess = |seeds| Score::estimate(Player::First, Worth::Seeds(seeds));
        assert_eq!(guess(3.5).within(bounds(-2, 2)), guess(2.0));
        assert_eq!(guess(-3.5).within(bounds(-2, 2)), guess(-2.0));
        assert_eq!(guess(0.5).within(bounds(-2, 2)), guess(0.5));
        let two = Score::proven(Player::First, Worth::Margin(2));
        assert_eq!(guess(0.5).within(Bounds::of(2)), two);
        assert_eq!(two.within(bounds(-9, 9)), two);
        let points = Score::estimate(Player::First, Worth::Points(70.0));
        assert_eq!(points.within(bounds(-2, 2)), points);
        assert_eq!(points.within(Bounds::of(2)), two);
    }
    use Player::{First, Second};

    #[test]
    fn a_view_changes_the_sign_and_nothing_else() {
        let worths = [
            Worth::Margin(3),
            Worth::Result(Verdict::Win),
            Worth::Seeds(2.5),
            Worth::Cells(-1.0),
            Worth::Points(0.0),
            Worth::Share(0.75),
        ];
        for worth in worths {
            let score = Score::proven(First, worth);
            let other = score.seen_by(Second);
            assert_eq!(other.seen_by(First), score);
            assert_eq!(other.prospect(), -score.prospect());
            assert!(other.is_proven());
            assert_eq!(worth.unit().worth(worth.amount()), Some(worth));
        }
        assert!(
            Score::estimate(First, Worth::Seeds(0.0))
                .seen_by(Second)
                .amount()
                .is_sign_positive()
        );
    }

    #[test]
    fn only_a_proven_margin_is_a_margin() {
        let result = Score::proven(First, Worth::Result(Verdict::Win));
        assert_eq!(result.proven_margin(), None);
        assert_eq!(result.proven_verdict(), Some(Verdict::Win));
        let margin = Score::proven(First, Worth::Margin(-4));
        assert_eq!(margin.proven_margin(), Some(-4));
        assert_eq!(margin.seen_by(Second).proven_verdict(), Some(Verdict::Win));
        assert_eq!(margin.unproven().proven_verdict(), None);
    }

    #[test]
    fn proofs_and_estimates_have_one_order() {
        let points = |amount| Score::estimate(First, Worth::Points(amount));
        let result = |verdict| Score::proven(First, Worth::Result(verdict));
        let seeds = |amount| Score::estimate(First, Worth::Seeds(amount));
        let margin = |margin| Score::proven(First, Worth::Margin(margin));
        for rising in [
            vec![
                result(Verdict::Loss),
                points(-300.0),
                points(12.0),
                result(Verdict::Win),
            ],
            vec![seeds(-2.5), margin(-2), seeds(3.5), margin(4)],
        ] {
            assert!(rising.is_sorted_by(|a, b| a.compare(*b).is_lt()));
            assert!(rising.is_sorted_by(|a, b| a.compare(b.seen_by(Second)).is_lt()));
        }
    }

    #[test]
    fn amounts_that_do_not_exist_are_refused() {
        assert_eq!(Unit::Result.worth(0.5), None);
        assert_eq!(Unit::Result.worth(2.0), None);
        assert_eq!(Unit::Margin.worth(f64::NAN), None);
        assert_eq!(Unit::Share.worth(1.5), None);
        assert_eq!(Unit::Seeds.worth(f64::INFINITY), None);
    }
}
