//! Minimax and alpha-beta as players.

use super::search::LOWEST;
use super::{PlainSearch, Pruning};
use crate::eval::Evaluation;
use crate::{Agent, Report, Task};
use kalahari_games::{Game, Player};
use kalahari_terms::{Budget, Failure, Limits, Score, Stop};

/// A player that searches plainly to a depth, or deeper and deeper while its time lasts.
#[derive(Clone, Debug)]
pub struct Plain<G, E> {
    game: G,
    eval: E,
    pruning: Pruning,
    extra: u32,
}

/// What a root move is worth.
#[derive(Clone, Copy)]
struct Valued<M> {
    mv: M,
    value: i32,
    /// Whether no unfinished game was evaluated.
    proven: bool,
}

impl<G: Game, E: Evaluation<G>> Plain<G, E> {
    /// A player with an evaluation. `extra` is what an extra turn costs in depth.
    pub fn new(game: G, eval: E, pruning: Pruning, extra: u32) -> Self {
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
        search: &mut PlainSearch<'_, G, E>,
        position: &G::Position,
        depth: u32,
        full_windows: bool,
    ) -> Option<Vec<Valued<G::Move>>> {
        let mut alpha = LOWEST;
        let mut values = Vec::new();
        for mv in self.game.moves(position) {
            let child = self.game.play_unchecked(position, mv);
            search.guessed = false;
            let value = search.move_value(position, &child, depth as i32, alpha);
            if search.budget.is_spent() {
                return None;
            }
            let proven = !search.guessed;
            values.push(Valued { mv, value, proven });
            if self.pruning == Pruning::AlphaBeta && !full_windows {
                alpha = alpha.max(value);
            }
        }
        Some(values)
    }

    /// The principal variation after a first move, found by searching again after every move.
    fn line(
        &self,
        position: &G::Position,
        first: G::Move,
        depth: u32,
        limits: &Limits,
        stop: &Stop,
    ) -> Vec<G::Move> {
        let mut line = vec![first];
        let mut position = self.game.play_unchecked(position, first);
        for depth in (1..depth).rev() {
            let mut search = self.begin(limits, stop);
            let Some(values) = self.search_root(&mut search, &position, depth, false) else {
                break;
            };
            let Some(best) = first_best(&values) else {
                break;
            };
            line.push(best.mv);
            position = self.game.play_unchecked(&position, best.mv);
        }
        line
    }

    fn begin<'a>(&'a self, limits: &Limits, stop: &Stop) -> PlainSearch<'a, G, E> {
        let mut budget = Budget::new(limits, stop);
        // The root counts too.
        budget.add_nodes(1);
        PlainSearch::new(&self.game, &self.eval, self.pruning, self.extra, budget)
    }

    /// The report on the root's moves. The position's value is proven only if those of all moves are: an unproven one might be
    /// better.
    fn report(&self, values: &[Valued<G::Move>], task: &Task<'_, G>) -> Report<G::Move> {
        let player = self.game.to_move(&task.position);
        let score = |value, proven| self.score(value, proven, player);
        let best = first_best(values);
        let proven = values.iter().all(|found| found.proven);
        Report {
            best: best.map(|best| best.mv),
            score: score(best.map_or(0, |best| best.value), proven),
            line: best.map(|best| best.mv).into_iter().collect(),
            moves: match task.all_moves {
                true => values
                    .iter()
                    .map(|found| (found.mv, score(found.value, found.proven)))
                    .collect(),
                false => Vec::new(),
            },
            depth: 0,
            nodes: 0,
            elapsed: Default::default(),
            outlook: None,
        }
    }

    fn score(&self, value: i32, proven: bool, player: Player) -> Score {
        let scale = self.eval.scale();
        scale.score(value, proven, player, self.game.has_margins())
    }
}

/// The first of the best moves, as the courses' programs chose.
fn first_best<M: Copy>(values: &[Valued<M>]) -> Option<Valued<M>> {
    let better = |best: Valued<M>, next: Valued<M>| match next.value > best.value {
        true => next,
        false => best,
    };
    values.iter().copied().reduce(better)
}

impl<G: Game, E: Evaluation<G>> Agent<G> for Plain<G, E> {
    fn think(&mut self, task: Task<'_, G>) -> Result<Report<G::Move>, Failure> {
        let position = task.position;
        if let Some(report) = Report::of_finished(&self.game, &position) {
            return Ok(report);
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
        // Before any depth is finished, any legal move is used.
        let unknown = |mv| Valued {
            mv,
            value: 0,
            proven: false,
        };
        let fallback: Vec<_> = self.game.moves(&position).take(1).map(unknown).collect();
        let mut report = self.report(&fallback, &task);
        report.moves.clear();
        for depth in first_depth..=deepest {
            let Some(values) = self.search_root(&mut search, &position, depth, task.all_moves)
            else {
                break;
            };
            report = self.report(&values, &task);
            report.depth = depth;
            report.nodes = search.budget.nodes();
            report.elapsed = search.budget.elapsed();
            (task.progress)(&report);
            if report.score.is_proven() || !search.budget.has_room_for_another() {
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
        Ok(report)
    }

    fn forget(&mut self, _rng_seed: u64) {}

    fn is_deterministic(&self) -> bool {
        true
    }
}

/// Deeper than any game of Kalah or Isolation that a plain search could finish.
const MAX_DEPTH: u32 = 500;
