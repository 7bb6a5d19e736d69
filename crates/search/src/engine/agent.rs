//! The engine as a player: iterative deepening, windows, threads and time.

use super::found::{Found, LOWEST};
use super::order::{Candidate, pick};
use super::search::{MAX_DEPTH, Searcher};
use super::techniques::Techniques;
use super::traps::Traps;
use crate::eval::Evaluation;
use crate::parameters::{ETC_DEPTH, Parameter, WINDOW};
use crate::table::Table;
use crate::{Agent, Budget, ExactSource, Limits, Report, Searchable, Stop, Task, Unit};
use kalahari_games::Player;
use std::sync::Arc;

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct EngineOptions<G: Searchable> {
    /// The evaluation of leaves.
    pub eval: G::Eval,
    /// Threads that search at once.
    pub threads: usize,
    /// The size of the table in MiB.
    pub hash: usize,
    /// Which techniques are in use.
    pub techniques: Techniques,
    /// Half the width of the first window around the last depth's value, in seeds or half cells.
    pub window: f64,
    /// A source of proven values.
    pub exact: Option<Arc<dyn ExactSource<G>>>,
}

impl<G: Searchable> EngineOptions<G> {
    /// The options that suit a game best.
    pub fn of_game(game: &G) -> Self {
        EngineOptions {
            eval: G::Eval::of_choice().suited_to(game),
            threads: 1,
            hash: 32,
            techniques: Techniques::default(),
            window: WINDOW.value,
            exact: None,
        }
    }

    /// What can be tuned, as it is set: the evaluation's numbers first.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut all = self.eval.parameters();
        all.push(WINDOW.with_value(self.window));
        all.push(ETC_DEPTH.with_value(f64::from(self.techniques.etc_depth)));
        all
    }
}

/// The strongest player.
#[derive(Debug)]
pub struct Engine<G: Searchable> {
    game: G,
    options: EngineOptions<G>,
    table: Option<Shelf>,
    age: u8,
}

/// A table and the codes it was made for.
#[derive(Debug)]
struct Shelf {
    code_bits: u32,
    max_value: i32,
    table: Table,
    /// For whom draws in it are worth less.
    player: Player,
}

/// Values of the root's moves at a finished depth; the best first.
struct Iteration<G: Searchable> {
    best: Found,
    values: Vec<(G::Move, Found)>,
}

impl<G: Searchable> Engine<G> {
    /// An engine with these options.
    pub fn new(game: G, options: EngineOptions<G>) -> Self {
        Engine {
            game,
            options,
            table: None,
            age: 0,
        }
    }

    /// Makes sure that there is a table that fits the codes and values of a position.
    fn prepare_table(&mut self, position: &G::Position) {
        let eval = &self.options.eval;
        let code_bits = self.game.code_bits(position) + u32::from(eval.uses_again());
        let future = self.game.reachable(position).1 - self.game.banked(position);
        let max_value = match eval.point() {
            0 => i32::MAX,
            point => point * future + eval.overshoot(),
        };
        let fits = self
            .table
            .as_ref()
            .is_some_and(|shelf| code_bits <= shelf.code_bits && max_value <= shelf.max_value);
        let player = self.game.to_move(position);
        if let Some(shelf) = &mut self.table
            && fits
            && shelf.player != player
            && self.options.techniques.contempt != 0
        {
            shelf.table.clear();
            shelf.player = player;
        }
        if !fits {
            // The old one goes first: two at once might not fit the memory.
            self.table = None;
            self.table = Some(Shelf {
                code_bits,
                max_value,
                table: Table::new(self.options.hash.max(1) << 20, code_bits, max_value),
                player,
            });
        }
        self.age = self.age.wrapping_add(1) & 15;
    }

