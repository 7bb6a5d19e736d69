//! Which moves to look at, and in what order.

use kalahari_games::Game;
use kalahari_games::isolation::{Bits, Isolation, IsolationMove, IsolationPosition, IsolationRule};
use kalahari_games::kalah::{Board, Kalah, Pit, Side};

/// A first guess at the moves of a position, made without searching them.
pub trait MoveOrdering: Game {
    /// How promising a move from `parent` to `child` looks at first sight; more is better.
    fn promise(&self, parent: &Self::Position, mv: Self::Move, child: &Self::Position) -> i32;

    /// Whether there can be so many moves that a search has to choose which to look at.
    fn has_many_moves(&self) -> bool {
        false
    }

    /// The moves that a search tries if it cannot try all. At least one legal move is among them.
    fn worth_trying(&self, _position: &Self::Position) -> impl Fn(Self::Move) -> bool + use<Self> {
        |_| true
    }

    /// The legal moves after which the same player moves again, unless the game is then over.
    fn extra_turns(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;
}

impl<B: Board> MoveOrdering for Kalah<B> {
    #[inline]
    fn promise(&self, parent: &B, pit: Pit, child: &B) -> i32 {
        let right_to_left = i32::from(pit.0);
        if parent.player() == child.player() {
            // Extra turns first, of these the pit nearest to the store: sowing it leaves the other pits unchanged.
            return 10_000 + right_to_left;
        }
        let gain = child.store(Side::Opponent) as i32 - parent.store(Side::Mover) as i32;
        16 * gain + right_to_left
    }

    #[inline]
    fn extra_turns(&self, position: &B) -> impl Iterator<Item = Pit> {
        // From the store outward: sowing a near pit leaves the farther ones unchanged.
        self.extra_turn_pits(position).rev()
    }
}

impl<B: Bits> MoveOrdering for Isolation<B> {
    #[inline]
    fn promise(
        &self,
        parent: &IsolationPosition<B>,
        _: IsolationMove,
        child: &IsolationPosition<B>,
    ) -> i32 {
        let mover = parent.player();
        let onward = self.destinations(child, mover).count() as i32;
        let theirs = self.destinations(child, child.player()).count() as i32;
        8 * (onward - theirs)
    }

    fn has_many_moves(&self) -> bool {
        self.isolation_spec().rule() == IsolationRule::Classic
    }

    /// Removals that hurt: cells that the opponent could step to; if there are fewer than two of those, also cells next to
    /// them; if there are fewer than two of these either, any cell.
    #[inline]
    fn worth_trying(
        &self,
        position: &IsolationPosition<B>,
    ) -> impl Fn(IsolationMove) -> bool + use<B> {
        let opponent = !position.player();
        let wanted = match self.has_many_moves() {
            false => B::EMPTY,
            true => {
                let steps = self.destinations(position, opponent);
                let near = self.spread(steps, position.free()) | steps;
                // One of them may be the cell that the mover steps onto, which cannot be removed.
                let some = |set: B| set.count() > 1;
                [steps, near]
                    .into_iter()
                    .find(|&set| some(set))
                    .unwrap_or(B::EMPTY)
            }
        };
        let cols = self.isolation_spec().cols();
        move |mv| match mv {
            IsolationMove::ToRemoving(_, removed) if !wanted.is_empty() => {
                wanted.has(removed.row() * cols + removed.col())
            }
            _ => true,
        }
    }

    #[inline]
    fn extra_turns(&self, _: &IsolationPosition<B>) -> impl Iterator<Item = IsolationMove> {
        std::iter::empty()
    }
}
