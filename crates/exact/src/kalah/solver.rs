//! Null windows, one after another, until the margin is known.

use crate::kalah::busy::Busy;
use crate::kalah::meter::{Glimpse, Meter};
use crate::kalah::ordering::Guess;
use crate::kalah::saved::{self, SavedTableError};
use crate::kalah::search::{self, Shared};
use crate::kalah::table::{Known, Table};
use crate::kalah::wide_table::WideTable;
use crate::kalah::word_table::WordTable;
use crate::kalah::{SolverOptions, Techniques};
use crate::tablebase::{TableSpec, Tablebase};
use crate::{Bounds, Effort};
use kalahari_games::kalah::{Board, Kalah, Pit};
use kalahari_games::{Game, SpecError};
use std::cmp::Reverse;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// Why a solver could not be made.
#[derive(Debug, Error)]
pub enum SolveError {
    /// There is no room for the table.
    #[error("not enough memory for a table of {bytes} bytes: {problem}")]
    Memory {
        /// What was asked for.
        bytes: u64,
        /// What the system says.
        problem: io::Error,
    },
    /// The base rule does not fit the board. This cannot happen for an existing game.
    #[error(transparent)]
    Game(#[from] SpecError),
}

/// Solves positions of one game, remembering what it has proven from one to the next.
///
/// A game with the end by majority is solved as its base rule.
#[derive(Debug)]
pub struct Solver<B: Board> {
    game: Kalah<B>,
    table: AnyTable,
    tablebase: Option<Arc<Tablebase>>,
    techniques: Techniques,
    guess: Guess,
    busy: Busy,
    meter: Meter,
    seeds: u32,
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
        // Only layouts made of bytes can be ranked as words.
        let word = match B::MAX_PITS <= 8 {
            true => WordTable::new(pits, seeds as usize, bytes),
            false => None,
        };
        let table = match word {
            Some(table) => table.map(AnyTable::Word),
            None => WideTable::new(pits, seeds as usize, bytes).map(AnyTable::Wide),
        };
        let table = table.map_err(|problem| SolveError::Memory { bytes, problem })?;
        let mut solver = Solver {
            game: Kalah::<B>::new(base)?.with_any_total(),
            table,
            tablebase: None,
            techniques: options.techniques,
            guess: Guess::new(pits),
            busy: Busy::new(),
            meter: Meter::default(),
            seeds,
        };
        solver.use_tablebase(options.tablebase);
        Ok(solver)
    }

    /// From now on this tablebase is used, if it is one of the game's family. What is proven stays proven.
    pub fn use_tablebase(&mut self, tablebase: Option<Arc<Tablebase>>) {
        let family = TableSpec::of_game(self.game.kalah_spec());
        self.tablebase = tablebase.filter(|table| Some(table.spec()) == family);
    }

    /// The game that is solved: without the end by majority.
    pub fn game(&self) -> &Kalah<B> {
        &self.game
    }

    /// Positions with at most this many seeds in the pits can be solved.
    pub fn seeds(&self) -> u32 {
        self.seeds
    }

    /// The seeds of the tablebase in use; 0 without one.
    pub fn tablebase_seeds(&self) -> usize {
        self.tablebase.as_ref().map_or(0, |table| table.seeds())
    }

    /// Proves the final margin of a position as its mover sees it.
    ///
    /// `news` is called for every narrower bound. If the effort ends before the proof, returns what is proven by then.
    pub fn margin(&self, position: &B, effort: &Effort, news: &mut dyn FnMut(Bounds)) -> Bounds {
        self.margin_within(position, None, effort, news)
    }

    /// As [`margin`](Self::margin), beginning with what is already known.
    pub(crate) fn margin_within(
        &self,
        position: &B,
        known: Option<Bounds>,
        effort: &Effort,
        news: &mut dyn FnMut(Bounds),
    ) -> Bounds {
        let lead = self.game.store_margin(position);
        let seeds = position.seeds_in_play() as i32;
        let by_number = Bounds {
            lower: -seeds,
            upper: seeds,
        };
        let future = known.map_or(by_number, |known| known.plus(-lead));
        if effort.stop().is_requested() {
            return future.plus(lead);
        }
        let mut proven = future;
        let guess = self.guess.far_ahead(&self.game, position);
        // Windows lie between two margins of the right parity.
        let mut beta = guess + (guess + seeds).rem_euclid(2);
        while proven.lower < proven.upper {
            beta = beta.clamp(proven.lower + 1, proven.upper);
            beta += (beta + seeds).rem_euclid(2);
            let Some(found) = self.window(position, beta, effort) else {
                break;
            };
            if found >= beta {
                proven.lower = found.max(proven.lower);
                beta = found + 2;
            } else {
                proven.upper = found.min(proven.upper);
                beta = found;
            }
            news(proven.plus(lead));
        }
        proven.plus(lead)
    }