    fn report(
        &self,
        values: &[(G::Move, Found)],
        best: Found,
        all_moves: bool,
        lossless: bool,
    ) -> Report<G::Move> {
        let proven = lossless && best.complete;
        let eval = &self.options.eval;
        let shown = |value: i32| match proven {
            true => f64::from(eval.margin(value)),
            false => f64::from(value),
        };
        let first = values.first().map(|&(mv, _)| mv);
        let mut moves = Vec::new();
        if all_moves {
            moves = values
                .iter()
                .map(|&(mv, found)| (mv, shown(found.value)))
                .collect();
            moves.sort_by_key(|&(mv, _)| mv);
        }
        Report {
            best: first,
            value: shown(best.value),
            unit: match proven {
                true => Unit::of_proof(&self.game),
                false => Unit::Eval,
            },
            line: first.into_iter().collect(),
            moves,
            depth: 0,
            nodes: 0,
            elapsed: Default::default(),
            proven,
        }
    }
}

/// The root's moves, best guess first.
struct Root<G: Searchable> {
    candidates: Vec<Candidate<G>>,
}

impl<G: Searchable> Root<G> {
    fn new(game: &G, position: G::Position) -> Self {
        let mover = game.to_move(&position);
        let mut candidates: Vec<Candidate<G>> = (0_u16..)
            .zip(game.moves(&position))
            .map(|(number, mv)| {
                let child = game.play_unchecked(&position, mv);
                Candidate {
                    number,
                    mv,
                    child,
                    place: None,
                    again: game.to_move(&child) == mover,
                    score: game.promise(&position, mv, &child),
                }
            })
            .collect();
        for i in 0..candidates.len() {
            pick(&mut candidates, i);
        }
        Root { candidates }
    }

