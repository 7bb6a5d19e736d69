//! Narrows the proven bounds of a position's moves step by step: the root of a proof that can be interrupted and resumed.

use crate::kalah::Solver;
use crate::{Bounds, Effort};
use kalahari_games::Game;
use kalahari_games::kalah::{Board, Pit};

/// The fewest and the most nodes that a move gets before the next one is tried for the first time.
const FIRST_TURN: (u64, u64) = (1_000, 200_000);
/// Between these, one part in this many of the nodes left.
const TURNS: u64 = 8;

/// A move of the root.
struct Move<B> {
    after: B,
    again: bool,
    /// What the stores say after it, as the player to move then sees it.
    lead: i32,
}

impl<B: Board> Solver<B> {
    /// Narrows the proven bounds of the final margins of a position's moves, as its mover sees them, until the value of the
    /// best is known or the effort ends. Moves that look better come first, and `guess` is the likely margin of the best.
    ///
    /// It searches null windows around the guess: each either finds a move that reaches it, or shows that none does. When the
    /// effort ends, what is proven stays in `moves`, and what was learned on the way stays in the table.
    pub fn narrow(&self, position: &B, guess: i32, moves: &mut [(Pit, Bounds)], effort: &Effort) {
        self.recall(position, moves);
        let mut beta = guess;
        loop {
            let best = best_of(moves);
            if best.lower >= best.upper {
                return;
            }
            // Windows lie between two margins of the right parity, which is that of every bound.
            beta = beta.clamp(best.lower + 1, best.upper);
            beta += (best.upper - beta).rem_euclid(2);
            match self.any_reaches(position, beta, moves, effort) {
                None => return,
                Some(true) => beta = best_of(moves).lower + 2,
                Some(false) => beta = best_of(moves).upper,
            }
        }
    }

    /// Whether any move reaches `beta`; `None` if the effort ends before.
    ///
    /// A move that reaches it is often found soon, while one that does not takes long. So all get a few nodes in turn, and then
    /// twice as many; what was learned on the way makes the next turn short.
    fn any_reaches(
        &self,
        position: &B,
        beta: i32,
        moves: &mut [(Pit, Bounds)],
        effort: &Effort,
    ) -> Option<bool> {
        let mut nodes = (effort.left() / TURNS).clamp(FIRST_TURN.0, FIRST_TURN.1);
        loop {
            let mut are_open = false;
            for (pit, known) in moves.iter_mut() {
                if known.upper < beta {
                    continue;
                }
                let turn = effort.part(nodes);
                let found = self.move_window(position, *pit, beta, &turn);
                let is_over = effort.take_back(&turn);
                match found {
                    Some(found) => *known = known.and(found),
                    None if is_over => return None,
                    None => are_open = true,
                }
                if known.lower >= beta {
                    return Some(true);
                }
            }
            if !are_open {
                return Some(false);
            }
            nodes *= 2;
        }
    }

    /// Narrows the proven bounds of every move until all values are known or the effort ends. Call [`narrow`](Self::narrow)
    /// first.
    pub fn narrow_all(&self, position: &B, moves: &mut [(Pit, Bounds)], effort: &Effort) {
        self.recall(position, moves);
        for (pit, bounds) in moves {
            let Move { after, again, .. } = self.made(position, *pit);
            let turned = |bounds: Bounds| if again { bounds } else { bounds.turned() };
            if bounds.exact().is_none() {
                let known = Some(turned(*bounds));
                *bounds = turned(self.margin_within(&after, known, effort, &mut |_| ()));
            }
        }
    }

    /// Adds what the tables know without a search.
    fn recall(&self, position: &B, moves: &mut [(Pit, Bounds)]) {
        for (pit, bounds) in moves {
            let Move { after, again, lead } = self.made(position, *pit);
            let known = self.known(&after).plus(lead);
            *bounds = bounds.and(if again { known } else { known.turned() });
        }
    }

    /// Searches whether a move reaches `beta`, and returns the bounds that this proves. `None` if the effort ends before.
    fn move_window(&self, position: &B, pit: Pit, beta: i32, effort: &Effort) -> Option<Bounds> {
        let Move { after, again, lead } = self.made(position, pit);
        let seeds = after.seeds_in_play() as i32;
        let (mut lower, mut upper) = (-seeds, seeds);
        let beta = match again {
            true => beta - lead,
            // The opponent must not get more than -beta.
            false => 1 - beta - lead,
        };
        let found = self.window(&after, beta, effort)?;
        match found >= beta {
            true => lower = found,
            false => upper = found,
        }
        let bounds = Bounds { lower, upper }.plus(lead);
        Some(if again { bounds } else { bounds.turned() })
    }

    fn made(&self, position: &B, pit: Pit) -> Move<B> {
        let after = self.game().play_unchecked(position, pit);
        Move {
            after,
            again: after.player() == position.player(),
            lead: self.game().store_margin(&after),
        }
    }
}

/// The proven bounds of the best move.
fn best_of(moves: &[(Pit, Bounds)]) -> Bounds {
    let bounds = || moves.iter().map(|(_, bounds)| bounds);
    Bounds {
        lower: bounds().map(|bounds| bounds.lower).max().unwrap_or(0),
        upper: bounds().map(|bounds| bounds.upper).max().unwrap_or(0),
    }
}
