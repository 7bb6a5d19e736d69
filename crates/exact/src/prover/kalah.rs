//! Proofs of Kalah positions: by the opening book, the tablebase, the solver.

use super::files::{opening_book, proven_bounds, tablebase_on_disk};
use super::{
    Listener, News, Plan, Proof, ProverError, ProverOptions, Proves, Source, TableMemory,
    TablebasePolicy, Wanted, erased, typed,
};
use crate::book::{Book, ProvenBounds};
use crate::kalah::{
    SolveError, Solver, SolverOptions, Techniques, suggested_memory, suggested_tablebase,
};
use crate::tablebase::{BuildError, TableSpec, Tablebase, building_memory, position_count};
use crate::{Bounds, Effort, Watch};
use kalahari_games::kalah::{Board, Kalah, Pit};
use kalahari_games::{AnyMove, AnyPosition, Game, Typed};
use kalahari_storage::spare_memory;
use kalahari_terms::Stop;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often the table of proven bounds is saved during a proof.
const SAVE_EVERY: Duration = Duration::from_secs(600);
/// How often the listener gets news of a running proof.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// The plan for no positions: no tables.
const NOTHING: Plan = Plan {
    seeds: 0,
    tablebase_seeds: 0,
    memory: 0,
};

/// Which parts of a plan may be made smaller than planned.
#[derive(Clone, Copy, Debug)]
struct Flexible {
    /// Whether the table of proven bounds may be smaller.
    memory: bool,
    /// The family of the tablebase, if that may be smaller.
    tablebase: Option<TableSpec>,
}

/// No table of proven bounds is made smaller than this.
const LEAST_MEMORY: u64 = 1 << 20;

/// With limited time, the memory that a table of proven bounds may take for every second, and the least it may always take.
/// The system has to clear all memory that is touched, which takes about a second for a few gigabytes.
const MEMORY_A_SECOND: u64 = 256 << 20;
const LEAST_IN_TIME: u64 = 64 << 20;

/// A solver is made again if the table planned now is at least this many times as large as the one planned before.
const MUCH_LARGER: u64 = 4;

impl Flexible {
    /// The plan reduced to the memory available. If the table of proven bounds does not fit, it takes at most half of the
    /// memory, and the tablebase gets the rest.
    fn fitted(self, mut plan: Plan, spare: Option<u64>) -> Plan {
        let Some(spare) = spare else {
            return plan;
        };
        let most = spare - spare / 8;
        if self.memory && plan.memory > most {
            while plan.memory > LEAST_MEMORY && plan.memory > spare / 2 {
                plan.memory = (plan.memory / 2).max(LEAST_MEMORY);
            }
        }
        let rest = most.saturating_sub(plan.memory);
        if let Some(family) = self.tablebase {
            let fits = |seeds: &usize| {
                let bytes = building_memory(family, *seeds);
                bytes.is_some_and(|bytes| bytes <= rest)
            };
            let seeds = (0..=plan.tablebase_seeds).rev().find(fits);
            plan.tablebase_seeds = seeds.unwrap_or(0);
        }
        plan
    }
}

/// What is known about a game's opening.
#[derive(Clone, Debug, Default)]
struct Books {
    /// The values of all positions near the start.
    values: Option<Arc<Book>>,
    /// What long proofs have shown about single positions.
    bounds: Option<Arc<ProvenBounds>>,
}

pub(super) struct KalahProver<B: Board> {
    game: Kalah<B>,
    /// The game without the end by majority, whose margins books, tablebases and solvers know.
    base: Kalah<B>,
    options: ProverOptions,
    listener: Option<Listener>,
    /// `None` until they are looked for.
    books: Option<Books>,
    /// Whether the tablebase on disk has been looked for.
    has_looked: bool,
    tablebase: Option<Arc<Tablebase>>,
    /// How many positions of the tablebase were filled per second the last time some were.
    pace: Option<f64>,
    solver: Option<Solver<B>>,
    /// The memory planned for the solver's table, even if there was less room.
    planned_memory: u64,
    /// When the table was last saved, by the clock of the proofs; `None` before the first proof.
    saved: Mutex<Option<Duration>>,
}