    fn move_value(
        searcher: &mut Searcher<'_, G>,
        candidate: &Candidate<G>,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Found {
        let child = &candidate.child;
        if candidate.again {
            searcher.value(child, None, depth - 1, alpha, beta, true)
        } else {
            searcher
                .value(child, None, depth - 1, -beta, -alpha, false)
                .negated()
        }
    }

    /// The value of the root and the moves that keep it, if the game's theory knows them; with `all`, of all moves.
    fn by_theory(
        &mut self,
        searcher: &mut Searcher<'_, G>,
        position: &G::Position,
        all: bool,
    ) -> Option<Iteration<G>> {
        if !searcher.techniques.theory {
            return None;
        }
        let best = searcher.exact_by_theory(position)?;
        let mut values = Vec::new();
        for candidate in &self.candidates {
            let found = searcher.exact_by_theory(&candidate.child)?;
            let value = match candidate.again {
                true => found.value,
                false => -found.value,
            };
            values.push((candidate.mv, Found { value, ..found }));
            if value == best.value && !all {
                break;
            }
        }
        self.finish(values, true)
    }

    /// Searches all moves with full windows.
    fn all_values(&mut self, searcher: &mut Searcher<'_, G>, depth: i32) -> Option<Iteration<G>> {
        let mut values = Vec::new();
        for candidate in &self.candidates {
            let found = Self::move_value(searcher, candidate, depth, LOWEST, -LOWEST);
            if searcher.budget.is_spent() {
                return None;
            }
            values.push((candidate.mv, found));
        }
        self.finish(values, true)
    }

    /// Searches for the best move with a window around `guess` that opens as needed.
    ///
    /// If the budget runs out, the moves searched so far still count if a new best one is among them.
    fn best_value(
        &mut self,
        searcher: &mut Searcher<'_, G>,
        depth: i32,
        guess: Option<i32>,
        width: i32,
    ) -> Option<Iteration<G>> {
        let mut width = width;
        let (mut low, mut high) = match guess {
            Some(guess) => (
                guess.saturating_sub(width).max(LOWEST),
                guess.saturating_add(width),
            ),
            None => (LOWEST, -LOWEST),
        };
        loop {
            let mut alpha = low;
            let mut values: Vec<(G::Move, Found)> = Vec::new();
            for (i, candidate) in self.candidates.iter().enumerate() {
                let mut found = None;
                if i > 0 && alpha > LOWEST {
                    let quick = Self::move_value(searcher, candidate, depth, alpha, alpha + 1);
                    if quick.value <= alpha {
                        found = Some(quick);
                    }
                }
                let found = match found {
                    Some(found) => found,
                    None if searcher.budget.is_spent() => Found {
                        value: LOWEST,
                        complete: false,
                    },
                    None => Self::move_value(searcher, candidate, depth, alpha, high),
                };
                if searcher.budget.is_spent() {
                    // Better moves than last depth's best are news worth keeping.
                    return (values.len() > 1 && alpha > low)
                        .then(|| self.finish(values, false))?;
                }
                values.push((candidate.mv, found));
                alpha = alpha.max(found.value);
                if alpha >= high {
                    break;
                }
            }
            let best = values.iter().map(|(_, found)| found.value).max()?;
            width = width.saturating_mul(4);
            if best <= low && low > LOWEST {
                low = if width > 1 << 20 {
                    LOWEST
                } else {
                    best.saturating_sub(width).max(LOWEST)
                };
            } else if best >= high && high < -LOWEST {
                // Try the move that broke the window first.
                self.bring_forward(&values);
                high = if width > 1 << 20 {
                    -LOWEST
                } else {
                    best.saturating_add(width)
                };
            } else {
                return self.finish(values, true);
            }
        }
    }

    fn bring_forward(&mut self, values: &[(G::Move, Found)]) {
        if let Some((mv, _)) = values.iter().max_by_key(|(_, found)| found.value)
            && let Some(place) = self.candidates.iter().position(|c| c.mv == *mv)
        {
            self.candidates[..=place].rotate_right(1);
        }
    }

    /// Orders the root by what was found: the best move first, the others as they were.
    fn finish(&mut self, values: Vec<(G::Move, Found)>, whole: bool) -> Option<Iteration<G>> {
        let top = values.iter().map(|(_, found)| found.value).max()?;
        // The first of equals: later ones may only be bounds.
        let best = values.iter().position(|(_, found)| found.value == top)?;
        let mut values = values;
        let complete = whole && values.iter().all(|(_, found)| found.complete);
        values[..=best].rotate_right(1);
        if let Some(place) = self.candidates.iter().position(|c| c.mv == values[0].0) {
            self.candidates[..=place].rotate_right(1);
        }
        Some(Iteration {
            best: Found {
                value: top,
                complete,
            },
            values,
        })
    }
}

impl<G: Searchable> Agent<G> for Engine<G> {
    fn think(&mut self, mut task: Task<'_, G>) -> Report<G::Move> {
        let position = task.position;
        if let Some(report) = Report::of_finished(&self.game, &position) {
            return report;
        }
        let budget = Budget::new(&task.limits, task.stop);
        self.prepare_table(&position);
        let helpers_stop = Stop::new();
        let threads = self.options.threads.clamp(1, 64);
        let engine = &*self;
        let (report, helper_nodes) = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads)
                .map(|n| {
                    let stop = &helpers_stop;
                    scope.spawn(move || engine.help(position, n, stop))
                })
                .collect();
            let report = engine.lead(&mut task, budget);
            helpers_stop.request();
            let nodes: u64 = helpers
                .into_iter()
                .map(|helper| helper.join().unwrap_or(0))
                .sum();
            (report, nodes)
        });
        Report {
            nodes: report.nodes + helper_nodes,
            ..report
        }
    }

    fn forget(&mut self, _seed: u64) {
        if let Some(shelf) = &mut self.table {
            shelf.table.clear();
        }
        self.age = 0;
    }

    fn is_deterministic(&self) -> bool {
        self.options.threads <= 1
    }
}

