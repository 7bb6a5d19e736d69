//! The tree: selection, expansion, and what flows back from the leaves.
//!
//! All children of a node are made at once, so "every legal move" and "every child" are the same: a loss
//! is proven only when every legal move is proven to lose. Numbers are kept as the first player sees them
//! and turned to the mover's side where they are compared.

use super::heuristic::Heuristic;
use super::playout::{for_first, points};
use crate::Glance;
use crate::eval::Evaluation;
use kalahari_games::{Game, Player};

/// A node's place in the tree.
pub(super) type Id = u32;

/// The root.
pub(super) const ROOT: Id = 0;

#[derive(Clone, Debug)]
pub(super) struct Node<G: Game> {
    pub(super) position: G::Position,
    /// The move that led here; none at the root.
    pub(super) mv: Option<G::Move>,
    first_child: Id,
    /// 0 until the node is expanded.
    children: u32,
    pub(super) visits: u32,
    /// Points of all playouts through this node.
    points: f64,
    /// The heuristic value: its own at first, then the best of its children's for the player to move here.
    heuristic: f64,
    /// The points under best play, where they are proven.
    pub(super) proven: Option<f64>,
}

impl<G: Glance> Node<G> {
    fn new<E: Evaluation<G>>(
        heuristic: &Heuristic<'_, G, E>,
        position: G::Position,
        mv: Option<G::Move>,
        last: Option<Player>,
    ) -> Self {
        let game = heuristic.game;
        let proven = game.outcome(&position).map(points);
        let guess = || for_first(game.to_move(&position), heuristic.share(&position, last));
        Node {
            mv,
            first_child: 0,
            children: 0,
            visits: 0,
            points: 0.0,
            heuristic: proven.unwrap_or_else(guess),
            proven,
            position,
        }
    }

    /// The share of points for `player`.
    pub(super) fn share(&self, player: Player) -> f64 {
        let share = match (self.proven, self.visits) {
            (Some(points), _) => points,
            (None, 0) => self.heuristic,
            (None, visits) => self.points / f64::from(visits),
        };
        for_first(player, share)
    }
}

/// The numbers of the selection rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// The share of the heuristic value in exploitation.
    pub(super) alpha: f64,
    /// How much is explored.
    pub(super) c: f64,
    /// Whether proven results are used.
    pub(super) solver: bool,
}

#[derive(Debug)]
pub(super) struct Tree<G: Game> {
    nodes: Vec<Node<G>>,
    most: usize,
}

impl<G: Glance> Tree<G> {
    /// A tree with only a root, which may grow to `most` nodes (and always holds the root's children).
    pub(super) fn new<E: Evaluation<G>>(
        heuristic: &Heuristic<'_, G, E>,
        root: G::Position,
        most: usize,
    ) -> Self {
        let mut tree = Tree {
            nodes: vec![Node::new(heuristic, root, None, None)],
            most,
        };
        tree.expand(heuristic, ROOT, true);
        tree
    }

    pub(super) fn node(&self, id: Id) -> &Node<G> {
        &self.nodes[id as usize]
    }

    pub(super) fn children(&self, id: Id) -> std::ops::Range<Id> {
        let node = self.node(id);
        node.first_child..node.first_child + node.children
    }

    /// Whether this many more nodes are allowed and there is memory for them. A tree that cannot grow any more is full.
    fn has_room(&mut self, count: usize) -> bool {
        self.nodes.len() + count <= self.most && self.nodes.try_reserve(count).is_ok()
    }

    /// Makes the children of a node. A full tree stays as it is, unless `by_all_means`.
    fn expand<E: Evaluation<G>>(
        &mut self,
        heuristic: &Heuristic<'_, G, E>,
        id: Id,
        by_all_means: bool,
    ) {
        let game = heuristic.game;
        let position = self.node(id).position;
        let count = game.count_moves(&position) as usize;
        if count == 0 || (!by_all_means && !self.has_room(count)) {
            return;
        }
        let first = self.nodes.len() as Id;
        let mover = Some(game.to_move(&position));
        for mv in game.moves(&position) {
            let child = game.play_unchecked(&position, mv);
            self.nodes
                .push(Node::new(heuristic, child, Some(mv), mover));
        }
        let node = &mut self.nodes[id as usize];
        node.first_child = first;
        node.children = count as u32;
    }

    /// Goes down to a leaf by the selection rule and expands it if it has been visited before. `path`
    /// gets every node on the way, the root first.
    pub(super) fn descend<E: Evaluation<G>>(
        &mut self,
        heuristic: &Heuristic<'_, G, E>,
        weights: Weights,
        path: &mut Vec<Id>,
    ) {
        let game = heuristic.game;
        path.clear();
        let mut id = ROOT;
        loop {
            path.push(id);
            let node = self.node(id);
            if weights.solver && id != ROOT && node.proven.is_some() {
                return;
            }
            if node.children == 0 {
                if node.visits == 0 || game.is_over(&node.position) {
                    return;
                }
                self.expand(heuristic, id, false);
                if self.node(id).children == 0 {
                    return;
                }
            }
            match self.select(game, id, weights) {
                Some(child) => id = child,
                None => return,
            }
        }
    }

