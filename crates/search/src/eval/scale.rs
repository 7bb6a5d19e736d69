//! What a search has to know about an evaluation's numbers.

use kalahari_games::Player;
use kalahari_terms::{Score, Worth};

/// What the numbers of an evaluation mean. A search asks once and keeps the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// What a banked point adds: an evaluation is this factor times the points banked, plus a part that does not depend on
    /// them. 0 where nothing is banked; then finished games are worth more than any evaluation.
    pub point: i32,
    /// How far an evaluation may lie outside what the reachable final margins are worth.
    pub overshoot: i32,
    /// The value of a search seldom differs by more than this from that of one a few plies deeper; 0 if not measured.
    pub stray: i32,
    /// Whether it matters that the mover has also made the last move.
    pub uses_again: bool,
    /// Whether positions that are turns or reflections of each other are always worth the same, so that they may share an
    /// entry of the transposition table.
    pub is_symmetric: bool,
    /// An advantage this large is most likely right about the winner.
    pub clear: i32,
    /// The unit of the numbers.
    pub counts: Counts,
}

/// The unit of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Seeds; one seed is [`Scale::point`] in its numbers.
    Seeds,
    /// Cells.
    Cells,
    /// Points on its own scale.
    Points,
}

/// More than any evaluation of an unfinished game, where nothing is banked.
const WIN: i32 = 100_000_000;

impl Scale {
    /// Numbers in which `point` stands for a seed, banked or expected.
    pub const fn seeds(point: i32) -> Self {
        Scale {
            point,
            overshoot: 0,
            stray: 0,
            uses_again: false,
            is_symmetric: false,
            clear: 8 * point,
            counts: Counts::Seeds,
        }
    }

    /// Numbers that count cells.
    pub const fn cells() -> Self {
        Scale {
            counts: Counts::Cells,
            clear: 8,
            ..Scale::seeds(0)
        }
    }

    /// Numbers on a separate scale, where `clear` is a clear advantage.
    pub const fn points(clear: i32) -> Self {
        Scale {
            counts: Counts::Points,
            clear,
            ..Scale::seeds(0)
        }
    }

    /// What a finished game of this margin is worth, in the evaluation's numbers. Larger margins are worth more.
    #[inline]
    pub const fn finished(self, margin: i32) -> i32 {
        match self.point {
            0 => margin.signum() * WIN + margin,
            point => margin * point,
        }
    }

    /// The margin that [`finished`](Scale::finished) made into `value`.
    pub const fn margin(self, value: i32) -> i32 {
        match self.point {
            // Every value between a win and a loss is a draw.
            0 if value.abs() < WIN => 0,
            0 => value - value.signum() * WIN,
            point => value / point,
        }
    }

    /// The score of a position that a search has found to be worth `value` to `player`.
    pub fn score(self, value: i32, proven: bool, player: Player, has_margins: bool) -> Score {
        let end = || Worth::of_end(self.margin(value), has_margins);
        if proven {
            return Score::proven(player, end());
        }
        let worth = match self.counts {
            _ if self.point == 0 && value.abs() >= WIN => end(),
            Counts::Seeds => Worth::Seeds(f64::from(value) / f64::from(self.point.max(1))),
            Counts::Cells => Worth::Cells(f64::from(value)),
            Counts::Points => Worth::Points(f64::from(value)),
        };
        Score::estimate(player, worth)
    }

    /// The share of wins, 0 to 1, that an evaluation promises the mover.
    pub fn share(self, value: i32) -> f64 {
        1.0 / (1.0 + (-2.0 * f64::from(value) / f64::from(self.clear.max(1))).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::First;
    use kalahari_games::Verdict;

    #[test]
    fn margins_come_back() {
        for scale in [
            Scale::seeds(1),
            Scale::seeds(100),
            Scale::cells(),
            Scale::points(9),
        ] {
            for margin in -480..=480 {
                assert_eq!(scale.margin(scale.finished(margin)), margin);
            }
            assert!((-480..480).all(|margin| scale.finished(margin) < scale.finished(margin + 1)));
        }
    }

    #[test]
    fn scores_say_what_is_counted() {
        let seeds = Scale::seeds(100);
        let found = |value, proven| seeds.score(value, proven, First, true).worth();
        assert_eq!(found(-250, false), Worth::Seeds(-2.5));
        assert_eq!(found(-200, true), Worth::Margin(-2));
        let cells = Scale::cells();
        let found = |value, proven, margins| cells.score(value, proven, First, margins);
        assert_eq!(found(3, false, true).worth(), Worth::Cells(3.0));
        let won = found(cells.finished(4), false, true);
        assert_eq!((won.worth(), won.is_proven()), (Worth::Margin(4), false));
        let won = found(cells.finished(1), true, false);
        assert_eq!(won.proven_verdict(), Some(Verdict::Win));
        let points = Scale::points(9).score(4, false, First, false);
        assert_eq!(points.worth(), Worth::Points(4.0));
    }

    #[test]
    fn shares_are_even_in_the_middle_and_clear_where_the_scale_says_so() {
        let scale = Scale::seeds(100);
        assert_eq!(scale.share(0), 0.5);
        assert!(scale.share(800) > 0.85 && scale.share(-800) < 0.15);
        assert_eq!(scale.share(-300), 1.0 - scale.share(300));
    }
}
