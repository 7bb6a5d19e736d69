//! Alpha-beta to the end of the game.

use crate::isolation::table::Table;
use kalahari_games::Game;
use kalahari_games::isolation::{
    Bits, Essence, Isolation, IsolationMove, IsolationPosition, IsolationRule,
};
use kalahari_walks::Endgame;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is proven of a value: the final margin in `trail`, +1 or -1 in the other rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsolationBounds {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
}

impl IsolationBounds {
    /// The value, if it is known.
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Solves positions of one game, remembering what it has proven from one to the next.
#[derive(Debug)]
pub struct IsolationSolver<B: Bits> {
    game: Isolation<B>,
    table: Table<B>,
    /// Values of separated positions; `None` in `classic`.
    endgame: Option<Endgame<B>>,
    trail: bool,
    nodes: u64,
}

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
            nodes: 0,
        }
    }

    /// Positions looked into so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Proves the value of a position as its mover sees it; when `stop` is set, what is proven by then comes back.
    pub fn value(&mut self, position: &Position<B>, stop: &AtomicBool) -> IsolationBounds {
        let lead = position.lead();
        let (mut lower, mut upper) = self.outer_bounds(position);
        let mut beta = 1;
        while lower < upper {
            beta = beta.clamp(lower + 1, upper);
            match self.window(position, beta, stop) {
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
        }
        IsolationBounds {
            lower: lead + lower,
            upper: lead + upper,
        }
    }

    /// The value of every move, as the mover sees it, in the order of the game's moves.
    pub fn moves(
        &mut self,
        position: &Position<B>,
        stop: &AtomicBool,
    ) -> Vec<(IsolationMove, IsolationBounds)> {
        let moves: Vec<IsolationMove> = self.game.moves(position).collect();
        moves
            .into_iter()
            .map(|mv| {
                let after = self.game.play_unchecked(position, mv);
                let IsolationBounds { lower, upper } = self.value(&after, stop);
                let turned = IsolationBounds {
                    lower: -upper,
                    upper: -lower,
                };
                (mv, turned)
            })
            .collect()
    }

    /// A best line to the end from a position of this value. Shorter if stopped.
    pub fn line(
        &mut self,
        position: &Position<B>,
        value: i32,
        stop: &AtomicBool,
    ) -> Vec<IsolationMove> {
        let (mut position, mut value) = (*position, value);
        let mut line = Vec::new();
        while let Some(mv) = self.best_move(&position, value, stop) {
            position = self.game.play_unchecked(&position, mv);
            value = -value;
            line.push(mv);
        }
        line
    }

    /// A move that keeps the value of a position; `None` if the game is over or the search stopped.
    pub fn best_move(
        &mut self,
        position: &Position<B>,
        value: i32,
        stop: &AtomicBool,
    ) -> Option<IsolationMove> {
        let moves: Vec<IsolationMove> = self.game.moves(position).collect();
        moves.into_iter().find(|&mv| {
            let after = self.game.play_unchecked(position, mv);
            let beta = -value - after.lead() + 1;
            self.window(&after, beta, stop)
                .is_some_and(|found| found < beta)
        })
    }

    /// Bounds of the future value that need no search: in `trail`, how far each piece could get at best.
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
        stop: &AtomicBool,
    ) -> Option<(i32, i32)> {
        let endgame = self.endgame.as_mut()?;
        let sides = endgame.sides(position)?;
        let lead = position.lead();
        let settles = |lower: i32, upper: i32| lower - lead >= beta || upper - lead < beta;
        let nodes = &mut self.nodes;
        let mut give_up = || {
            *nodes += 1;
            *nodes & 0x3ff == 0 && stop.load(Ordering::Relaxed)
        };
        let (lower, upper) = endgame.bounds(position, &sides, settles, &mut give_up);
        settles(lower, upper).then_some((lower - lead, upper - lead))
    }

    fn essence(&self, position: &Position<B>) -> Essence<B> {
        let symmetries = self.game.symmetries();
        symmetries.canonical(position.essence()).0
    }

    /// A bound of the future value: at least `beta` and then a lower one, or below `beta` and then an upper
    /// one. `None` if the search was stopped.
    fn window(&mut self, position: &Position<B>, beta: i32, stop: &AtomicBool) -> Option<i32> {
        let (lower, upper) = self.outer_bounds(position);
        if lower >= beta || lower == upper {
            return Some(lower);
        }
        if upper < beta {
            return Some(upper);
        }
        if let Some((lower, upper)) = self.endgame_bounds(position, beta, stop) {
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
        self.nodes += 1;
        if self.nodes & 0x3ff == 0 && stop.load(Ordering::Relaxed) {
            return None;
        }
        let begun = self.nodes;
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
        let mut best = lower;
        for (_, after) in children {
            let gain = -after.lead() - position.lead();
            let value = gain - self.window(&after, gain - beta + 1, stop)?;
            best = best.max(value);
            if best >= beta {
                self.table.put(key, best, upper, self.nodes - begun);
                return Some(best);
            }
        }
        self.table.put(key, lower, best, self.nodes - begun);
        Some(best)
    }
}
