//! What to play when the game cannot be won by force: the move that gives the opponent most chances to go wrong.
//!
//! The value of the position is proven, and several moves may keep it. Among them, the one is chosen after which an opponent
//! who replies at random is most likely to go wrong, now or later. The chances are computed from proven results only,
//! looking ahead one more pair of moves at a time as long as the budget lasts. For games in which the players alternate.

use super::found::LOWEST;
use super::search::Searcher;
use crate::Searchable;
use crate::eval::Evaluation;
use std::cmp::Ordering;

/// The depth of the searches that decide whether a reply is a mistake. A reply that they cannot settle does not count as one.
const DEPTH: i32 = 48;

/// Mistakes further ahead count less: the opponent may see them coming, or never get there.
const PATIENCE: f64 = 0.9;

/// The most pairs of moves to look ahead.
const FARTHEST: u32 = 12;

/// The search for traps in a game that cannot be won by force: any better result needs a mistake of the opponent.
pub(super) struct Traps<'s, 'a, G: Searchable, E> {
    searcher: &'s mut Searcher<'a, G, E>,
    /// What the position is worth.
    value: i32,
    /// The value that a move has to keep, and the least value that is better.
    kept: i32,
    better: i32,
}

impl<'s, 'a, G: Searchable, E: Evaluation<G>> Traps<'s, 'a, G, E> {
    /// For positions of this value; `None` if they are won.
    pub(super) fn new(searcher: &'s mut Searcher<'a, G, E>, value: i32) -> Option<Self> {
        let draw = searcher.scale.finished(0);
        let (kept, better) = match value.cmp(&draw) {
            Ordering::Greater => return None,
            Ordering::Equal => (draw, draw + 1),
            Ordering::Less => (LOWEST, draw),
        };
        Some(Traps {
            searcher,
            value,
            kept,
            better,
        })
    }

    /// The move that sets most traps, and whether it is proven to keep the exact value of the position; `None` if the budget
    /// did not last for a single pass.
    pub(super) fn best_move(&mut self, position: &G::Position) -> Option<(G::Move, bool)> {
        let mut best = None;
        for pairs in 1..=FARTHEST {
            let found = self.best_chance(position, pairs);
            if self.searcher.budget.is_spent() {
                break;
            }
            let (mv, _) = found?;
            let child = self.searcher.game.play_unchecked(position, mv);
            let keeps = self.is_at_most(&child, -self.value);
            if self.searcher.budget.is_spent() {
                break;
            }
            best = Some((mv, keeps));
        }
        best
    }

    /// The best move and its chance, looking some pairs of moves ahead. The player who sets traps is to move.
    fn best_chance(&mut self, position: &G::Position, pairs: u32) -> Option<(G::Move, f64)> {
        let game = self.searcher.game;
        let mut best: Option<(G::Move, f64)> = None;
        for mv in game.moves(position) {
            let child = game.play_unchecked(position, mv);
            if !self.is_at_most(&child, -self.kept) {
                continue;
            }
            let chance = self.chance(&child, pairs);
            if self.searcher.budget.is_spent() {
                return None;
            }
            if best.is_none_or(|(_, most)| chance > most) {
                best = Some((mv, chance));
            }
        }
        best
    }

    /// The chance that the opponent, who is to move, goes wrong from here on.
    fn chance(&mut self, position: &G::Position, pairs: u32) -> f64 {
        let game = self.searcher.game;
        let (mut sum, mut replies) = (0.0, 0.0);
        for mv in game.moves(position) {
            let child = game.play_unchecked(position, mv);
            if self.is_at_least(&child, self.better) {
                sum += 1.0;
            } else if pairs > 1 {
                let later = self.best_chance(&child, pairs - 1);
                sum += PATIENCE * later.map_or(0.0, |(_, chance)| chance);
            }
            replies += 1.0;
            if self.searcher.budget.is_spent() {
                return 0.0;
            }
        }
        // A game that is over has no replies.
        sum / f64::max(replies, 1.0)
    }

    /// Whether a position is proven to be worth at least this to its mover.
    fn is_at_least(&mut self, position: &G::Position, value: i32) -> bool {
        let searcher = &mut *self.searcher;
        let found = searcher.value(position, None, DEPTH, value - 1, value, false);
        found.complete && found.value >= value
    }

    /// Whether a position is proven to be worth at most this to its mover.
    fn is_at_most(&mut self, position: &G::Position, value: i32) -> bool {
        if value >= -LOWEST {
            return true;
        }
        let searcher = &mut *self.searcher;
        let found = searcher.value(position, None, DEPTH, value, value + 1, false);
        found.complete && found.value <= value
    }
}
