//! Alpha-beta to the end of the game.

use crate::isolation::symmetry::{Essence, NOWHERE, Symmetries};
use crate::isolation::table::Table;
use kalahari_games::Game;
use kalahari_games::isolation::{Bits, Isolation, IsolationMove, IsolationPosition, IsolationRule};
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
    symmetries: Symmetries,
    table: Table<B>,
    trail: bool,
    /// The neighbours of each cell, north, east, south and west.
    neighbours: Vec<B>,
    nodes: u64,
}

/// A position while it is searched: values are *future* ones, with the lead left out.
type Position<B> = IsolationPosition<B>;

impl<B: Bits> IsolationSolver<B> {
    /// A solver with about `memory` bytes for its table.
    pub fn new(game: &Isolation<B>, memory: u64) -> Self {
        let spec = game.isolation_spec();
        let (rows, cols) = (spec.rows(), spec.cols());
        let neighbours = |index: usize| {
            let (row, col) = (index / cols, index % cols);
            let mut set = B::EMPTY;
            for (to_row, to_col) in [
                (row.wrapping_sub(1), col),
                (row + 1, col),
                (row, col.wrapping_sub(1)),
                (row, col + 1),
            ] {
                if to_row < rows && to_col < cols {
                    set = set | B::one(to_row * cols + to_col);
                }
            }
            set
        };
        IsolationSolver {
            game: game.clone(),
            symmetries: Symmetries::new(spec),
            table: Table::new(memory),
            trail: spec.rule() == IsolationRule::Trail,
            neighbours: (0..spec.cells()).map(neighbours).collect(),
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

    /// Bounds that need no search: how far each piece could get at best.
    fn outer_bounds(&self, position: &Position<B>) -> (i32, i32) {
        if !self.trail {
            return match self.game.is_over(position) {
                true => (-1, -1),
                false => (-1, 1),
            };
        }
        let reach = |player| match position.piece(player) {
            Some(at) => self.reach(position.free(), at),
            None => 0,
        };
        (-reach(!position.player()), reach(position.player()))
    }

    /// How many free cells are connected with a cell.
    fn reach(&self, free: B, at: usize) -> i32 {
        let mut seen = B::EMPTY;
        let mut edge = self.neighbours[at] & free;
        while !edge.is_empty() {
            seen = seen | edge;
            let next = |set: B, cell: usize| set | self.neighbours[cell];
            edge = edge.ones().fold(B::EMPTY, next) & free & !seen;
        }
        seen.count() as i32
    }

    fn essence(&self, position: &Position<B>) -> Essence<B> {
        let at = |player| position.piece(player).map_or(NOWHERE, |at| at as u16);
        self.symmetries.canonical(Essence {
            free: position.free(),
            at: at(position.player()),
            other_at: at(!position.player()),
        })
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