impl<G: Searchable> Engine<G> {
    fn searcher<'a>(
        &'a self,
        root: &G::Position,
        table: &'a Table,
        budget: Budget,
    ) -> Searcher<'a, G> {
        Searcher::new(&self.game, &self.options, root, table, budget, self.age)
    }

    fn table(&self) -> &Table {
        &self
            .table
            .as_ref()
            .expect("the table is prepared before the search")
            .table
    }

    /// Half the width of the first window around the last depth's value.
    fn first_width(&self) -> i32 {
        let unit = match self.options.eval.point() {
            0 => 2,
            point => point,
        };
        (self.options.window * f64::from(unit)).round().max(2.0) as i32
    }

    /// The main thread: deeper and deeper until a limit is reached or the truth is known.
    fn lead(&self, task: &mut Task<'_, G>, budget: Budget) -> Report<G::Move> {
        let position = task.position;
        let table = self.table();
        let lossless = table.is_lossless();
        let mut searcher = self.searcher(&position, table, budget);
        let mut root = Root::new(&self.game, position);
        let mut deepest = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        if root.candidates.len() == 1 && !task.all_moves && task.limits.move_time().is_some() {
            // Nothing to decide: a glance at the value is enough.
            deepest = deepest.min(6);
        }

        let guess: Vec<(G::Move, Found)> = root
            .candidates
            .iter()
            .take(1)
            .map(|candidate| {
                (
                    candidate.mv,
                    Found {
                        value: 0,
                        complete: false,
                    },
                )
            })
            .collect();
        let mut report = self.report(&guess, guess[0].1, false, false);
        let mut last = None;
        let mut known = Found {
            value: 0,
            complete: false,
        };
        if let Some(iteration) = root.by_theory(&mut searcher, &position, task.all_moves) {
            report = self.report(&iteration.values, iteration.best, task.all_moves, true);
            report.depth = 1;
            known = iteration.best;
            // Nothing is left to search.
            deepest = 0;
        }
        // Every other depth is enough to order moves for the next, and values of equal parity are alike.
        let first = if deepest < MAX_DEPTH {
            2 - deepest % 2
        } else {
            1
        };
        for depth in (first..=deepest).step_by(2) {
            let found = match task.all_moves {
                true => root.all_values(&mut searcher, depth as i32),
                false => root.best_value(&mut searcher, depth as i32, last, self.first_width()),
            };
            let Some(iteration) = found else {
                break;
            };
            let stopped = searcher.budget.is_spent();
            last = Some(iteration.best.value);
            known = iteration.best;
            let finished = report.depth;
            report = self.report(&iteration.values, iteration.best, task.all_moves, lossless);
            report.depth = if stopped { finished } else { depth };
            report.nodes = searcher.budget.nodes();
            report.elapsed = searcher.budget.elapsed();
            if let Some(best) = report.best {
                report.line = searcher.line(&position, best, depth as usize);
            }
            (task.progress)(&report);
            if report.proven || stopped || !searcher.budget.has_room_for_another() {
                break;
            }
        }
        if known.complete && !task.all_moves {
            let limited = task.limits.nodes.is_some() || task.limits.move_time().is_some();
            if limited && let Some(mv) = self.trap(&mut searcher, &position, known.value) {
                report.best = Some(mv);
                report.line = searcher.line(&position, mv, report.depth as usize);
            }
        }
        report.nodes = searcher.budget.nodes();
        report.elapsed = searcher.budget.elapsed();
        report
    }

    /// A move that keeps the value of a position that is not won, and makes it hard for the opponent.
    fn trap(
        &self,
        searcher: &mut Searcher<'_, G>,
        position: &G::Position,
        value: i32,
    ) -> Option<G::Move> {
        // Where points are banked, a smaller loss is better than a trap.
        let set_traps = self.options.techniques.traps && self.options.eval.point() == 0;
        if !set_traps || self.game.count_moves(position) < 2 {
            return None;
        }
        let draw = searcher.finished(self.game.to_move(position), 0);
        Traps::new(searcher, value, draw)?.best_move(position)
    }

    /// A helping thread: searches the same root to fill the table, out of step with the others.
    fn help(&self, position: G::Position, number: usize, stop: &Stop) -> u64 {
        let table = self.table();
        let mut searcher = self.searcher(&position, table, Budget::new(&Limits::default(), stop));
        let mut root = Root::new(&self.game, position);
        let mut last = None;
        for depth in 1 + number as u32 % 2..=MAX_DEPTH {
            let found = root.best_value(&mut searcher, depth as i32, last, self.first_width());
            match found {
                Some(iteration) if !searcher.budget.is_spent() && !iteration.best.complete => {
                    last = Some(iteration.best.value);
                }
                _ => break,
            }
        }
        searcher.budget.nodes()
    }
}
