//! The rest of a game once the pieces are separated.

use crate::{Span, Walks};
use kalahari_games::Player;
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition, IsolationRule};
use kalahari_terms::Charge;

/// Values of separated positions: the final margin in `trail`, +1 or -1 in `queen` and `knight`, as the mover sees it.
#[derive(Debug)]
pub struct Endgame<B: Bits> {
    game: Isolation<B>,
    walks: Walks<B>,
    trail: bool,
}

/// The two halves of a separated position: each piece and the cells it can get to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides<B> {
    own: (usize, B),
    other: (usize, B),
}

impl<B: Bits> Endgame<B> {
    /// The endgames of a game; `None` for `classic`, where the pieces are never really separated.
    pub fn new(game: &Isolation<B>) -> Option<Self> {
        let rule = game.isolation_spec().rule();
        (rule != IsolationRule::Classic).then(|| Endgame {
            game: game.clone(),
            walks: Walks::new(game),
            trail: rule == IsolationRule::Trail,
        })
    }

    /// The halves of a position, if there is no cell that both pieces can get to.
    #[inline]
    pub fn sides(&self, position: &IsolationPosition<B>) -> Option<Sides<B>> {
        let mover = position.player();
        let (own, other) = (position.piece(mover)?, position.piece(!mover)?);
        let free = position.free();
        // Both floods grow in turn: if the pieces are not separated, the floods usually meet soon.
        let (mut own_edge, mut other_edge) = (B::one(own), B::one(other));
        let (mut own_seen, mut other_seen) = (B::EMPTY, B::EMPTY);
        while !(own_edge.is_empty() && other_edge.is_empty()) {
            own_edge = self.game.spread(own_edge, free & !own_seen);
            own_seen = own_seen | own_edge;
            other_edge = self.game.spread(other_edge, free & !other_seen);
            other_seen = other_seen | other_edge;
            if !(own_seen & other_seen).is_empty() {
                return None;
            }
        }
        Some(Sides {
            own: (own, own_seen),
            other: (other, other_seen),
        })
    }

    /// Bounds of a separated position's value. They are narrowed until they are equal, or `is_enough` accepts the lower and
    /// the upper bound, or the account, to which every position of a walk is charged, says to give up.
    pub fn bounds(
        &mut self,
        position: &IsolationPosition<B>,
        sides: &Sides<B>,
        is_enough: impl Fn(i32, i32) -> bool,
        charge: &mut impl Charge,
    ) -> (i32, i32) {
        let Sides { own, other } = *sides;
        let mut own_span = self.walks.quick(own.0, own.1);
        let mut other_span = self.walks.quick(other.0, other.1);
        loop {
            let (lower, upper) = self.value(position.lead(), own_span, other_span);
            if lower == upper || is_enough(lower, upper) {
                return (lower, upper);
            }
            let (span, (at, region)) = match own_span.gap() >= other_span.gap() {
                true => (&mut own_span, own),
                false => (&mut other_span, other),
            };
            match self.walks.narrow(at, region, *span, charge) {
                Ok(narrowed) => *span = narrowed,
                Err(narrowed) => {
                    *span = narrowed;
                    return self.value(position.lead(), own_span, other_span);
                }
            }
        }
    }

    /// Bounds of the value, given bounds of the walks.
    fn value(&self, lead: i32, own: Span, other: Span) -> (i32, i32) {
        let least = own.lower as i32 - other.upper as i32;
        let most = own.upper as i32 - other.lower as i32;
        if self.trail {
            return (lead + least, lead + most);
        }
        // When both can walk equally far, the player who moves first runs out of moves first.
        let result = |ahead: i32| if ahead > 0 { 1 } else { -1 };
        (result(least), result(most))
    }

    /// An upper bound of the moves that a player can still make, whatever the opponent does. Before the piece is placed it is
    /// the number of free cells.
    pub fn most_moves(&mut self, position: &IsolationPosition<B>, player: Player) -> u32 {
        let Some(at) = position.piece(player) else {
            return position.free().count();
        };
        let region = self.walks.region(at, position.free());
        self.walks.glance(at, region)
    }
}
