//! The search of one thread.

use super::agent::EngineOptions;
use super::found::{Found, LOWEST, Tally};
use super::order::{Candidate, pick};
use super::techniques::Techniques;
use crate::eval::{Evaluation, Scale};
use crate::table::{Bound, Entry, NO_MOVE, Place, Table};
use crate::{ExactSource, Searchable, Theory};
use kalahari_games::Player;
use kalahari_terms::{Bounds, Budget, Charge};

/// The deepest search.
pub(super) const MAX_DEPTH: u32 = 120;

/// With fewer plies to go than this, searching again is cheaper than a table lookup and store.
const TABLE_DEPTH: i32 = 4;

/// With fewer plies to go than this, asking the game's theory costs more than it saves: in `trail` on 8x8 a tenth of the
/// speed at depth 2 and three tenths at leaves, while 80 games each at equal time showed no difference in strength.
const THEORY_DEPTH: i32 = 4;

/// A step of the theory's work takes as long as this many nodes.
const THEORY_STEP: u64 = 16;

/// How many steps the theory may spend on a position that would otherwise be searched to `depth`.
#[inline]
fn theory_work(depth: i32) -> i64 {
    8 << depth.clamp(0, 30)
}

/// The theory's work on one position, charged to the search and limited.
struct TheoryWork<'a> {
    budget: &'a mut Budget,
    left: i64,
}

impl Charge for TheoryWork<'_> {
    #[inline]
    fn charge_node(&mut self) -> bool {
        self.left -= 1;
        self.budget.was_work_of(THEORY_STEP);
        self.left < 0 || self.budget.count_node()
    }
}

/// With more legal moves than this, a node searches only those worth trying.
const MANY_MOVES: u64 = 40;

/// One thread's search.
pub(super) struct Searcher<'a, G: Searchable, E> {
    pub(super) game: &'a G,
    pub(super) eval: &'a E,
    pub(super) table: &'a Table,
    pub(super) exact: Option<&'a dyn ExactSource<G>>,
    pub(super) techniques: Techniques,
    pub(super) budget: Budget,
    pub(super) age: u8,
    theory: G::Theory,
    /// Lists of moves, kept to save allocations.
    spare: Vec<Vec<Candidate<G>>>,
    /// The scale of the evaluation.
    pub(super) scale: Scale,
}

/// Whether a value from the table settles a window.
#[inline]
fn settles(entry: &Entry, value: i32, alpha: i32, beta: i32) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    }
}

impl<'a, G: Searchable, E: Evaluation<G>> Searcher<'a, G, E> {
    /// A search from `root` with the engine's options.
    pub(super) fn new(
        game: &'a G,
        options: &'a EngineOptions<G, E>,
        root: &G::Position,
        table: &'a Table,
        budget: Budget,
        age: u8,
    ) -> Self {
        let EngineOptions {
            eval, techniques, ..
        } = options;
        let exact = options.exact.as_deref();
        let exact = exact.filter(|_| !techniques.exact_depth);
        Searcher {
            game,
            eval,
            table,
            exact: exact.and_then(|exact| exact.for_root(game, root)),
            techniques: *techniques,
            budget,
            age,
            theory: game.theory(),
            spare: Vec::new(),
            scale: eval.scale(),
        }
    }

    /// The values of the final margins of some bounds.
    pub(super) fn finished_range(&self, bounds: Bounds) -> (i32, i32) {
        let worth = |margin| self.scale.finished(margin);
        (worth(bounds.lower), worth(bounds.upper))
    }

    /// What banked points add to a value.
    #[inline]
    fn banked(&self, position: &G::Position) -> i32 {
        self.scale.point * self.game.banked(position)
    }

    /// Whether an entry is valid for a search of this depth.
    #[inline]
    fn is_deep_enough(&self, entry: &Entry, depth: i32) -> bool {
        if self.techniques.exact_depth {
            i32::from(entry.depth) == depth
        } else {
            entry.complete || i32::from(entry.depth) >= depth
        }
    }

    /// The value of a position for the player to move, searched `depth` plies deep. `place` is its place in
    /// the table if that is known already. A value at most `alpha` is an upper bound, one of at least `beta` a lower bound.
    /// Once the budget is spent, the result means nothing.
    pub(super) fn value(
        &mut self,
        position: &G::Position,
        place: Option<Place>,
        depth: i32,
        alpha: i32,
        beta: i32,
        again: bool,
    ) -> Found {
        if depth <= 0 {
            return self.leaf(position, alpha, beta, again);
        }
        if let Some(found) = self.at_once(position, depth, alpha, beta) {
            return found;
        }
        let mover = self.game.to_move(position);
        if depth == 1 {
            return self.frontier(position, mover, alpha, beta);
        }

        if depth < TABLE_DEPTH {
            let mut tally = Tally::new(alpha, beta);
            self.try_moves(position, NO_MOVE, depth, &mut tally);
            return tally.best;
        }
        let place = place.unwrap_or_else(|| self.table.place(self.key(position, again)));
        let banked = self.banked(position);
        let known = self.table.get(place);
        if let Some(entry) = &known
            && self.is_deep_enough(entry, depth)
            && settles(entry, entry.value + banked, alpha, beta)
        {
            return Found {
                value: entry.value + banked,
                complete: entry.complete,
            };
        }

        let window = (alpha, beta);
        if let Some(found) = self.by_shallower(position, place, depth, window, again, banked) {
            return found;
        }
        let known = match self.techniques.probcut {
            // A shallower search may have found a move to try first.
            true => self.table.get(place),
            false => known,
        };
        let best_before = known.map_or(NO_MOVE, |entry| self.number_here(position, entry.best));
        let mut tally = Tally::new(alpha, beta);
        self.try_moves(position, best_before, depth, &mut tally);
        if self.budget.is_spent() {
            return tally.best;
        }
        let entry = Entry {
            value: tally.best.value - banked,
            depth: depth as u8,
            bound: tally.bound(),
            complete: tally.best.complete,
            best: self.number_kept(position, tally.best_number),
        };
        self.table.put(place, entry, self.age);
        tally.best
    }

