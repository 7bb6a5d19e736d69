//! The engine as a player: iterative deepening, windows, threads and time.

use super::found::Found;
use super::proving::Proving;
use super::root::{Iteration, Root};
use super::search::{MAX_DEPTH, Searcher};
use super::techniques::Techniques;
use super::traps::Traps;
use crate::eval::{Evaluation, Registry, Scale};
use crate::parameters::{ETC_DEPTH, Parameter, WINDOW};
use crate::table::Table;
use crate::{Agent, Aim, Choice, ExactSource, ProofSource, Report, Searchable, Task};
use kalahari_games::{Player, Verdict};
use kalahari_terms::{Budget, Failure, Limits, Score, Stop, Worth};
use std::sync::Arc;
use std::thread;

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct EngineOptions<G: Searchable, E = <G as Searchable>::Eval> {
    /// The evaluation of leaves.
    pub eval: E,
    /// Threads that search at once.
    pub threads: usize,
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// Which techniques are in use.
    pub techniques: Techniques,
    /// Half the width of the first window around the last depth's value, in seeds or half cells.
    pub window: f64,
    /// A source of proven values.
    pub exact: Option<Arc<dyn ExactSource<G>>>,
    /// A source of proofs of the root's moves.
    pub proofs: Option<Arc<dyn ProofSource<G>>>,
}

impl<G: Searchable> EngineOptions<G> {
    /// The options that suit a game best.
    pub fn of_game(game: &G) -> Self {
        EngineOptions {
            eval: G::Eval::of_choice(game),
            threads: 1,
            hash: 32,
            techniques: Techniques::default(),
            window: WINDOW.value,
            exact: None,
            proofs: None,
        }
    }

    /// The tunable parameters with their current values: the evaluation's first.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut all = self.eval.current();
        all.push(WINDOW.with_value(self.window));
        all.push(ETC_DEPTH.with_value(f64::from(self.techniques.etc_depth)));
        all
    }

    /// The same options with any other evaluation.
    pub fn with_eval<E>(self, eval: E) -> EngineOptions<G, E> {
        let EngineOptions {
            eval: _,
            threads,
            hash,
            techniques,
            window,
            exact,
            proofs,
        } = self;
        EngineOptions {
            eval,
            threads,
            hash,
            techniques,
            window,
            exact,
            proofs,
        }
    }
}

/// The strongest player.
#[derive(Debug)]
pub struct Engine<G: Searchable, E = <G as Searchable>::Eval> {
    game: G,
    options: EngineOptions<G, E>,
    scale: Scale,
    table: Option<Shelf>,
    age: u8,
}

/// A transposition table and the codes it was made for.
#[derive(Debug)]
struct Shelf {
    code_bits: u32,
    max_value: i32,
    table: Table,
}

impl<G: Searchable, E: Evaluation<G>> Engine<G, E> {
    /// An engine with these options.
    pub fn new(game: G, options: EngineOptions<G, E>) -> Self {
        Engine {
            game,
            scale: options.eval.scale(),
            options,
            table: None,
            age: 0,
        }
    }

    /// Makes sure that there is a transposition table that fits the codes and values of a position.
    fn prepare_table(&mut self, position: &G::Position) -> Result<(), Failure> {
        let scale = self.scale;
        let code_bits = self.game.code_bits(position) + u32::from(scale.uses_again);
        let future = self.game.reachable(position).1 - self.game.banked(position);
        let max_value = match scale.point {
            0 => i32::MAX,
            point => point * future + scale.overshoot,
        };
        let fits = self
            .table
            .as_ref()
            .is_some_and(|shelf| code_bits <= shelf.code_bits && max_value <= shelf.max_value);
        if !fits {
            // The old one is dropped first: two at once might not fit in memory.
            self.table = None;
            let mib = self.options.hash.max(1);
            let table = Table::new(mib << 20, code_bits, max_value);
            let no_room = |error| Failure::Crashed(format!("no table of {mib} MiB: {error}"));
            self.table = Some(Shelf {
                code_bits,
                max_value,
                table: table.map_err(no_room)?,
            });
        }
        self.age = self.age.wrapping_add(1) & 15;
        Ok(())
    }

