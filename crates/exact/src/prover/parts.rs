//! Proofs in parts, for a search that alternates with them.

use super::tables::TableSlot;
use crate::kalah::{Solver, SolverOptions, Techniques};
use crate::{Bounds, Effort};
use kalahari_games::kalah::{Board, Kalah, Pit};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A solver that is asked about the positions of a game again and again, and can be interrupted at any time.
#[derive(Debug)]
pub struct PartProofs<B: Board> {
    game: Kalah<B>,
    /// The most bytes of the table of proven bounds.
    memory: u64,
    tablebase: TableSlot,
    work: Mutex<Work<B>>,
}

/// The solver and how much it has done.
#[derive(Debug)]
struct Work<B: Board> {
    /// Made when it is needed.
    solver: Option<Solver<B>>,
    /// Whether its table is as large as it may be.
    is_large: bool,
    nodes: u64,
}

impl<B: Board> Work<B> {
    const NONE: Self = Work {
        solver: None,
        is_large: false,
        nodes: 0,
    };
}

/// Short proofs have no time for a long look ahead at every move.
const LONGEST_LOOK: u32 = 2;
/// The first table: touching a large one for the first time takes longer than a short search.
const SMALL: u64 = 4 << 20;
/// After this many nodes, a small table loses more than it keeps.
const SMALL_NODES: u64 = 1_000_000;

impl<B: Board> PartProofs<B> {
    /// Proofs of positions of a game with this tablebase, and a table of at most `memory` bytes.
    pub fn new(game: &Kalah<B>, tablebase: TableSlot, memory: u64) -> Self {
        PartProofs {
            game: game.clone(),
            memory,
            tablebase,
            work: Mutex::new(Work::NONE),
        }
    }

    /// About how many nodes it takes to prove the value of a position. Measured on middle games of six pits: the median
    /// doubles about every one and a half seeds, and eight more seeds in the tablebase halve it; one position in four takes
    /// three times as many.
    pub fn likely_cost(&self, position: &B) -> u64 {
        let known = self.tablebase.seeds();
        let doublings = 0.65 * f64::from(position.seeds_in_play()) - known as f64 / 8.0 - 6.4;
        2.0_f64.powf(doublings) as u64
    }

    /// Narrows the proven bounds of a position's moves until the value is known (with `every_move`, the value of every move),
    /// or the effort ends. See [`Solver::narrow`].
    pub fn narrow(
        &self,
        position: &B,
        guess: i32,
        every_move: bool,
        moves: &mut [(Pit, Bounds)],
        effort: &Effort,
    ) {
        let mut work = self.work(position);
        if let Some(solver) = &work.solver {
            solver.narrow(position, guess, moves, effort);
            if every_move {
                solver.narrow_all(position, moves, effort);
            }
        }
        work.nodes += effort.nodes();
    }

    /// The first moves of a best line from a position whose final margin is known.
    pub fn line(&self, position: &B, margin: i32, effort: &Effort) -> Vec<Pit> {
        let work = self.work(position);
        let line = |solver: &Solver<B>| solver.line(position, margin, usize::MAX, effort);
        work.solver.as_ref().map(line).unwrap_or_default()
    }

    /// Forgets what has been proven.
    pub fn forget(&self) {
        *self.lock() = Work::NONE;
    }

    fn lock(&self) -> MutexGuard<'_, Work<B>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The solver for a position, unless there is no room for one.
    fn work(&self, position: &B) -> MutexGuard<'_, Work<B>> {
        let seeds = position.seeds_in_play();
        let mut work = self.lock();
        let is_large = work.is_large || work.nodes > SMALL_NODES;
        let fits = |solver: &Solver<B>| solver.seeds() >= seeds && is_large == work.is_large;
        if !work.solver.as_ref().is_some_and(fits) {
            // The old one is dropped first: two at once might not fit in memory.
            work.solver = None;
            let options = SolverOptions {
                memory: match is_large {
                    true => self.memory,
                    false => self.memory.min(SMALL),
                },
                tablebase: None,
                techniques: Techniques {
                    longest_look: LONGEST_LOOK,
                    ..Techniques::default()
                },
            };
            work.solver = Solver::new(&self.game, seeds, options).ok();
            work.is_large = is_large;
        }
        if let (Some(solver), Some(table)) = (&mut work.solver, self.tablebase.get())
            && solver.tablebase_seeds() == 0
        {
            solver.use_tablebase(Some(table.clone()));
        }
        work
    }
}
