//! Monte Carlo tree search as a player.

use super::Playout;
use super::heuristic::Heuristic;
use super::playout::for_first;
use super::tree::{Node, ROOT, Tree, Weights};
use crate::eval::{Evaluation, Registry};
use crate::parameters::{Parameter, alpha, exploration};
use crate::{Agent, Report, Rng, Searchable, Task};
use kalahari_games::{Player, Verdict};
use kalahari_terms::{Budget, Failure, Limits, Score, Worth};

/// How the search is set up.
#[derive(Clone, Debug)]
pub struct MctsOptions<E> {
    /// Makes the heuristic values. Without it, a glance at the stores or the steps is used.
    pub eval: Option<E>,
    /// The weight of the heuristic value against the playouts, 0 to 1.
    pub alpha: f64,
    /// How much is explored.
    pub c: f64,
    /// Whether the tree of the last turn is reused.
    pub reuse: bool,
    /// Whether proven results are used.
    pub solver: bool,
    /// How playouts choose their moves.
    pub playout: Playout,
    /// The memory for the tree in MiB. Once the tree is full, it stops growing, but playouts continue.
    pub hash: usize,
}

impl<E> MctsOptions<E> {
    /// The best known options for a game: with its trained evaluation, if there is one.
    pub fn of_game<G: Searchable<Eval = E>>(game: &G) -> Self
    where
        E: Registry<G>,
    {
        Self::judged_by(game, E::learned(game))
    }

    /// The best known options for a game with this evaluation or with none.
    pub fn judged_by<G: Searchable<Eval = E>>(game: &G, eval: Option<E>) -> Self
    where
        E: Registry<G>,
    {
        let kind = game.spec().kind();
        MctsOptions {
            alpha: alpha(kind).value,
            c: exploration(kind).value,
            reuse: true,
            solver: true,
            playout: match eval.as_ref().is_some_and(E::is_learned) {
                true => Playout::Cut(0),
                false => Playout::Random,
            },
            eval,
            hash: 256,
        }
    }

    /// The tunable parameters for a game with their current values: the evaluation's first.
    pub fn parameters<G: Searchable<Eval = E>>(&self, game: &G) -> Vec<Parameter>
    where
        E: Registry<G>,
    {
        let kind = game.spec().kind();
        let mut all = self.eval.as_ref().map_or_else(Vec::new, E::current);
        all.push(alpha(kind).with_value(self.alpha));
        all.push(exploration(kind).with_value(self.c));
        all
    }
}

/// A player by Monte Carlo tree search.
#[derive(Debug)]
pub struct Mcts<G: Searchable, E = <G as Searchable>::Eval> {
    game: G,
    options: MctsOptions<E>,
    rng: Rng,
    tree: Option<Tree<G>>,
}

/// A proven node has its result as score, any other the share of its playouts, or even chances before the first.
fn score<G: Searchable>(node: &Node<G>, player: Player) -> Score {
    match node.proven {
        Some(points) => {
            let sign = (2.0 * for_first(player, points) - 1.0) as i32;
            Score::proven(player, Worth::Result(Verdict::of_margin(sign)))
        }
        None => share(node, player),
    }
}

fn share<G: Searchable>(node: &Node<G>, player: Player) -> Score {
    match node.visits {
        0 => Score::unknown(player),
        _ => Score::estimate(player, Worth::Share(node.share(player))),
    }
}

impl<G: Searchable, E: Evaluation<G>> Mcts<G, E> {
    /// A player whose playouts come from `rng_seed`.
    pub fn new(game: G, options: MctsOptions<E>, rng_seed: u64) -> Self {
        Mcts {
            game,
            options,
            rng: Rng::new(rng_seed),
            tree: None,
        }
    }

    /// A tree with this root: what is left of the last one, or a new one.
    fn tree_for(
        &self,
        last: Option<Tree<G>>,
        heuristic: &Heuristic<'_, G, E>,
        position: G::Position,
    ) -> Tree<G> {
        if let Some(mut tree) = last
            && self.options.reuse
            && let Some(id) = tree.find(&position)
        {
            tree.reroot(heuristic, id);
            return tree;
        }
        let most = (self.options.hash.max(1) << 20) / size_of::<Node<G>>();
        Tree::new(heuristic, position, most)
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
        let best = tree.best_child(game, ROOT);
        Report {
            best: best.and_then(|id| tree.node(id).mv),
            score: match best {
                // Until the root is settled, its score is that of the move to play.
                Some(best) if root.proven.is_none() => share(tree.node(best), mover),
                _ => score(root, mover),
            },
            moves: match all_moves {
                true => tree
                    .children(ROOT)
                    .map(|id| tree.node(id))
                    .filter_map(|node| Some((node.mv?, score(node, mover))))
                    .collect(),
                false => Vec::new(),
            },
            depth: line.len() as u32,
            line,
            nodes: playouts,
            elapsed: budget.elapsed(),
            outlook: None,
        }
    }
}

/// The number of playouts if nothing limits the search.
const UNLIMITED_PLAYOUTS: u64 = 1_000_000;

impl<G: Searchable, E: Evaluation<G>> Agent<G> for Mcts<G, E> {
    fn think(&mut self, task: Task<'_, G>) -> Result<Report<G::Move>, Failure> {
        let position = task.position;
        if let Some(report) = Report::of_finished(&self.game, &position) {
            return Ok(report);
        }
        let limits = match task.limits.is_bounded() {
            true => task.limits,
            false => task.limits.and(Limits::nodes(UNLIMITED_PLAYOUTS)),
        };
        let mut budget = Budget::new(&limits, task.stop);
        let (last, mut rng) = (self.tree.take(), self.rng.clone());
        let heuristic = Heuristic::new(&self.game, self.options.eval.as_ref());
        let mut tree = self.tree_for(last, &heuristic, position);
        let &MctsOptions {
            alpha,
            c,
            solver,
            playout,
            ..
        } = &self.options;
        let weights = Weights { alpha, c, solver };
        let mut path = Vec::new();
        let mut playouts = 0_u64;
        let mut next_report = 1 << 10;
        while tree.node(ROOT).proven.is_none() {
            if budget.count_node() {
                break;
            }
            budget.was_work_of(playout.nodes());
            tree.descend(&heuristic, weights, &mut path);
            let leaf = tree.node(*path.last().unwrap_or(&ROOT));
            let points = match leaf.proven {
                Some(points) => points,
                None => {
                    let last = tree.last_mover(&self.game, &path);
                    playout.play(&heuristic, leaf.position, last, &mut rng)
                }
            };
            tree.back_up(&self.game, &path, points, solver);
            playouts += 1;
            if playouts == next_report {
                next_report *= 2;
                (task.progress)(&self.report(&tree, playouts, &budget, task.all_moves));
            }
        }
        let report = self.report(&tree, playouts, &budget, task.all_moves);
        (self.tree, self.rng) = (Some(tree), rng);
        Ok(report)
    }

    fn forget(&mut self, rng_seed: u64) {
        self.tree = None;
        self.rng = Rng::new(rng_seed);
    }

    fn is_deterministic(&self) -> bool {
        // Nothing is played out, so nothing is random.
        self.options.playout == Playout::Cut(0)
    }
}
