//! Windows in a row until the margin is known.

use crate::kalah::ordering::Guess;
use crate::kalah::saved::{self, SavedTableError};
use crate::kalah::search::{Busy, Searcher, Shared};
use crate::kalah::table::Table;
use crate::kalah::wide_table::WideTable;
use crate::kalah::word_table::WordTable;
use crate::kalah::{SolverOptions, Techniques};
use crate::tablebase::Tablebase;
use kalahari_games::kalah::{Board, Kalah, Pit};
use kalahari_games::{Game, SpecError};
use std::cmp::Reverse;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use thiserror::Error;

/// Why a solver could not be made.
#[derive(Debug, Error)]
pub enum SolveError {
    /// There is no room for the table.
    #[error("no memory for a table of {bytes} bytes: {source}")]
    Memory {
        /// What was asked for.
        bytes: u64,
        /// What the system says.
        source: io::Error,
    },
    /// The base rule does not fit the board. This does not happen for games that were made.
    #[error(transparent)]
    Game(#[from] SpecError),
}

/// What is proven of a final margin, stores included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The margin is at least this.
    pub lower: i32,
    /// The margin is at most this.
    pub upper: i32,
}

impl Bounds {
    /// The margin, if it is known.
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The same seen by the other player.
    pub fn turned(self) -> Self {
        Bounds {
            lower: -self.upper,
            upper: -self.lower,
        }
    }
}

/// Solves positions of one game, remembering what it has proven from one to the next.
///
/// A game with the end by majority is solved as its base rule.
#[derive(Debug)]
pub struct Solver<B: Board> {
    game: Kalah<B>,
    table: AnyTable,
    tablebase: Option<Arc<Tablebase>>,
    threads: usize,
    techniques: Techniques,
    guess: Guess,
    nodes: AtomicU64,
}

#[derive(Debug)]
enum AnyTable {
    Word(WordTable),
    Wide(WideTable),
}

impl<B: Board> Solver<B> {
    /// A solver for positions of `game` with at most `seeds` seeds in the pits.
    pub fn new(game: &Kalah<B>, seeds: u32, options: SolverOptions) -> Result<Self, SolveError> {
        let base = game.kalah_spec().with_majority(false);
        let pits = base.pits();
        let bytes = options.memory;
        // Boards without bytes cannot be ranked as words.
        let word = match B::MAX_PITS <= 8 {
            true => WordTable::new(pits, seeds as usize, bytes),
            false => None,
        };
        let table = match word {
            Some(table) => {
                AnyTable::Word(table.map_err(|source| SolveError::Memory { bytes, source })?)
            }
            None => AnyTable::Wide(WideTable::new(pits, seeds as usize, bytes)),
        };
        let of_family = |table: &Arc<Tablebase>| {
            table.spec().pits() == pits && table.spec().rule() == base.rule()
        };
        Ok(Solver {
            game: Kalah::<B>::new(base)?.with_any_total(),
            table,
            tablebase: options.tablebase.filter(of_family),
            threads: options.threads.max(1),
            techniques: options.techniques,
            guess: Guess::new(pits),
            nodes: AtomicU64::new(0),
        })
    }

    /// The game that is solved: without the end by majority.
    pub fn game(&self) -> &Kalah<B> {
        &self.game
    }

    /// Positions looked into so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The seeds of the tablebase in use; 0 without one.
    pub fn tablebase_seeds(&self) -> usize {
        self.tablebase.as_ref().map_or(0, |table| table.seeds())
    }

    /// Proves the final margin of a position as its mover sees it.
    ///
    /// `news` hears of every narrower bound. When `stop` is set, what is proven by then comes back.
    pub fn margin(&self, position: &B, stop: &AtomicBool, news: &mut dyn FnMut(Bounds)) -> Bounds {
        let seeds = position.seeds_in_play() as i32;
        let whole = Bounds {
            lower: -seeds,
            upper: seeds,
        };
        self.margin_within(position, whole, stop, news)
    }

    /// As [`margin`](Self::margin), beginning with proven bounds of the *future* margin.
    fn margin_within(
        &self,
        position: &B,
        future: Bounds,
        stop: &AtomicBool,
        news: &mut dyn FnMut(Bounds),
    ) -> Bounds {
        let lead = self.game.store_margin(position);
        let with_stores = |future: Bounds| Bounds {
            lower: lead + future.lower,
            upper: lead + future.upper,
        };
        let seeds = position.seeds_in_play() as i32;
        let mut proven = future;
        let guess = self.guess.far_ahead(&self.game, position);
        // Windows lie between two margins of the right parity.
        let mut beta = guess + (guess + seeds).rem_euclid(2);
        while proven.lower < proven.upper {
            beta = beta.clamp(proven.lower + 1, proven.upper);
            beta += (beta + seeds).rem_euclid(2);
            let Some(found) = self.window(position, beta, stop) else {
                break;
            };
            if found >= beta {
                proven.lower = found.max(proven.lower);
                beta = found + 2;
            } else {
                proven.upper = found.min(proven.upper);
                beta = found;
            }
            news(with_stores(proven));
        }
        with_stores(proven)
    }