impl<B: Board> KalahProver<B>
where
    Kalah<B>: Typed<Position = B, Move = Pit>,
{
    pub(super) fn new(game: &Kalah<B>, options: ProverOptions) -> Self {
        let base = Kalah::new(game.kalah_spec().with_majority(false));
        KalahProver {
            game: game.clone(),
            // The base rule fits the board just as the rule itself does.
            base: base.unwrap_or_else(|_| game.clone()).with_any_total(),
            options,
            listener: None,
            books: None,
            has_looked: false,
            tablebase: None,
            pace: None,
            solver: None,
            planned_memory: 0,
            saved: Mutex::new(None),
        }
    }

    /// The books, if they may be used.
    fn books(&mut self) -> Result<Books, ProverError> {
        if let Some(books) = &self.books {
            return Ok(books.clone());
        }
        let (spec, home) = (self.base.kalah_spec(), self.options.home.as_deref());
        let books = match self.options.book {
            true => Books {
                values: opening_book(spec, home)?.map(|(book, _)| book),
                bounds: proven_bounds(spec, home)?,
            },
            false => Books::default(),
        };
        Ok(self.books.insert(books).clone())
    }

    /// The tables for positions with at most `seeds` seeds in the pits, and for every move of them if that is wanted, within
    /// the time for all of them, if it is limited.
    fn plan_for(
        &mut self,
        seeds: u32,
        every_move: bool,
        time: Option<Duration>,
    ) -> Result<Plan, ProverError> {
        if seeds == 0 {
            return Ok(NOTHING);
        }
        let pits = self.base.pits();
        let policy = self.options.tablebase;
        let family = TableSpec::of_game(self.base.kalah_spec());
        let family = family.filter(|_| policy != TablebasePolicy::None);
        if let (Some(family), Some(home), false) = (family, &self.options.home, self.has_looked) {
            self.tablebase = tablebase_on_disk(home, family);
        }
        self.has_looked = true;
        let there_is = self.tablebase.as_ref().map_or(0, |table| table.seeds());
        let wanted = match (family, policy) {
            (None, _) | (_, TablebasePolicy::None | TablebasePolicy::OnDisk) => 0,
            (Some(_), TablebasePolicy::Seeds(seeds)) => seeds,
            (Some(_), TablebasePolicy::Suited { most_positions }) => {
                let most = suggested_tablebase(pits, seeds, every_move).unwrap_or(0);
                let is_small = |n: &usize| {
                    position_count(pits, *n).is_some_and(|count| count <= most_positions)
                };
                (0..=most).rev().find(is_small).unwrap_or(0)
            }
        };
        // A saved table can be resumed only by one of the same size.
        let may_shrink = !matches!(self.options.memory, TableMemory::Bytes(_));
        let may_shrink = may_shrink && self.options.save.is_none();
        let mut memory = self.options.memory.bytes(suggested_memory(pits, seeds));
        if let Some(time) = time.filter(|_| may_shrink) {
            let most = (time.as_secs_f64() * MEMORY_A_SECOND as f64) as u64;
            memory = memory.min(most.max(LEAST_IN_TIME));
        }
        let plan = Plan {
            seeds,
            tablebase_seeds: there_is.max(wanted),
            memory,
        };
        if may_shrink && memory / MUCH_LARGER >= self.planned_memory {
            // The old solver was planned for much less time.
            self.solver = None;
        }
        let made = self.solver.as_ref();
        match made.is_some_and(|made| made.seeds() >= seeds) {
            true if plan.tablebase_seeds == there_is => return Ok(plan),
            true => {}
            false => self.planned_memory = memory,
        }
        let flexible = Flexible {
            memory: may_shrink,
            tablebase: family.filter(|_| matches!(policy, TablebasePolicy::Suited { .. })),
        };
        let fitted = flexible.fitted(plan, spare_memory());
        Ok(Plan {
            tablebase_seeds: fitted.tablebase_seeds.max(there_is),
            ..fitted
        })
    }

    /// Extends the tablebase to this many seeds, unless it has them already. If stopped, it keeps the levels finished by then.
    /// A level that would not be finished within `patience` is not begun.
    fn build(
        &mut self,
        seeds: usize,
        threads: usize,
        stop: &Stop,
        patience: Option<Duration>,
    ) -> Result<(), ProverError> {
        let known = self.tablebase.as_deref();
        let there_is = known.map_or(0, Tablebase::seeds);
        let Some(family) = TableSpec::of_game(self.base.kalah_spec()).filter(|_| seeds > there_is)
        else {
            return Ok(());
        };
        let before = known.map_or(0, Tablebase::positions);
        // The seconds that the next level of a table takes.
        let next_level = |seeds: usize, positions: u64, pace: f64| {
            let more = position_count(family.pits(), seeds + 1).unwrap_or(u64::MAX);
            more.saturating_sub(positions) as f64 / pace
        };
        if let (Some(patience), Some(pace)) = (patience, self.pace)
            && next_level(there_is, before, pace) > patience.as_secs_f64()
        {
            return Ok(());
        }
        let making = match patience {
            Some(patience) => stop.within(patience),
            None => stop.child(),
        };
        let begun = making.now();
        let mut pace = self.pace;
        let finished = |table: &Tablebase| {
            let took = making.now().saturating_sub(begun).as_secs_f64();
            let filled = (table.positions() - before) as f64;
            let now = filled / took.max(1e-6);
            pace = Some(now);
            if let Some(patience) = patience
                && took + next_level(table.seeds(), table.positions(), now) > patience.as_secs_f64()
            {
                making.request();
            }
            Ok(())
        };
        let of = position_count(family.pits(), seeds).unwrap_or(0);
        let of = of.saturating_sub(before);
        let listener = &self.listener;
        let done = |positions| {
            let news = News::Filled {
                seeds,
                of,
                positions,
            };
            tell(listener, &news);
        };
        let watch = Watch {
            stop: &making,
            done: &done,
        };
        let extend = || Tablebase::extend::<BuildError>(known, family, seeds, watch, finished);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let built = match pool.build() {
            Ok(pool) => pool.install(extend)?,
            Err(_) => extend()?,
        };
        self.tablebase = Some(Arc::new(built));
        self.pace = pace;
        Ok(())
    }

    /// Makes the planned tables, unless there are tables as large already. What cannot be made within `patience` is left out.
    fn make(
        &mut self,
        plan: &Plan,
        threads: usize,
        stop: &Stop,
        patience: Option<Duration>,
    ) -> Result<Work<'_, B>, ProverError> {
        let books = self.books()?;
        // A solver that is too small is dropped first: two at once might not fit in memory.
        let solver = self.solver.take();
        let solver = match solver.filter(|solver| solver.seeds() >= plan.seeds) {
            Some(solver) => solver,
            None => {
                let options = SolverOptions {
                    memory: plan.memory,
                    tablebase: None,
                    techniques: Techniques::default(),
                };
                Solver::new(&self.base, plan.seeds, options)?
            }
        };
        // The tablebase takes long to build; a table that does not fit in memory was refused before that.
        let built = self.build(plan.tablebase_seeds, threads, stop, patience);
        let solver = self.solver.insert(solver);
        built?;
        let on_disk = self.tablebase.as_ref().filter(|table| table.is_on_disk());
        if let Some(table) = on_disk.filter(|_| self.options.halved) {
            let bytes = table.positions().div_ceil(2);
            let memory = |problem| SolveError::Memory { bytes, problem };
            table.halve().map_err(memory)?;
        }
        solver.use_tablebase(self.tablebase.clone());
        Ok(Work {
            game: &self.game,
            books,
            solver,
            listener: &self.listener,
            save: self.options.save.as_deref(),
            saved: &self.saved,
        })
    }

    /// The tables made so far; an empty solver if there was nothing to solve.
    fn made(&mut self) -> Result<Work<'_, B>, ProverError> {
        self.make(&NOTHING, 1, &Stop::new(), None)
    }
}