    /// The final margin of every move, as the mover sees it, by pit; `None` for empty pits. `best` is the final margin of the
    /// position itself, which no move exceeds.
    ///
    /// `news` is called for every finished move.
    pub fn moves(
        &self,
        position: &B,
        best: i32,
        effort: &Effort,
        news: &mut dyn FnMut(Pit, Bounds),
    ) -> Vec<Option<Bounds>> {
        let mut values = vec![None; self.game.pits()];
        // The same order as the search: the moves that it has searched most come first.
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
            let (mut lower, mut upper) = (lead - seeds, lead + seeds);
            let again = after.player() == position.player();
            match again {
                true => upper = upper.min(best),
                false => lower = lower.max(-best),
            }
            let known = Some(Bounds { lower, upper });
            let value = self.margin_within(&after, known, effort, &mut |_| ());
            let value = if again { value } else { value.turned() };
            news(pit, value);
            values[pit.index()] = Some(value);
        }
        values
    }

    /// The first `plies` moves of a best line to the end of the game from a position whose final margin is `margin`; fewer if
    /// the game or the effort ends earlier.
    pub fn line(&self, position: &B, margin: i32, plies: usize, effort: &Effort) -> Vec<Pit> {
        let mut line = Vec::new();
        let (mut position, mut margin) = (*position, margin);
        while line.len() < plies
            && let Some(pit) = self.best_move(&position, margin, effort)
        {
            let after = self.game.play_unchecked(&position, pit);
            if after.player() != position.player() {
                margin = -margin;
            }
            position = after;
            line.push(pit);
        }
        line
    }

    /// A move that keeps `margin`, the final margin of the position; `None` if the game is over or the effort ends.
    pub fn best_move(&self, position: &B, margin: i32, effort: &Effort) -> Option<Pit> {
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
            // No move is better than the value, so it is enough that this one is no worse.
            let beta = if again { future } else { future + 1 };
            let found = self.window(&after, beta, effort);
            found.is_some_and(|found| (found >= beta) == again)
        })
    }

    /// What the tables know about the *future* margin of a position, as its mover sees it, without a search.
    pub(super) fn known(&self, position: &B) -> Bounds {
        let seeds = position.seeds_in_play() as i32;
        let whole = Bounds {
            lower: -seeds,
            upper: seeds,
        };
        if position.is_finished() {
            return Bounds::of(0);
        }
        let tablebase = self.tablebase.as_deref();
        if let Some(margin) = tablebase.and_then(|table| table.future_margin(&self.game, position))
        {
            return Bounds::of(margin);
        }
        let known = match &self.table {
            AnyTable::Word(table) => table.get(table.key(position)),
            AnyTable::Wide(table) => table.get(table.key(position)),
        };
        known.map_or(whole, |Known { lower, upper, .. }| {
            whole.and(Bounds { lower, upper })
        })
    }

    /// Whether the final margin of a position is at least `margin`, as its mover sees it. `None` if the effort ends before
    /// that is proven.
    pub fn reaches(&self, position: &B, margin: i32, effort: &Effort) -> Option<bool> {
        let beta = margin - self.game.store_margin(position);
        let found = self.window(position, beta, effort)?;
        Some(found >= beta)
    }

    /// A guess at the final margin of a position, as its mover sees it, by a short look ahead.
    pub fn guess(&self, position: &B) -> i32 {
        self.game.store_margin(position) + self.guess.ahead_in_seeds(&self.game, position, 3)
    }

    /// One null window, with all threads: see `search::window`.
    pub(super) fn window(&self, position: &B, beta: i32, effort: &Effort) -> Option<i32> {
        match &self.table {
            AnyTable::Word(table) => self.window_with(table, position, beta, effort),
            AnyTable::Wide(table) => self.window_with(table, position, beta, effort),
        }
    }

    fn window_with<T: Table>(
        &self,
        table: &T,
        position: &B,
        beta: i32,
        effort: &Effort,
    ) -> Option<i32> {
        self.meter.begin(beta + self.game.store_margin(position));
        let shared = Shared {
            game: &self.game,
            table,
            tablebase: self.tablebase.as_deref(),
            techniques: self.techniques,
            guess: &self.guess,
            effort,
            answered: AtomicBool::new(false),
            busy: &self.busy,
        };
        // Positions with only a few seeds more than the tablebase are not worth waking other threads for.
        let small = position.seeds_in_play() as usize <= self.tablebase_seeds() + 6;
        if effort.threads() == 1 || small {
            return search::window(&shared, position, beta, false, Some(&self.meter));
        }
        let work = |meter| {
            let result = search::window(&shared, position, beta, true, meter);
            if result.is_some() {
                shared.answered.store(true, Ordering::Relaxed);
            }
            result
        };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..effort.threads())
                .map(|_| scope.spawn(|| work(None)))
                .collect();
            let own = work(Some(&self.meter));
            helpers
                .into_iter()
                .filter_map(|helper| helper.join().ok().flatten())
                .chain(own)
                .next()
        })
    }

    /// The state of the current window, or of the last one; `None` before the first.
    pub fn glimpse(&self) -> Option<Glimpse> {
        self.meter.glimpse()
    }

    /// About how much of the table of proven bounds is used, 0 to 1; `None` for tables of large boards, which do not report it.
    pub fn table_use(&self) -> Option<f64> {
        match &self.table {
            AnyTable::Word(table) => Some(table.used()),
            AnyTable::Wide(_) => None,
        }
    }

    /// Writes all proven bounds to a file, whole or not at all; a solve may be running.
    pub fn save(&self, path: &Path) -> Result<(), SavedTableError> {
        match &self.table {
            AnyTable::Word(table) => Ok(saved::save(path, &self.family(), table)?),
            AnyTable::Wide(_) => Err(SavedTableError::Unsupported),
        }
    }

    /// Takes over the bounds that a solver of the same game, seeds and memory saved.
    pub fn resume(&self, path: &Path) -> Result<(), SavedTableError> {
        match &self.table {
            AnyTable::Word(table) => Ok(saved::load(path, &self.family(), table)?),
            AnyTable::Wide(_) => Err(SavedTableError::Unsupported),
        }
    }

    /// The family of positions that the bounds are about: pits and capture rule.
    fn family(&self) -> String {
        let spec = self.game.kalah_spec();
        format!("kalah:{}:{}", spec.pits(), spec.rule())
    }
}