    /// The report on the root's moves. `proves` says that complete values are proven.
    fn report(
        &self,
        player: Player,
        found: &Iteration<G>,
        all_moves: bool,
        proves: bool,
    ) -> Report<G::Move> {
        let score = |found: Found| self.score(found, proves, player);
        let first = found.values.first().map(|&(mv, _)| mv);
        let mut moves = Vec::new();
        if all_moves {
            moves.extend(found.values.iter().map(|&(mv, found)| (mv, score(found))));
            moves.sort_by_key(|&(mv, _)| mv);
        }
        Report {
            best: first,
            score: score(found.best),
            line: first.into_iter().collect(),
            moves,
            depth: 0,
            nodes: 0,
            elapsed: Default::default(),
            outlook: None,
        }
    }

    fn score(&self, found: Found, proves: bool, player: Player) -> Score {
        let proven = proves && found.complete;
        self.scale
            .score(found.value, proven, player, self.game.has_margins())
    }
}

impl<G: Searchable, E: Evaluation<G>> Agent<G> for Engine<G, E> {
    fn think(&mut self, mut task: Task<'_, G>) -> Result<Report<G::Move>, Failure> {
        let position = task.position;
        if let Some(report) = Report::of_finished(&self.game, &position) {
            return Ok(report);
        }
        let budget = Budget::new(&task.limits, task.stop);
        self.prepare_table(&position)?;
        let helpers_stop = Stop::new();
        let threads = self.options.threads.clamp(1, 64);
        let engine = &*self;
        // A search to a given depth must not cut by guesses.
        let guesses = task.limits.depth.is_none();
        let (report, helper_nodes) = thread::scope(|scope| {
            // If the system refuses more threads, the search uses fewer.
            let helpers: Vec<_> = (1..threads)
                .filter_map(|n| {
                    let stop = &helpers_stop;
                    let help = move || engine.help(position, n, guesses, stop);
                    thread::Builder::new().spawn_scoped(scope, help).ok()
                })
                .collect();
            let report = engine.lead(&mut task, guesses, budget);
            helpers_stop.request();
            let nodes: u64 = helpers
                .into_iter()
                .map(|helper| helper.join().unwrap_or(0))
                .sum();
            (report, nodes)
        });
        Ok(Report {
            nodes: report.nodes + helper_nodes,
            ..report
        })
    }

    fn forget(&mut self, _rng_seed: u64) {
        if let Some(proofs) = &self.options.proofs {
            proofs.forget();
        }
        // A table made for longer codes would keep other entries than one made for the next game.
        self.table = None;
        self.age = 0;
    }

    fn is_deterministic(&self) -> bool {
        self.options.threads <= 1
    }
}