fn tell(listener: &Option<Listener>, news: &News<'_>) {
    if let Some(listener) = listener {
        listener(news);
    }
}

/// A proof that needs no solver: that of a finished game, or one from the book.
fn without_solver<B: Board>(
    game: &Kalah<B>,
    base: &Kalah<B>,
    book: Option<&Book>,
    position: &B,
    wanted: &Wanted,
) -> Option<Proof>
where
    Kalah<B>: Typed<Position = B, Move = Pit>,
{
    Proof::of_finished(game, position).or_else(|| book_proof(game, base, book?, position, wanted))
}

/// The proof of a position that the book knows, with everything that is wanted. The line ends where the book ends.
fn book_proof<B: Board>(
    game: &Kalah<B>,
    base: &Kalah<B>,
    book: &Book,
    position: &B,
    wanted: &Wanted,
) -> Option<Proof>
where
    Kalah<B>: Typed<Position = B, Move = Pit>,
{
    let moves = book.moves(base, position);
    let best = |moves: &[(Pit, i32)]| moves.iter().copied().max_by_key(|(_, value)| *value);
    let value = match (&moves, wanted.moves || wanted.plies > 0) {
        (Some(moves), _) => best(moves)?.1,
        (None, false) => book.final_margin(base, position)?,
        (None, true) => return None,
    };
    let mut line = Vec::new();
    let mut at = *position;
    while line.len() < wanted.plies
        && !game.is_over(&at)
        && let Some((pit, _)) = book.moves(base, &at).as_deref().and_then(best)
    {
        line.push(pit);
        at = base.play_unchecked(&at, pit);
    }
    let has_margins = !game.kalah_spec().majority();
    let bounds = Bounds::of(value);
    let mut proof = Proof::of_value(position.player(), bounds, has_margins, Source::Book);
    proof.line = erased::<Kalah<B>>(line);
    if wanted.moves {
        let moves = moves.into_iter().flatten();
        let erase = |(pit, value)| (Kalah::<B>::erase_move(pit), Bounds::of(value));
        proof.moves = moves.map(erase).collect();
    }
    Some(proof)
}

