//! The recursion itself.

use crate::eval::{Evaluation, Scale};
use kalahari_games::Game;
use kalahari_terms::Budget;

/// Whether branches that cannot matter are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Minimax: every node is visited.
    None,
    /// Alpha-beta.
    AlphaBeta,
}

/// One search of plain minimax or alpha-beta.
pub struct PlainSearch<'a, G, E> {
    game: &'a G,
    eval: &'a E,
    scale: Scale,
    pruning: Pruning,
    extra: i32,
    /// Counts nodes; once it is spent, results mean nothing.
    pub budget: Budget,
    /// Whether an unfinished game has been evaluated: if not, values are exact.
    pub guessed: bool,
}

/// Less than every value.
pub(crate) const LOWEST: i32 = -1_000_000_000;

impl<'a, G: Game, E: Evaluation<G>> PlainSearch<'a, G, E> {
    /// A search with an evaluation. A move that earns an extra turn costs `extra` in depth, any other 1.
    pub fn new(game: &'a G, eval: &'a E, pruning: Pruning, extra: u32, budget: Budget) -> Self {
        PlainSearch {
            game,
            eval,
            scale: eval.scale(),
            pruning,
            extra: extra as i32,
            budget,
            guessed: false,
        }
    }

    /// The value of a position for the player to move, searched `depth` plies deep. `again` says that
    /// this player has made the last move too.
    ///
    /// With pruning, a result that is not between `alpha` and `beta` is a bound: at most `alpha` means
    /// at most that, at least `beta` means at least that.
    pub fn value(
        &mut self,
        position: &G::Position,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        again: bool,
    ) -> i32 {
        if self.budget.count_node() {
            return 0;
        }
        if let Some(outcome) = self.game.outcome(position) {
            let margin = outcome.margin(self.game.to_move(position));
            return self.scale.finished(margin);
        }
        if depth <= 0 {
            self.guessed = true;
            return self.eval.evaluate(self.game, position, again);
        }
        let game = self.game;
        let mover = game.to_move(position);
        let mut best = LOWEST;
        for mv in game.moves(position) {
            let child = game.play_unchecked(position, mv);
            let value = if game.to_move(&child) == mover {
                self.value(&child, depth - self.extra, alpha, beta, true)
            } else {
                -self.value(&child, depth - 1, -beta, -alpha, false)
            };
            best = best.max(value);
            if self.pruning == Pruning::AlphaBeta {
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
            if self.budget.is_spent() {
                break;
            }
        }
        best
    }

    /// The value of the move from `position` to `child` for the player who makes it.
    pub fn move_value(
        &mut self,
        position: &G::Position,
        child: &G::Position,
        depth: i32,
        alpha: i32,
    ) -> i32 {
        if self.game.to_move(child) == self.game.to_move(position) {
            self.value(child, depth - self.extra, alpha, -LOWEST, true)
        } else {
            -self.value(child, depth - 1, LOWEST, -alpha, false)
        }
    }
}