    /// The child with the best selection value; the first of equals.
    fn select(&self, game: &G, id: Id, weights: Weights) -> Option<Id> {
        let node = self.node(id);
        let mover = game.to_move(&node.position);
        let log = 2.0 * f64::from(node.visits.max(1)).ln();
        let value = |child: Id| {
            let child = self.node(child);
            if weights.solver
                && let Some(points) = child.proven
            {
                // A settled child needs no visits: a win ends the choice, a loss is a last resort.
                return match for_first(mover, points) {
                    win if win > 0.75 => f64::MAX,
                    loss if loss < 0.25 => f64::MIN,
                    draw => draw,
                };
            }
            if child.visits == 0 {
                return UNVISITED + for_first(mover, child.heuristic);
            }
            let n = f64::from(child.visits);
            (1.0 - weights.alpha) * for_first(mover, child.points / n)
                + weights.alpha * for_first(mover, child.heuristic)
                + weights.c * (log / n).sqrt()
        };
        let valued = self.children(id).map(|child| (child, value(child)));
        let best = valued.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(child, _)| child)
    }

    /// Who has made the last move on a path, if there is one.
    pub(super) fn last_mover(&self, game: &G, path: &[Id]) -> Option<Player> {
        match path {
            [.., before, _] => Some(game.to_move(&self.node(*before).position)),
            _ => None,
        }
    }

    /// Adds the points of a playout to every node of a path, and lets heuristic values and proofs flow up.
    pub(super) fn back_up(&mut self, game: &G, path: &[Id], points: f64, solver: bool) {
        for &id in path.iter().rev() {
            let node = &mut self.nodes[id as usize];
            node.visits = node.visits.saturating_add(1);
            node.points += points;
            if node.children == 0 {
                continue;
            }
            let mover = game.to_move(&node.position);
            let (heuristic, proven) = self.children_say(id, mover);
            let node = &mut self.nodes[id as usize];
            node.heuristic = heuristic;
            if solver && node.proven.is_none() {
                node.proven = proven;
            }
        }
    }

    /// The best heuristic value of the children for the mover, and the result if it is settled: by one
    /// child that wins, or by all.
    fn children_say(&self, id: Id, mover: Player) -> (f64, Option<f64>) {
        let (mut best, mut settled, mut all) = (f64::MIN, f64::MIN, true);
        for child in self.children(id) {
            let child = self.node(child);
            let own = match child.proven {
                Some(points) => {
                    let own = for_first(mover, points);
                    settled = settled.max(own);
                    own
                }
                None => {
                    all = false;
                    for_first(mover, child.heuristic)
                }
            };
            best = best.max(own);
        }
        let proven = (all || settled > 0.75).then_some(for_first(mover, settled));
        (for_first(mover, best), proven)
    }

    /// The node of a position in the upper part of the tree, if it is there.
    pub(super) fn find(&self, position: &G::Position) -> Option<Id> {
        /// Enough for any turn of both players, and searched in well under a millisecond.
        const LOOKED_AT: usize = 4_000;
        let mut queue = vec![ROOT];
        let mut next = 0;
        while let Some(&id) = queue.get(next) {
            if self.node(id).position == *position {
                return Some(id);
            }
            if queue.len() < LOOKED_AT {
                queue.extend(self.children(id));
            }
            next += 1;
        }
        None
    }

    /// Makes a node the root and drops everything that is not below it.
    pub(super) fn reroot<E: Evaluation<G>>(&mut self, heuristic: &Heuristic<'_, G, E>, id: Id) {
        let mut kept = vec![self.node(id).clone()];
        kept[0].mv = None;
        let mut next = 0;
        while next < kept.len() {
            let Node {
                first_child,
                children,
                ..
            } = kept[next];
            let old = first_child as usize..(first_child + children) as usize;
            kept[next].first_child = kept.len() as Id;
            kept.extend_from_slice(&self.nodes[old]);
            next += 1;
        }
        self.nodes = kept;
        if self.node(ROOT).children == 0 {
            self.expand(heuristic, ROOT, true);
        }
    }

    /// The child to play: a proven win, else the most visited one that is not a proven loss.
    pub(super) fn best_child(&self, game: &G, id: Id) -> Option<Id> {
        let mover = game.to_move(&self.node(id).position);
        let rank = |child: Id| {
            let node = self.node(child);
            let class = match node.proven.map(|points| for_first(mover, points)) {
                Some(own) if own > 0.75 => 2,
                Some(own) if own < 0.25 => 0,
                _ => 1,
            };
            (class, node.visits, node.share(mover))
        };
        self.children(id)
            .map(|child| (child, rank(child)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
            .map(|(child, _)| child)
    }
}

/// More than any selection value of a visited child.
const UNVISITED: f64 = 1e6;