/// A solver and what it needs, shared by any number of threads.
struct Work<'a, B: Board> {
    game: &'a Kalah<B>,
    books: Books,
    solver: &'a Solver<B>,
    listener: &'a Option<Listener>,
    save: Option<&'a Path>,
    saved: &'a Mutex<Option<Duration>>,
}

impl<B: Board> Work<'_, B>
where
    Kalah<B>: Typed<Position = B, Move = Pit>,
{
    /// The proof of a position that needs the solver.
    fn prove(&self, position: &B, wanted: &Wanted, effort: &Effort) -> Proof {
        let (game, solver) = (self.game, self.solver);
        let Books { values, bounds } = &self.books;
        let value = values.as_ref();
        let value = value.and_then(|book| book.final_margin(solver.game(), position));
        let known = bounds.as_ref();
        let known = known.and_then(|book| book.of(solver.game(), position));
        let known = value.map(Bounds::of).or(known);
        let (bounds, source) = match known {
            Some(known) if known.exact().is_some() => (known, Source::Book),
            known => {
                let source = match position.seeds_in_play() as usize <= solver.tablebase_seeds() {
                    true => Source::Tablebase,
                    false => Source::Solver,
                };
                let bounds = solver.margin_within(position, known, effort, &mut |bounds| {
                    let nodes = effort.nodes();
                    tell(self.listener, &News::Value { bounds, nodes });
                });
                (bounds, source)
            }
        };
        let has_margins = !game.kalah_spec().majority();
        let mut proof = Proof::of_value(position.player(), bounds, has_margins, source);
        if let Some(value) = bounds.exact() {
            let line = solver.line(position, value, wanted.plies, effort);
            proof.line = erased::<Kalah<B>>(self.until_over(position, line));
            if wanted.moves {
                proof.moves = self.moves(position, value, effort);
            }
        }
        proof.nodes = effort.nodes();
        proof
    }
    /// The proven bounds of every legal move.
    fn moves(&self, position: &B, value: i32, effort: &Effort) -> Vec<(AnyMove, Bounds)> {
        let erase = Kalah::<B>::erase_move;
        let mut done = |pit, bounds| {
            let (mv, nodes) = (erase(pit), effort.nodes());
            tell(self.listener, &News::Move { mv, bounds, nodes });
        };
        let bounds = self.solver.moves(position, value, effort, &mut done);
        let legal = self.game.moves(position);
        legal
            .filter_map(|pit| Some((erase(pit), bounds[pit.index()]?)))
            .collect()
    }

    /// The part of a line that is played before the game is over, which may be sooner with the end by majority.
    fn until_over(&self, position: &B, mut line: Vec<Pit>) -> Vec<Pit> {
        let mut at = *position;
        let is_played = |pit: &Pit| {
            let goes_on = !self.game.is_over(&at);
            at = self.game.play_unchecked(&at, *pit);
            goes_on
        };
        line.retain(is_played);
        line
    }

    /// Does work; meanwhile the listener gets news of this effort every second, if it is a single proof, and the table is
    /// saved to disk every ten minutes, if that is wanted.
    fn watched<T>(&self, stop: &Stop, effort: Option<&Effort>, work: impl FnOnce() -> T) -> T {
        if self.save.is_none() && self.listener.is_none() {
            return work();
        }
        let begin = stop.now();
        self.last_saved().get_or_insert(begin);
        let watch = |end: mpsc::Receiver<()>| {
            while end.recv_timeout(TELL_EVERY) == Err(RecvTimeoutError::Timeout) {
                if let (Some(effort), Some(glimpse)) = (effort, self.solver.glimpse()) {
                    let news = News::Working {
                        glimpse,
                        nodes: effort.nodes(),
                        table_use: self.solver.table_use(),
                    };
                    tell(self.listener, &news);
                }
                self.keep(stop.now());
            }
        };
        std::thread::scope(|scope| {
            let (end, waiting) = mpsc::channel();
            scope.spawn(|| watch(waiting));
            let result = work();
            drop(end);
            result
        })
    }

    /// Saves the table to disk if that is wanted and it is time.
    fn keep(&self, now: Duration) {
        let mut saved = self.last_saved();
        if let Some(path) = self.save
            && saved.is_some_and(|saved| now.saturating_sub(saved) >= SAVE_EVERY)
        {
            if let Err(error) = self.solver.save(path) {
                tell(self.listener, &News::NotSaved(&error));
            }
            *saved = Some(now);
        }
    }

    fn last_saved(&self) -> MutexGuard<'_, Option<Duration>> {
        self.saved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<B: Board> Proves for KalahProver<B>
where
    Kalah<B>: Typed<Position = B, Move = Pit>,
{
    fn listen(&mut self, listener: Listener) {
        self.listener = Some(listener);
    }

    fn plan(&mut self, positions: &[AnyPosition], wanted: &Wanted) -> Result<Plan, ProverError> {
        let (mut seeds, books) = (0, self.books()?);
        let book = books.values.as_deref();
        for position in positions {
            let position = typed(&self.game, position)?;
            if without_solver(&self.game, &self.base, book, &position, wanted).is_none() {
                seeds = seeds.max(position.seeds_in_play());
            }
        }
        let time = wanted.limits.move_time();
        let count = u32::try_from(positions.len()).unwrap_or(u32::MAX);
        let time = time.map(|time| time.saturating_mul(count));
        self.plan_for(seeds, wanted.moves, time)
    }

    fn ready(&mut self, plan: &Plan, stop: &Stop) -> Result<(), ProverError> {
        if plan.seeds > 0 {
            self.make(plan, self.options.threads, stop, None)?;
        }
        Ok(())
    }

    fn prove(
        &mut self,
        position: &AnyPosition,
        wanted: &Wanted,
        effort: &Effort,
    ) -> Result<Proof, ProverError> {
        let position = typed(&self.game, position)?;
        let books = self.books()?;
        let book = books.values.as_deref();
        let proof = without_solver(&self.game, &self.base, book, &position, wanted);
        if let Some(proof) = proof {
            return Ok(proof);
        }
        let plan = self.plan_for(position.seeds_in_play(), wanted.moves, effort.time())?;
        let patience = effort.time_for_tables();
        let work = self.make(&plan, effort.threads(), effort.stop(), patience)?;
        let prove = || work.prove(&position, wanted, effort);
        Ok(work.watched(effort.stop(), Some(effort), prove))
    }

    fn prove_all(
        &mut self,
        positions: &[AnyPosition],
        at_once: usize,
        wanted: &Wanted,
        stop: &Stop,
        each: &mut dyn FnMut(usize, Proof) -> ControlFlow<()>,
    ) -> Result<(), ProverError> {
        let typed_positions = positions.iter().map(|position| typed(&self.game, position));
        let typed_positions = typed_positions.collect::<Result<Vec<B>, _>>()?;
        let plan = self.plan(positions, wanted)?;
        // The tables are shared by all positions, so they may take a part of the time of all.
        let rounds = u32::try_from(positions.len().div_ceil(at_once)).unwrap_or(u32::MAX);
        let patience = Effort::new(&wanted.limits, stop).time_for_tables();
        let patience = patience.map(|time| time.saturating_mul(rounds));
        let work = self.make(&plan, at_once, stop, patience)?;
        let (next, stop) = (AtomicUsize::new(0), stop.child());
        let prove_some = |proven: mpsc::SyncSender<(usize, Proof)>| {
            while !stop.is_requested()
                && let place = next.fetch_add(1, Ordering::Relaxed)
                && let Some(position) = typed_positions.get(place)
            {
                let effort = Effort::new(&wanted.limits, &stop);
                let (base, book) = (work.solver.game(), work.books.values.as_deref());
                let proof = without_solver(work.game, base, book, position, wanted)
                    .unwrap_or_else(|| work.prove(position, wanted, &effort));
                if proven.send((place, proof)).is_err() {
                    return;
                }
            }
        };
        work.watched(&stop, None, || {
            std::thread::scope(|scope| {
                // The channel is bounded, so workers never get far ahead of `each`: a stop works in time, and little is lost
                // if the process is killed.
                let (sender, proven) = mpsc::sync_channel(at_once);
                for _ in 0..at_once {
                    let sender = sender.clone();
                    scope.spawn(|| prove_some(sender));
                }
                drop(sender);
                for (place, proof) in proven {
                    if each(place, proof).is_break() {
                        stop.request();
                        break;
                    }
                }
            });
        });
        Ok(())
    }

    fn reaches(
        &mut self,
        position: &AnyPosition,
        value: i32,
        effort: &Effort,
    ) -> Result<Option<bool>, ProverError> {
        let position = typed(&self.game, position)?;
        if let Some(proof) = Proof::of_finished(&self.base, &position) {
            return Ok(Some(proof.bounds.lower >= value));
        }
        let plan = self.plan_for(position.seeds_in_play(), false, effort.time())?;
        let patience = effort.time_for_tables();
        let work = self.make(&plan, effort.threads(), effort.stop(), patience)?;
        let reaches = || work.solver.reaches(&position, value, effort);
        Ok(work.watched(effort.stop(), Some(effort), reaches))
    }

    fn guess(&mut self, position: &AnyPosition) -> Result<i32, ProverError> {
        let position = typed(&self.game, position)?;
        let plan = self.plan_for(position.seeds_in_play(), false, None)?;
        let work = self.make(&plan, self.options.threads, &Stop::new(), None)?;
        Ok(work.solver.guess(&position))
    }

    fn tablebase_seeds(&self) -> usize {
        self.tablebase.as_ref().map_or(0, |table| table.seeds())
    }

    fn save(&mut self, path: &Path) -> Result<(), ProverError> {
        self.made()?.solver.save(path)?;
        Ok(())
    }

    fn resume(&mut self, path: &Path) -> Result<(), ProverError> {
        self.made()?.solver.resume(path)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_fits_the_memory_there_is() {
        let planned = Plan {
            seeds: 72,
            tablebase_seeds: 26,
            memory: 4 << 30,
        };
        let family = "kalah:6".parse().ok();
        let all = Flexible {
            memory: true,
            tablebase: family,
        };
        assert_eq!(all.fitted(planned, None), planned);
        assert_eq!(all.fitted(planned, Some(64 << 30)), planned);
        let mut last = planned;
        for spare in (24..36).rev().map(|bits| 1_u64 << bits) {
            let fitted = all.fitted(planned, Some(spare));
            let table = building_memory(family.expect("a family"), fitted.tablebase_seeds);
            assert!(fitted.memory + table.expect("small") <= spare);
            assert!(fitted.memory <= last.memory && fitted.tablebase_seeds <= last.tablebase_seeds);
            assert!(fitted.memory >= LEAST_MEMORY && fitted.tablebase_seeds > 0);
            last = fitted;
        }
        assert!(last.tablebase_seeds < 16);
        // Sizes that the user has asked for are not reduced.
        let nothing = Flexible {
            memory: false,
            tablebase: None,
        };
        assert_eq!(nothing.fitted(planned, Some(1)), planned);
    }
}
