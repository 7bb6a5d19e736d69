//! Proofs within the engine's time: how the time is shared.
//!
//! The engine pauses at growing node counts, and a [`ProofSource`] narrows the proven bounds of the root's moves. These
//! bounds select and exclude moves in the engine's further search, or settle the root.
//! Everything is decided by node counts, so that a search with a node limit is reproducible.

use super::root::{Iteration, Root};
use super::search::Searcher;
use crate::eval::Evaluation;
use crate::{Aim, Outlook, ProofSource, ProofWork, Searchable, ToProve};
use kalahari_terms::{Bounds, Budget, Limits};
use std::time::Duration;

/// A version of the engine's play with proofs and cuts by guesses, which the [bench](crate::bench) does not cover: raised with
/// every change to it. Matches and datasets of different versions are not mixed.
pub const PROVING: u32 = 2;

/// The first pause: before it the engine knows too little to guess which value to prove.
const FIRST_PAUSE: u64 = 2_000;
/// A proof is tried once its likely cost divided by this has been spent on the position.
const TOO_FAR: u64 = 32;
/// A proof that is likely to take this many times the budget is not tried: hardly one in twenty would be finished.
const HOPELESS: u64 = 5;
/// With a node limit: this many nodes of proofs for every four of the engine's.
const PROOF_NODES: u64 = 8;
/// The same with a time limit: a proof's nodes take four times as long.
const PROOF_NODES_IN_TIME: u64 = 2;
/// About how many nodes of a proof are searched in a millisecond.
const NODES_A_MILLISECOND: u64 = 2_500;
/// Where proofs come first, they begin this many times as early. (A larger share of the time proved no more, and gave worse
/// moves where nothing was proven.)
const EARLIER: u64 = 4;
/// One proof of a value in ten takes at most the first number times the likely cost, nine in ten at most the second:
/// measured by `agents/examples/proof_cost.rs`.
const VALUE_TAKES: (f64, f64) = (0.19, 6.2);
/// The same for proofs of every move.
const ALL_MOVES_TAKE: (f64, f64) = (1.3, 21.0);
/// A line may take the nodes of its proof divided by this.
const LINE_PART: u64 = 8;

/// The work of a proof whose value is likely to take `likely_nodes` nodes, `done` of them by now.
fn likely_work(likely_nodes: u64, aim: Aim, done: u64) -> ProofWork {
    let (least, most) = match aim {
        Aim::Value => VALUE_TAKES,
        Aim::EveryMove => ALL_MOVES_TAKE,
    };
    let times = |factor: f64| (likely_nodes as f64 * factor) as u64;
    ProofWork {
        least: times(least),
        most: times(most),
        done,
        idle: Duration::ZERO,
    }
}

/// The proofs of one search.
pub(super) struct Proving<'a, G: Searchable> {
    source: &'a dyn ProofSource<G>,
    root: G::Position,
    aim: Aim,
    likely_nodes: u64,
    /// Whether the search has to be reproducible.
    repeats: bool,
    /// Nodes of proofs for every four of the engine's.
    ratio: u64,
    /// The nodes that proofs have taken.
    nodes: u64,
    /// The engine pauses after this many nodes of its own; never if the proof is hopeless.
    next_pause: Option<u64>,
}

impl<'a, G: Searchable> Proving<'a, G> {
    /// The proofs of a search from `root`; `None` if the source does not try to prove it.
    pub(super) fn new(
        source: &'a dyn ProofSource<G>,
        game: &G,
        root: G::Position,
        aim: Aim,
        limits: &Limits,
        comes_first: bool,
    ) -> Option<Self> {
        let likely_nodes = source.likely_cost(game, &root)?;
        let ratio = match limits.nodes {
            Some(_) => PROOF_NODES,
            None => PROOF_NODES_IN_TIME,
        };
        let earlier = if comes_first { EARLIER } else { 1 };
        let time = limits.move_time().map(|time| time.as_millis() as u64);
        let room = [limits.nodes, time.map(|time| time * NODES_A_MILLISECOND)];
        let room = room.into_iter().flatten().min().unwrap_or(u64::MAX);
        let is_hopeless = likely_nodes / HOPELESS > room;
        Some(Proving {
            source,
            root,
            aim,
            likely_nodes,
            repeats: limits.move_time().is_none(),
            ratio,
            nodes: 0,
            next_pause: (!is_hopeless)
                .then_some(FIRST_PAUSE.max(likely_nodes / (TOO_FAR * earlier))),
        })
    }

