//! How a finished game ended.

use crate::Player;
use std::cmp::Ordering;

/// The result of a finished game.
///
/// It keeps the margin from the first player's side and gives it out only for a named player,
/// so that callers cannot forget to change its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    margin_for_first: i32,
}

impl Outcome {
    /// The result whose margin, seen by `player`, is `margin`.
    #[inline]
    pub const fn from_margin(player: Player, margin: i32) -> Self {
        Outcome {
            margin_for_first: margin * player.sign(),
        }
    }

    /// The margin as `player` sees it: positive is a win. In games without a count of points it is +1 or -1.
    #[inline]
    pub const fn margin(self, player: Player) -> i32 {
        self.margin_for_first * player.sign()
    }

    /// The result as `player` sees it.
    pub const fn verdict(self, player: Player) -> Verdict {
        Verdict::of_margin(self.margin(player))
    }

    /// Who won, or `None` for a draw.
    pub fn winner(self) -> Option<Player> {
        match self.margin_for_first.cmp(&0) {
            Ordering::Greater => Some(Player::First),
            Ordering::Less => Some(Player::Second),
            Ordering::Equal => None,
        }
    }
}

/// A result as one of the players sees it. Better results compare greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Verdict {
    /// The verdict for a player with this margin.
    #[inline]
    pub const fn of_margin(margin: i32) -> Self {
        match margin {
            0 => Verdict::Draw,
            1.. => Verdict::Win,
            _ => Verdict::Loss,
        }
    }

    /// +1 for a win, 0 for a draw, -1 for a loss.
    pub const fn sign(self) -> i32 {
        match self {
            Verdict::Loss => -1,
            Verdict::Draw => 0,
            Verdict::Win => 1,
        }
    }

    /// The same result as the other player sees it.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Verdict::Loss => Verdict::Win,
            Verdict::Draw => Verdict::Draw,
            Verdict::Win => Verdict::Loss,
        }
    }
}
