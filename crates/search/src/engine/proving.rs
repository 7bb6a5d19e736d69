//! Proofs inside the engine's time: who works how long.
//!
//! The engine pauses at growing node counts, and a [`ProofSource`] works on what is proven of the root's moves. What it proves
//! comes back as bounds, which choose and exclude moves in what the engine searches next, or settle the root.
//! Everything is decided by nodes, so that a search with a limit of nodes repeats.

use super::root::{Iteration, Root};
use super::search::Searcher;
use crate::eval::Evaluation;
use crate::{Aim, Outlook, ProofSource, ProofWork, Searchable, ToProve};
use kalahari_terms::{Bounds, Budget, Limits};
use std::time::Duration;

/// Counts the changes of what the engine plays where proofs and cuts by guesses are on, which the [bench](crate::bench) does not
/// cover: raised with every one. Matches and datasets of different numbers are not mixed.
pub const PROVING: u32 = 2;

/// The first pause: before this the engine knows too little to guess what is to be proven.
const FIRST_PAUSE: u64 = 2_000;
/// A proof is tried once this part of what it is likely to cost has been spent on the position.
const TOO_FAR: u64 = 32;
/// A proof that is likely to take so many times what there is to spend is not tried: hardly one in twenty would be done.
const HOPELESS: u64 = 5;
/// So many nodes of proofs for four of the engine's, where nodes are what is limited.
const PROOF_NODES: u64 = 8;
/// The same where time is: a proof's nodes take four times as long.
const PROOF_NODES_IN_TIME: u64 = 2;
/// About how many nodes of a proof take a millisecond.
const NODES_A_MILLISECOND: u64 = 2_500;
/// Where proofs come first, they begin so many times as early. (A larger share of the time proved no more, and left the
/// engine worse moves where nothing was proven.)
const EARLIER: u64 = 4;
/// One proof of a value in ten takes no more than this times what is likely, and nine in ten no more than that: measured by
/// `agents/examples/proof_cost.rs`.
const VALUE_TAKES: (f64, f64) = (0.19, 6.2);
/// The same of proofs of every move.
const ALL_MOVES_TAKE: (f64, f64) = (1.3, 21.0);
/// A line may take this part of the nodes that the proof has taken.
const LINE_PART: u64 = 8;

/// What a proof takes whose value is likely to take so many nodes, `done` of them by now.
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
    /// Whether the search has to come out the same every time.
    repeats: bool,
    /// Nodes of proofs for four of the engine's.
    ratio: u64,
    /// The nodes that proofs have taken.
    nodes: u64,
    /// After so many nodes of its own the engine pauses; never if the proof is hopeless.
    next_pause: Option<u64>,
}

impl<'a, G: Searchable> Proving<'a, G> {
    /// The proofs of a search from `root`; `None` if the source does not try it.
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

    /// Begins with what is known of the root's moves without any work.
    pub(super) fn begin(&self, game: &G, root: &mut Root<G>) {
        root.keep_bounds(game);
        self.source.recall(game, &self.root, &mut root.bounds);
    }

    /// How far the proof is.
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

    /// Works on the root's moves while the engine pauses. If that settles the root, it comes back.
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

    /// Works on the root's moves until it is settled or all is spent: the engine has nothing left to search.
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