impl<G: Searchable, E: Evaluation<G>> Engine<G, E> {
    /// A search from `root`; `guesses` says whether it may cut by guesses.
    fn searcher<'a>(
        &'a self,
        root: &G::Position,
        table: &'a Table,
        guesses: bool,
        budget: Budget,
    ) -> Searcher<'a, G, E> {
        let mut searcher = Searcher::new(&self.game, &self.options, root, table, budget, self.age);
        searcher.techniques.probcut &= guesses;
        searcher
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
        let unit = match self.scale.point {
            0 => 2,
            point => point,
        };
        (self.options.window * f64::from(unit)).round().max(2.0) as i32
    }

    /// The main thread: iterative deepening until a limit is reached or the value is proven.
    fn lead(&self, task: &mut Task<'_, G>, guesses: bool, budget: Budget) -> Report<G::Move> {
        let position = task.position;
        let player = self.game.to_move(&position);
        let table = self.table();
        let lossless = table.is_lossless();
        let mut searcher = self.searcher(&position, table, guesses, budget);
        let mut root = Root::new(&self.game, position);
        let mut deepest = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        if root.candidates.len() == 1 && !task.all_moves && task.limits.move_time().is_some() {
            // Only one move: a quick look at the value is enough.
            deepest = deepest.min(6);
        }

        // Before any depth is finished, the move that looks best is used.
        let guess = root.candidates.first();
        let guess = Iteration {
            best: Found::NOTHING,
            values: guess.map(|c| (c.mv, Found::NOTHING)).into_iter().collect(),
        };
        let mut report = self.report(player, &guess, false, false);
        let mut last = None;
        let mut known = Found::NOTHING;
        if let Some(iteration) = root.by_theory(&mut searcher, &position, task.all_moves) {
            report = self.report(player, &iteration, task.all_moves, true);
            report.depth = 1;
            known = iteration.best;
            // Nothing is left to search.
            deepest = 0;
        }
        // Every other depth is enough to order moves for the next, and values at depths of equal parity are similar.
        let first = if deepest < MAX_DEPTH {
            2 - deepest % 2
        } else {
            1
        };
        let mut proving = self.proving(task);
        if let Some(proving) = &proving {
            proving.begin(&self.game, &mut root);
        }
        let choice = match searcher.techniques.contempt {
            0 => Choice::Open,
            _ => Choice::Made,
        };
        let mut settled_by_proof = false;
        let mut depths = (first..=deepest).step_by(2);
        loop {
            let next = depths.next();
            let depth = next.unwrap_or(deepest);
            let found = loop {
                if next.is_none() {
                    // Searches that cut by guesses end without a proof.
                    let proving = proving.as_mut().filter(|_| deepest == MAX_DEPTH);
                    let proven =
                        proving.and_then(|proving| proving.go_on(&mut searcher, &mut root, last));
                    settled_by_proof = proven.is_some();
                    break proven;
                }
                if let Some(proving) = &proving {
                    proving.plan(&mut searcher.budget);
                }
                let found = match task.all_moves {
                    true => root.all_values(&mut searcher, depth as i32),
                    false => root.best_value(&mut searcher, depth as i32, last, self.first_width()),
                };
                if !searcher.budget.go_on() {
                    break found;
                }
                let proven = proving.as_mut();
                let proven =
                    proven.and_then(|proving| proving.work(&mut searcher, &mut root, last));
                if proven.is_some() {
                    settled_by_proof = true;
                    break proven;
                }
            };
            let Some(mut iteration) = found else {
                break;
            };
            let stopped = searcher.budget.is_spent();
            last = Some(iteration.best.value);
            known = iteration.best;
            let finished = report.depth;
            root.rather_than_a_draw(&mut searcher, &mut iteration, depth as i32);
            let proves = lossless || settled_by_proof;
            report = self.report(player, &iteration, task.all_moves, proves);
            report.depth = if stopped || settled_by_proof {
                finished
            } else {
                depth
            };
            report.nodes = searcher.budget.nodes();
            report.elapsed = searcher.budget.elapsed();
            let outlook = proving.as_ref().map(|proving| proving.outlook(&root));
            report.set_outlook(outlook, choice);
            if let Some(best) = report.best {
                report.line = searcher.line(&position, best, depth as usize);
                if settled_by_proof && let Some(proving) = &proving {
                    // The engine's own principal variation is not part of the proof.
                    report.line = proving.line(&mut searcher, best, known.value);
                }
            }
            (task.progress)(&report);
            let settled = settled_by_proof || lossless && known.complete;
            if settled || stopped || !searcher.budget.has_room_for_another() {
                break;
            }
        }
        if known.complete
            && !task.all_moves
            && task.limits.is_bounded()
            && let Some((mv, keeps)) = self.trap(&mut searcher, &position, known.value)
        {
            report.best = Some(mv);
            report.line = searcher.line(&position, mv, report.depth as usize);
            if report.score.is_proven() && !keeps {
                // A trap may lose by more than necessary: then only the loss is certain.
                let lost = Worth::Result(Verdict::of_margin(known.value));
                report.score = Score::proven(player, lost);
            }
        }
        report.set_outlook(proving.map(|proving| proving.outlook(&root)), choice);
        report.nodes = searcher.budget.nodes();
        report.elapsed = searcher.budget.elapsed();
        report
    }

    /// The proofs of a search, if there is a source that tries to find them.
    fn proving(&self, task: &Task<'_, G>) -> Option<Proving<'_, G>> {
        let techniques = &self.options.techniques;
        let source = self.options.proofs.as_deref();
        let source = source.filter(|_| !techniques.exact_depth)?;
        let aim = match task.all_moves {
            true => Aim::EveryMove,
            false => Aim::Value,
        };
        let first = techniques.proofs_first;
        Proving::new(source, &self.game, task.position, aim, &task.limits, first)
    }

    /// For a position that is not won: a move that keeps the result and makes it hard for the opponent, and whether it also
    /// keeps the margin.
    fn trap(
        &self,
        searcher: &mut Searcher<'_, G, E>,
        position: &G::Position,
        value: i32,
    ) -> Option<(G::Move, bool)> {
        // Where points are banked, a smaller loss is better than a trap.
        let set_traps = self.options.techniques.traps && self.scale.point == 0;
        if !set_traps || self.game.count_moves(position) < 2 {
            return None;
        }
        Traps::new(searcher, value)?.best_move(position)
    }

    /// A helping thread: searches the same root to fill the table, out of step with the others.
    fn help(&self, position: G::Position, number: usize, guesses: bool, stop: &Stop) -> u64 {
        let table = self.table();
        let budget = Budget::new(&Limits::NONE, stop);
        let mut searcher = self.searcher(&position, table, guesses, budget);
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
