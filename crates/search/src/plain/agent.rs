//! Minimax and alpha-beta as players.

use super::search::LOWEST;
use super::{PlainSearch, Pruning};
use crate::eval::Evaluation;
use crate::{Agent, Budget, Limits, Report, Searchable, Task, Unit};

/// A player that searches plainly to a depth, or deeper and deeper while its time lasts.
#[derive(Clone, Debug)]
pub struct Plain<G: Searchable> {
    game: G,
    eval: G::Eval,
    pruning: Pruning,
    extra: u32,
}

impl<G: Searchable> Plain<G> {
    /// A player with an evaluation. `extra` is what an extra turn costs in depth.
    pub fn new(game: G, eval: G::Eval, pruning: Pruning, extra: u32) -> Self {
        Plain {
            game,
            eval,
            pruning,
            extra,
        }
    }

    /// Searches every root move to `depth`. `None` if there was no time to finish.
    fn search_root(
        &self,
        search: &mut PlainSearch<'_, G>,
        position: &G::Position,
        depth: u32,
        full_windows: bool,
    ) -> Option<Vec<(G::Move, i32)>> {
        let mut alpha = LOWEST;
        let mut values = Vec::new();
        for mv in self.game.moves(position) {
            let child = self.game.play_unchecked(position, mv);
            let value = search.move_value(position, &child, depth as i32, alpha);
            if search.budget.is_spent() {
                return None;
            }
            values.push((mv, value));
            if self.pruning == Pruning::AlphaBeta && !full_windows {
                alpha = alpha.max(value);
            }
        }
        Some(values)
    }

    /// The line of best play behind a first move, found by searching again and again.
    fn line(
        &self,
        position: &G::Position,
        first: G::Move,
        depth: u32,
        limits: &Limits,
        stop: &crate::Stop,
    ) -> Vec<G::Move> {
        let mut line = vec![first];
        let mut position = self.game.play_unchecked(position, first);
        for depth in (1..depth).rev() {
            let mut search = self.begin(limits, stop);
            let Some(values) = self.search_root(&mut search, &position, depth, false) else {
                break;
            };
            let Some((mv, _)) = first_best(&values) else {
                break;
            };
            line.push(mv);
            position = self.game.play_unchecked(&position, mv);
        }
        line
    }

    fn begin<'a>(&'a self, limits: &Limits, stop: &crate::Stop) -> PlainSearch<'a, G> {
        let mut budget = Budget::new(limits, stop);
        // The root counts too.
        budget.add_nodes(1);
        PlainSearch {
            game: &self.game,
            eval: &self.eval,
            pruning: self.pruning,
            extra: self.extra as i32,
            budget,
            guessed: false,
        }
    }

    fn report(
        &self,
        values: &[(G::Move, i32)],
        proven: bool,
        task: &Task<'_, G>,
    ) -> Report<G::Move> {
        let shown = |value: i32| match proven {
            true => f64::from(self.eval.margin(value)),
            false => f64::from(value),
        };
        let best = first_best(values);
        Report {
            best: best.map(|(mv, _)| mv),
            value: best.map_or(0.0, |(_, value)| shown(value)),
            unit: match proven {
                true => Unit::of_proof(&self.game),
                false => Unit::Eval,
            },
            line: best.map(|(mv, _)| mv).into_iter().collect(),
            moves: match task.all_moves {
                true => values
                    .iter()
                    .map(|&(mv, value)| (mv, shown(value)))
                    .collect(),
                false => Vec::new(),
            },
            depth: 0,
            nodes: 0,
            elapsed: Default::default(),
            proven,
        }
    }
}

/// The first of the best moves, as the courses' programs chose.
fn first_best<M: Copy>(values: &[(M, i32)]) -> Option<(M, i32)> {
    values
        .iter()
        .copied()
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
}

impl<G: Searchable> Agent<G> for Plain<G> {
    fn think(&mut self, task: Task<'_, G>) -> Report<G::Move> {
        let position = task.position;
        if let Some(report) = Report::of_finished(&self.game, &position) {
            return report;
        }
        let limits = task.limits;
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let only_depth = limits.nodes.is_none() && limits.move_time().is_none();
        let first_depth = if only_depth && limits.depth.is_some() {
            deepest
        } else {
            1
        };

        let mut search = self.begin(&limits, task.stop);
        // Before anything is finished: any legal move will do.
        let fallback: Vec<(G::Move, i32)> = self
            .game
            .moves(&position)
            .take(1)
            .map(|mv| (mv, 0))
            .collect();
        let mut report = self.report(&fallback, false, &task);
        report.moves.clear();
        for depth in first_depth..=deepest {
            search.guessed = false;
            let Some(values) = self.search_root(&mut search, &position, depth, task.all_moves)
            else {
                break;
            };
            report = self.report(&values, !search.guessed, &task);
            report.depth = depth;
            report.nodes = search.budget.nodes();
            report.elapsed = search.budget.elapsed();
            (task.progress)(&report);
            if report.proven || !search.budget.has_room_for_another() {
                break;
            }
        }
        report.nodes = search.budget.nodes();
        report.elapsed = search.budget.elapsed();
        if task.all_moves
            && let Some(best) = report.best
        {
            let depth = report.depth.min(12);
            report.line = self.line(&position, best, depth, &limits, task.stop);
        }
        report
    }

    fn forget(&mut self, _seed: u64) {}

    fn is_deterministic(&self) -> bool {
        true
    }
}

/// Deeper than any game of Kalah or Isolation that a plain search could finish.
const MAX_DEPTH: u32 = 500;