    /// Counts an inner node and returns its value if no search is needed: the game is over, the value is
    /// known, or no play can bring it into the window.
    #[inline]
    fn at_once(
        &mut self,
        position: &G::Position,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Option<Found> {
        if self.budget.count_node() {
            return Some(Found::NOTHING);
        }
        let game = self.game;
        let mover = game.to_move(position);
        if let Some(outcome) = game.outcome(position) {
            return Some(Found::proven(self.scale.finished(outcome.margin(mover))));
        }
        if let Some(exact) = self.exact
            && let Some(margin) = exact.margin(game, position)
        {
            return Some(Found::proven(self.scale.finished(margin)));
        }
        if self.techniques.range_cuts {
            let (least, most) = game.reachable(position);
            let (least, most) = (self.scale.finished(least), self.scale.finished(most));
            if most <= alpha {
                return Some(Found::proven(most));
            }
            if least >= beta {
                return Some(Found::proven(least));
            }
        }
        if self.techniques.theory
            && depth >= THEORY_DEPTH
            && let Some((least, most)) = self.by_theory(position, depth, alpha, beta)
        {
            if self.budget.is_spent() {
                return Some(Found::NOTHING);
            }
            if most <= alpha {
                return Some(Found::proven(most));
            }
            if least >= beta || least == most {
                return Some(Found::proven(least));
            }
        }
        None
    }

    /// The value of a position if the game's theory can find it quickly. It is proven even if the table is not lossless.
    pub(super) fn exact_by_theory(&mut self, position: &G::Position) -> Option<Found> {
        /// As much work as for a position that is searched this deep.
        const WORTH: i32 = 8;
        let game = self.game;
        let mover = game.to_move(position);
        if let Some(outcome) = game.outcome(position) {
            return Some(Found::proven(self.scale.finished(outcome.margin(mover))));
        }
        let (least, most) = self.by_theory(position, WORTH, LOWEST, -LOWEST)?;
        (least == most && !self.budget.is_spent()).then(|| Found::proven(least))
    }

    /// Bounds of the value by the game's theory, with as much work as `depth` justifies.
    #[inline]
    fn by_theory(
        &mut self,
        position: &G::Position,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Option<(i32, i32)> {
        let Searcher {
            scale,
            budget,
            theory,
            ..
        } = self;
        let settled = |least, most| scale.finished(least) >= beta || scale.finished(most) <= alpha;
        let mut charge = TheoryWork {
            budget,
            left: theory_work(depth),
        };
        let (least, most) = theory.bounds(position, settled, &mut charge)?;
        budget.was_work_of(THEORY_STEP);
        Some((scale.finished(least), scale.finished(most)))
    }

    /// Searches the moves of a node until there is a cutoff: first the move from the table alone, which is
    /// often enough; then the others in order.
    fn try_moves(
        &mut self,
        position: &G::Position,
        best_before: u16,
        depth: i32,
        tally: &mut Tally,
    ) {
        let game = self.game;
        let mut moves = game.moves(position);
        if let Some(mv) = moves.nth(usize::from(best_before)) {
            let first = self.candidate(position, mv, best_before, depth);
            let found = self.candidate_value(&first, depth, tally, false);
            if self.budget.is_spent() || tally.add(found, best_before) {
                return;
            }
        }
        let mut candidates = self.spare.pop().unwrap_or_default();
        candidates.clear();
        let few = self.looks_at_few(position);
        let worth_trying = game.worth_trying(position);
        let mut skipped = false;
        for (number, mv) in (0_u16..).zip(game.moves(position)) {
            if few && !worth_trying(mv) {
                skipped |= number != best_before;
            } else if number != best_before {
                candidates.push(self.candidate(position, mv, number, depth));
            }
        }
        self.budget.was_work_of(candidates.len() as u64);
        if self.techniques.etc
            && depth >= self.techniques.etc_depth
            && let Some((found, number)) = self.cutoff_by_child(&candidates, depth, tally.beta)
        {
            tally.add(found, number);
            self.spare.push(candidates);
            return;
        }
        for i in 0..candidates.len() {
            pick(&mut candidates, i);
            let candidate = &candidates[i];
            let later = tally.best.value > LOWEST;
            let found = self.candidate_value(candidate, depth, tally, later);
            if self.budget.is_spent() || tally.add(found, candidate.number) {
                break;
            }
        }
        tally.leave_out(skipped);
        self.spare.push(candidates);
    }

    /// Whether a node has so many moves that only those worth trying are searched.
    #[inline]
    fn looks_at_few(&self, position: &G::Position) -> bool {
        self.techniques.selective
            && self.game.has_many_moves()
            && self.game.count_moves(position) > MANY_MOVES
    }

    /// The value of a node whose children are leaves: no table, extra turns first.
    fn frontier(&mut self, position: &G::Position, mover: Player, alpha: i32, beta: i32) -> Found {
        let game = self.game;
        let mut tally = Tally::new(alpha, beta);
        for mv in game.extra_turns(position) {
            let child = game.play_unchecked(position, mv);
            let found = self.leaf(&child, tally.alpha, beta, true);
            if self.budget.is_spent() || tally.add(found, NO_MOVE) {
                return tally.best;
            }
        }
        let few = self.looks_at_few(position);
        let worth_trying = game.worth_trying(position);
        for mv in game.moves(position) {
            if few && !worth_trying(mv) {
                continue;
            }
            let child = game.play_unchecked(position, mv);
            if game.to_move(&child) == mover {
                continue;
            }
            let found = self.leaf(&child, -beta, -tally.alpha, false).negated();
            if self.budget.is_spent() || tally.add(found, NO_MOVE) {
                break;
            }
        }
        tally.leave_out(few);
        tally.best
    }

    /// The value of a move: the first one with the full window, later ones first with a null window just
    /// above alpha.
    #[inline]
    fn candidate_value(
        &mut self,
        candidate: &Candidate<G>,
        depth: i32,
        tally: &Tally,
        later: bool,
    ) -> Found {
        let Candidate {
            child,
            place,
            again,
            ..
        } = candidate;
        let (alpha, beta) = (tally.alpha, tally.beta);
        let mut value = |alpha: i32, beta: i32| {
            if *again {
                self.value(child, *place, depth - 1, alpha, beta, true)
            } else {
                self.value(child, *place, depth - 1, -beta, -alpha, false)
                    .negated()
            }
        };
        if later && beta - alpha > 1 {
            let found = value(alpha, alpha + 1);
            if found.value <= alpha || found.value >= beta {
                return found;
            }
        }
        value(alpha, beta)
    }

    /// A move with everything that ordering and search need.
    #[inline]
    fn candidate(
        &self,
        position: &G::Position,
        mv: G::Move,
        number: u16,
        depth: i32,
    ) -> Candidate<G> {
        let game = self.game;
        let mover = game.to_move(position);
        let child = game.play_unchecked(position, mv);
        let again = game.to_move(&child) == mover;
        let place = (depth > TABLE_DEPTH).then(|| self.table.place(self.key(&child, again)));
        if let Some(place) = place {
            self.table.prefetch(place);
        }
        Candidate {
            number,
            mv,
            child,
            place,
            again,
            score: game.promise(position, mv, &child),
        }
    }

    /// A child that the table knows to be good enough for a cutoff at this node.
    #[inline]
    fn cutoff_by_child(
        &self,
        candidates: &[Candidate<G>],
        depth: i32,
        beta: i32,
    ) -> Option<(Found, u16)> {
        for candidate in candidates {
            let Some(entry) = candidate.place.and_then(|place| self.table.get(place)) else {
                continue;
            };
            if !self.is_deep_enough(&entry, depth - 1) {
                continue;
            }
            let value = entry.value + self.banked(&candidate.child);
            let (value, wanted) = match candidate.again {
                true => (value, Bound::Lower),
                false => (-value, Bound::Upper),
            };
            if value >= beta && (entry.bound == wanted || entry.bound == Bound::Exact) {
                let complete = entry.complete;
                return Some((Found { value, complete }, candidate.number));
            }
        }
        None
    }

    /// The value of a leaf: its evaluation, or better if the mover can earn further extra turns.
    fn leaf(&mut self, position: &G::Position, mut alpha: i32, beta: i32, again: bool) -> Found {
        if self.budget.count_node() {
            return Found::NOTHING;
        }
        let game = self.game;
        if let Some(outcome) = game.outcome(position) {
            let mover = game.to_move(position);
            return Found::proven(self.scale.finished(outcome.margin(mover)));
        }
        if let Some(exact) = self.exact
            && let Some(margin) = exact.margin(game, position)
        {
            return Found::proven(self.scale.finished(margin));
        }
        let mut best = self.eval.evaluate(game, position, again);
        if self.techniques.quiescence && best < beta {
            alpha = alpha.max(best);
            for mv in game.extra_turns(position) {
                let child = game.play_unchecked(position, mv);
                best = best.max(self.leaf(&child, alpha, beta, true).value);
                alpha = alpha.max(best);
                if alpha >= beta || self.budget.is_spent() {
                    break;
                }
            }
        }
        Found {
            value: best,
            complete: false,
        }
    }
}
