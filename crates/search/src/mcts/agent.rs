//! Monte Carlo tree search as a player.

use super::Playout;
use super::tree::{ROOT, Tree, Weights};
use crate::parameters::{Parameter, alpha, exploration};
use crate::{Agent, Budget, Limits, Report, Rng, Searchable, Task, Unit};
use kalahari_games::GameSpec;

/// How the search is set up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsOptions {
    /// The weight of the heuristic value against the playouts, 0 to 1.
    pub alpha: f64,
    /// How much is explored.
    pub c: f64,
    /// Whether the tree of the last turn is used again.
    pub reuse: bool,
    /// Whether proven results are used.
    pub solver: bool,
    /// How playouts choose their moves.
    pub playout: Playout,
    /// The memory for the tree in MiB. A full tree keeps playing.
    pub hash: usize,
}

impl MctsOptions {
    /// The best known for a game.
    pub fn of_game(game: GameSpec) -> Self {
        MctsOptions {
            alpha: alpha(game).value,
            c: exploration(game).value,
            reuse: true,
            solver: true,
            playout: Playout::Random,
            hash: 256,
        }
    }

    /// What can be tuned in a game, as it is set.
    pub fn parameters(&self, game: GameSpec) -> Vec<Parameter> {
        vec![
            alpha(game).with_value(self.alpha),
            exploration(game).with_value(self.c),
        ]
    }
}

/// A player by Monte Carlo tree search.
#[derive(Debug)]
pub struct Mcts<G: Searchable> {
    game: G,
    options: MctsOptions,
    rng: Rng,
    tree: Option<Tree<G>>,
}

impl<G: Searchable> Mcts<G> {
    /// A player whose playouts come from `seed`.
    pub fn new(game: G, options: MctsOptions, seed: u64) -> Self {
        Mcts {
            game,
            options,
            rng: Rng::new(seed),
            tree: None,
        }
    }

    /// A tree with this root: what is left of the last one, or a new one.
    fn tree_for(&mut self, position: G::Position) -> Tree<G> {
        if let Some(mut tree) = self.tree.take()
            && self.options.reuse
            && let Some(id) = tree.find(&position)
        {
            tree.reroot(&self.game, id);
            return tree;
        }
        let node = size_of::<super::tree::Node<G>>();
        Tree::new(
            &self.game,
            position,
            (self.options.hash.max(1) << 20) / node,
        )
    }

    fn report(
        &self,
        tree: &Tree<G>,
        playouts: u64,
        budget: &Budget,
        all_moves: bool,
    ) -> Report<G::Move> {
        let game = &self.game;
        let root = tree.node(ROOT);
        let mover = game.to_move(&root.position);
        let mut line = Vec::new();
        let mut id = ROOT;
        while let Some(child) = tree.best_child(game, id) {
            let node = tree.node(child);
            if !line.is_empty() && node.visits == 0 && node.proven.is_none() {
                break;
            }
            line.extend(node.mv);
            id = child;
        }
        let settled = tree.children(ROOT).all(|id| tree.node(id).proven.is_some());
        // A share of 1, 1/2 or 0 becomes a result of 1, 0 or -1.
        let shown = |share: f64| if settled { 2.0 * share - 1.0 } else { share };
        let best = tree.best_child(game, ROOT);
        let value = match root.proven {
            Some(points) => super::playout::for_first(mover, points),
            None => best.map_or(0.5, |id| tree.node(id).share(mover)),
        };
        Report {
            best: best.and_then(|id| tree.node(id).mv),
            value: shown(value),
            unit: if settled {
                Unit::Result
            } else {
                Unit::WinShare
            },
            moves: match all_moves {
                true => tree
                    .children(ROOT)
                    .map(|id| tree.node(id))
                    .filter_map(|node| Some((node.mv?, shown(node.share(mover)))))
                    .collect(),
                false => Vec::new(),
            },
            depth: line.len() as u32,
            line,
            nodes: playouts,
            elapsed: budget.elapsed(),
            proven: root.proven.is_some(),
        }
    }
}

/// Playouts if nothing limits the search.
const UNLIMITED_PLAYOUTS: u64 = 1_000_000;

impl<G: Searchable> Agent<G> for Mcts<G> {
    fn think(&mut self, task: Task<'_, G>) -> Report<G::Move> {
        let position = task.position;
        if let Some(report) = Report::of_finished(&self.game, &position) {
            return report;
        }
        let limits = match task.limits.nodes.is_none() && task.limits.move_time().is_none() {
            true => Limits {
                nodes: Some(UNLIMITED_PLAYOUTS),
                ..task.limits
            },
            false => task.limits,
        };
        let mut budget = Budget::new(&limits, task.stop);
        let mut tree = self.tree_for(position);
        let MctsOptions {
            alpha,
            c,
            solver,
            playout,
            ..
        } = self.options;
        let weights = Weights { alpha, c, solver };
        let mut path = Vec::new();
        let mut playouts = 0_u64;
        let mut next_report = 1 << 10;
        while tree.node(ROOT).proven.is_none() {
            if budget.count_node() {
                break;
            }
            // A playout is a long piece of work beside a node of a search.
            budget.was_work_of(60);
            tree.descend(&self.game, weights, &mut path);
            let leaf = tree.node(*path.last().unwrap_or(&ROOT));
            let points = match leaf.proven {
                Some(points) => points,
                None => playout.play(&self.game, leaf.position, &mut self.rng),
            };
            tree.back_up(&self.game, &path, points, solver);
            playouts += 1;
            if playouts == next_report {
                next_report *= 2;
                (task.progress)(&self.report(&tree, playouts, &budget, task.all_moves));
            }
        }
        let report = self.report(&tree, playouts, &budget, task.all_moves);
        self.tree = Some(tree);
        report
    }

    fn forget(&mut self, seed: u64) {
        self.tree = None;
        self.rng = Rng::new(seed);
    }

    fn is_deterministic(&self) -> bool {
        false
    }
}