    /// The final margin of every move, as the mover sees it, by pit; `None` for empty pits. `best` is the final margin of the
    /// position itself, which no move exceeds.
    ///
    /// `news` hears of every move that is done.
    pub fn moves(
        &self,
        position: &B,
        best: i32,
        stop: &AtomicBool,
        news: &mut dyn FnMut(Pit, Bounds),
    ) -> Vec<Option<Bounds>> {
        let mut values = vec![None; self.game.pits()];
        // The same order as the search: what it has looked into most comes first.
        for pit in self
            .game
            .moves(position)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
        {
            let after = self.game.play_unchecked(position, pit);
            let seeds = after.seeds_in_play() as i32;
            let lead = self.game.store_margin(&after);
            let (mut lower, mut upper) = (-seeds, seeds);
            let again = after.player() == position.player();
            match again {
                true => upper = upper.min(best - lead),
                false => lower = lower.max(-best - lead),
            }
            let value = self.margin_within(&after, Bounds { lower, upper }, stop, &mut |_| ());
            let value = if again { value } else { value.turned() };
            news(pit, value);
            values[pit.index()] = Some(value);
        }
        values
    }

    /// A best line to the end of the game from a position whose final margin is `margin`. Shorter if stopped.
    pub fn line(&self, position: &B, margin: i32, stop: &AtomicBool) -> Vec<Pit> {
        let mut line = Vec::new();
        let (mut position, mut margin) = (*position, margin);
        while let Some(pit) = self.best_move(&position, margin, stop) {
            let after = self.game.play_unchecked(&position, pit);
            if after.player() != position.player() {
                margin = -margin;
            }
            position = after;
            line.push(pit);
        }
        line
    }

    /// A move that keeps `margin`, the final margin of the position; `None` if the game is over or the search stopped.
    pub fn best_move(&self, position: &B, margin: i32, stop: &AtomicBool) -> Option<Pit> {
        let hint = match &self.table {
            AnyTable::Word(table) => table.get(table.key(position)),
            AnyTable::Wide(table) => table.get(table.key(position)),
        };
        let hint = hint.map(|known| known.best);
        let mut pits: Vec<Pit> = self.game.moves(position).collect();
        pits.sort_by_key(|pit| (Some(pit.0) != hint, Reverse(*pit)));
        pits.into_iter().find(|&pit| {
            let after = self.game.play_unchecked(position, pit);
            let again = after.player() == position.player();
            let wanted = if again { margin } else { -margin };
            let future = wanted - self.game.store_margin(&after);
            // Nobody can do better than the value, so it is enough that the move does no worse.
            let beta = if again { future } else { future + 1 };
            let found = self.window(&after, beta, stop);
            found.is_some_and(|found| (found >= beta) == again)
        })
    }

    /// One null window, with all threads: see `Searcher::window`.
    fn window(&self, position: &B, beta: i32, stop: &AtomicBool) -> Option<i32> {
        match &self.table {
            AnyTable::Word(table) => self.window_with(table, position, beta, stop),
            AnyTable::Wide(table) => self.window_with(table, position, beta, stop),
        }
    }

    fn window_with<T: Table>(
        &self,
        table: &T,
        position: &B,
        beta: i32,
        stop: &AtomicBool,
    ) -> Option<i32> {
        let shared = Shared {
            game: &self.game,
            table,
            tablebase: self.tablebase.as_deref(),
            techniques: self.techniques,
            guess: &self.guess,
            stop,
            answered: AtomicBool::new(false),
            nodes: &self.nodes,
            busy: Busy::new(),
        };
        // A few seeds beyond the tablebase are not worth waking other threads for.
        let small = position.seeds_in_play() as usize <= self.tablebase_seeds() + 6;
        if self.threads == 1 || small {
            return Searcher::new(&shared, false).window(position, beta);
        }
        let work = || {
            let result = Searcher::new(&shared, true).window(position, beta);
            if result.is_some() {
                shared.answered.store(true, Ordering::Relaxed);
            }
            result
        };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            helpers
                .into_iter()
                .filter_map(|helper| helper.join().ok().flatten())
                .chain(own)
                .next()
        })
    }

    /// Writes all proven bounds to a file, whole or not at all; a solve may be under way.
    pub fn save(&self, path: &Path) -> Result<(), SavedTableError> {
        match &self.table {
            AnyTable::Word(table) => saved::save(path, &self.family(), table),
            AnyTable::Wide(_) => Err(SavedTableError::Unsupported),
        }
    }

    /// Takes over the bounds that a solver of the same game, seeds and memory saved.
    pub fn resume(&self, path: &Path) -> Result<(), SavedTableError> {
        match &self.table {
            AnyTable::Word(table) => saved::load(path, &self.family(), table),
            AnyTable::Wide(_) => Err(SavedTableError::Unsupported),
        }
    }

    /// What decides the meaning of a bound: pits and capture rule.
    fn family(&self) -> String {
        let spec = self.game.kalah_spec();
        format!("kalah:{}:{}", spec.pits(), spec.rule())
    }
}