    /// Begins with what is known about the root's moves without any work.
    pub(super) fn begin(&self, game: &G, root: &mut Root<G>) {
        root.keep_bounds(game);
        self.source.recall(game, &self.root, &mut root.bounds);
    }

    /// How far the proof has come.
    pub(super) fn outlook(&self, root: &Root<G>) -> Outlook<G::Move> {
        let bounds = || root.bounds.iter().map(|(_, bounds)| bounds);
        let mut moves = root.bounds.clone();
        moves.sort_by_key(|&(mv, _)| mv);
        Outlook {
            value: Bounds {
                lower: bounds().map(|bounds| bounds.lower).max().unwrap_or(0),
                upper: bounds().map(|bounds| bounds.upper).max().unwrap_or(0),
            },
            moves,
            work: likely_work(self.likely_nodes, self.aim, self.nodes),
            table: None,
        }
    }

    /// Lets the engine pause when it is time to prove.
    pub(super) fn plan(&self, budget: &mut Budget) {
        let own = budget.nodes() - self.nodes;
        if let Some(next_pause) = self.next_pause {
            budget.pause_after(next_pause.saturating_sub(own));
        }
    }

    /// Works on the root's moves while the engine pauses. Returns the root's values if that settles it.
    pub(super) fn work<E: Evaluation<G>>(
        &mut self,
        searcher: &mut Searcher<'_, G, E>,
        root: &mut Root<G>,
        guess: Option<i32>,
    ) -> Option<Iteration<G>> {
        let own = searcher.budget.nodes() - self.nodes;
        self.next_pause = Some(2 * own);
        let most = (self.ratio * own / 4).saturating_sub(self.nodes);
        self.narrow(searcher, root, guess, Limits::nodes(most))
    }

    /// Works on the root's moves until the root is settled or the budget is spent: the engine has nothing left to search.
    pub(super) fn go_on<E: Evaluation<G>>(
        &mut self,
        searcher: &mut Searcher<'_, G, E>,
        root: &mut Root<G>,
        guess: Option<i32>,
    ) -> Option<Iteration<G>> {
        self.narrow(searcher, root, guess, Limits::NONE)
    }

    fn narrow<E: Evaluation<G>>(
        &mut self,
        searcher: &mut Searcher<'_, G, E>,
        root: &mut Root<G>,
        guess: Option<i32>,
        most: Limits,
    ) -> Option<Iteration<G>> {
        let margin = guess.map_or(0, |value| searcher.scale.margin(value));
        let (limits, stop) = (searcher.budget.left(), searcher.budget.stop().clone());
        let question = ToProve {
            game: searcher.game,
            root: &self.root,
            aim: self.aim,
            guess: margin,
            limits: limits.and(most),
            repeats: self.repeats,
            stop: &stop,
        };
        let nodes = self.source.narrow(&question, root.bounds_in_order());
        self.nodes += nodes;
        searcher.budget.add_nodes(nodes);
        root.by_proofs(searcher, self.aim)
    }

    /// A line of best play that begins with `best`, a move that keeps the proven value of the root.
    pub(super) fn line<E: Evaluation<G>>(
        &self,
        searcher: &mut Searcher<'_, G, E>,
        best: G::Move,
        value: i32,
    ) -> Vec<G::Move> {
        let game = searcher.game;
        let after = game.play_unchecked(&self.root, best);
        let margin = searcher.scale.margin(value);
        let again = game.to_move(&after) == game.to_move(&self.root);
        let margin = if again { margin } else { -margin };
        let stop = searcher.budget.stop().clone();
        let question = ToProve {
            game,
            root: &after,
            aim: self.aim,
            guess: margin,
            limits: searcher
                .budget
                .left()
                .and(Limits::nodes(self.nodes / LINE_PART)),
            repeats: self.repeats,
            stop: &stop,
        };
        let (line, nodes) = self.source.line(&question);
        searcher.budget.add_nodes(nodes);
        [best].into_iter().chain(line).collect()
    }
}
