//! Alpha-beta to the end of the game.

use crate::effort::Account;
use crate::isolation::table::Table;
use crate::{Bounds, Effort};
use kalahari_games::Game;
use kalahari_games::isolation::{
    Bits, Essence, Isolation, IsolationMove, IsolationPosition, IsolationRule,
};
use kalahari_walks::Endgame;

/// Solves positions of one game, remembering what it has proven from one to the next. Values are the final margin in
/// `trail`, +1 or -1 in the other rules.
#[derive(Debug)]
pub struct IsolationSolver<B: Bits> {
    game: Isolation<B>,
    table: Table<B>,
    /// Values of separated positions; `None` in `classic`.
    endgame: Option<Endgame<B>>,
    trail: bool,
}

/// Ordering this many children is at most the work of a node.
const CHILDREN_A_NODE: u64 = 32;

/// A position while it is searched: values are *future* ones, with the lead left out.
type Position<B> = IsolationPosition<B>;

impl<B: Bits> IsolationSolver<B> {
    /// A solver with about `memory` bytes for its table.
    pub fn new(game: &Isolation<B>, memory: u64) -> Self {
        let spec = game.isolation_spec();
        IsolationSolver {
            game: game.clone(),
            table: Table::new(memory),
            trail: spec.rule() == IsolationRule::Trail,
            endgame: Endgame::new(game),
        }
    }

    /// Proves the value of a position as its mover sees it. `news` is called for every narrower bound. If the effort ends
    /// before the proof, returns what is proven by then.
    pub fn value(
        &mut self,
        position: &Position<B>,
        effort: &Effort,
        news: &mut dyn FnMut(Bounds),
    ) -> Bounds {
        let lead = position.lead();
        let (mut lower, mut upper) = self.outer_bounds(position);
        let mut beta = 1;
        while lower < upper {
            beta = beta.clamp(lower + 1, upper);
            match self.window(position, beta, &mut effort.account()) {
                Some(found) if found >= beta => {
                    lower = found.max(lower);
                    beta = found + 1;
                }
                Some(found) => {
                    upper = found.min(upper);
                    beta = found;
                }
                None => break,
            }
            news(Bounds { lower, upper }.plus(lead));
        }
        Bounds { lower, upper }.plus(lead)
    }

    /// The value of every move, as the mover sees it, in the order of the game's moves. `news` is called for every finished
    /// move.
    pub fn moves(
        &mut self,
        position: &Position<B>,
        effort: &Effort,
        news: &mut dyn FnMut(IsolationMove, Bounds),
    ) -> Vec<(IsolationMove, Bounds)> {
        let moves: Vec<IsolationMove> = self.game.moves(position).collect();
        moves
            .into_iter()
            .map(|mv| {
                let after = self.game.play_unchecked(position, mv);
                let bounds = self.value(&after, effort, &mut |_| ()).turned();
                news(mv, bounds);
                (mv, bounds)
            })
            .collect()
    }

    /// The first `plies` moves of a best line to the end from a position of this value; fewer if the game or the effort ends
    /// earlier.
    pub fn line(
        &mut self,
        position: &Position<B>,
        value: i32,
        plies: usize,
        effort: &Effort,
    ) -> Vec<IsolationMove> {
        let (mut position, mut value) = (*position, value);
        let mut line = Vec::new();
        while line.len() < plies
            && let Some(mv) = self.best_move(&position, value, effort)
        {
            position = self.game.play_unchecked(&position, mv);
            value = -value;
            line.push(mv);
        }
        line
    }

    /// A move that keeps the value of a position; `None` if the game is over or the effort ends.
    pub fn best_move(
        &mut self,
        position: &Position<B>,
        value: i32,
        effort: &Effort,
    ) -> Option<IsolationMove> {
        let moves: Vec<IsolationMove> = self.game.moves(position).collect();
        moves.into_iter().find(|&mv| {
            let after = self.game.play_unchecked(position, mv);
            let beta = -value - after.lead() + 1;
            self.window(&after, beta, &mut effort.account())
                .is_some_and(|found| found < beta)
        })
    }

    /// Bounds of the future value that need no search: in `trail`, from how far each piece can walk at best.
    fn outer_bounds(&mut self, position: &Position<B>) -> (i32, i32) {
        let mover = position.player();
        match &mut self.endgame {
            Some(endgame) if self.trail => {
                let mut most = |player| endgame.most_moves(position, player) as i32;
                (-most(!mover), most(mover))
            }
            _ if self.game.is_over(position) => (-1, -1),
            _ => (-1, 1),
        }
    }

    /// The bounds of the future value of a position whose pieces are separated, as sharp as `beta` needs them; `None` for
    /// other positions and when stopped.
    fn endgame_bounds(
        &mut self,
        position: &Position<B>,
        beta: i32,
        account: &mut Account<'_>,
    ) -> Option<(i32, i32)> {
        let endgame = self.endgame.as_mut()?;
        let sides = endgame.sides(position)?;
        let lead = position.lead();
        let settles = |lower: i32, upper: i32| lower - lead >= beta || upper - lead < beta;
        let (lower, upper) = endgame.bounds(position, &sides, settles, account);
        settles(lower, upper).then_some((lower - lead, upper - lead))
    }

    fn essence(&self, position: &Position<B>) -> Essence<B> {
        let symmetries = self.game.symmetries();
        symmetries.canonical(position.essence()).0
    }

    /// A bound of the future value: a lower bound if it is at least `beta`, otherwise an upper bound. `None` if the search was
    /// stopped.
    fn window(
        &mut self,
        position: &Position<B>,
        beta: i32,
        account: &mut Account<'_>,
    ) -> Option<i32> {
        let (lower, upper) = self.outer_bounds(position);
        if lower >= beta || lower == upper {
            return Some(lower);
        }
        if upper < beta {
            return Some(upper);
        }
        if let Some((lower, upper)) = self.endgame_bounds(position, beta, account) {
            return Some(if lower >= beta { lower } else { upper });
        }
        let key = self.essence(position);
        if let Some((lower, upper)) = self.table.get(&key) {
            if lower >= beta {
                return Some(lower);
            }
            if upper < beta {
                return Some(upper);
            }
        }
        if account.count_node() {
            return None;
        }
        let begun = account.nodes();
        // Fewest replies first: they are searched fastest and are often best.
        let mut children: Vec<(u64, IsolationPosition<B>)> = self
            .game
            .moves(position)
            .map(|mv| {
                let after = self.game.play_unchecked(position, mv);
                let replies = self.game.destinations(&after, after.player());
                (u64::from(replies.count()), after)
            })
            .collect();
        children.sort_by_key(|(replies, _)| *replies);
        account.is_work_of(children.len() as u64 / CHILDREN_A_NODE);
        let mut best = lower;
        for (_, after) in children {
            let gain = -after.lead() - position.lead();
            let value = gain - self.window(&after, gain - beta + 1, account)?;
            best = best.max(value);
            if best >= beta {
                self.table.put(key, best, upper, account.nodes() - begun);
                return Some(best);
            }
        }
        self.table.put(key, lower, best, account.nodes() - begun);
        Some(best)
    }
}
